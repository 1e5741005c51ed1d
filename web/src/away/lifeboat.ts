import { type LifeboatNotice, readLifeboatNotice } from '../../../src/lifeboat/contract.ts';
import { sharedValue } from '../kit/shared-value.ts';

let header = '';
const notice = sharedValue<LifeboatNotice | null>(null);

/** Notes what the last answer of the service said of the lifeboat of its node; null: nothing. */
export function noteLifeboat(given: string | null): void {
  if (header === (given ?? '')) return;
  header = given ?? '';
  notice.set(readLifeboatNotice(header));
}

/** What a lifeboat does just now; null while none does anything. */
export const useLifeboat = notice.use;
