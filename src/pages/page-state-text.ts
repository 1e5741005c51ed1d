import { tIn } from '../language/contract.ts';
import type { PageState } from './state-contract.ts';

/** The phrase for this state after the name of a page: `is acknowledged`. */
export function isState(state: PageState): string {
  switch (state) {
    case 'notifying':
      return tIn('a page, before “; only …”', 'is notifying');
    case 'acknowledged':
      return tIn('a page, before “; only …”', 'is acknowledged');
    case 'resolved':
      return tIn('a page, before “; only …”', 'is resolved');
    case 'expired':
      return tIn('a page, before “; only …”', 'is expired');
  }
}
