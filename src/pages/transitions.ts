import type { PageState } from './contract.ts';

/**
 * The states of a page and what leads from one to the next (docs/states.md draws it). Expiry and resolution are final
 * for the escalation; an expired page may still be resolved, since somebody has to tidy up.
 */
const TRANSITIONS: Record<PageState, Partial<Record<PageEventKind, PageState>>> = {
  notifying: { acknowledge: 'acknowledged', resolve: 'resolved', expire: 'expired' },
  acknowledged: { resolve: 'resolved' },
  expired: { resolve: 'resolved' },
  resolved: {},
};

export type PageEventKind = 'acknowledge' | 'resolve' | 'expire';

/** The state that an event leads to; null when it changes nothing in this state. */
export function nextState(state: PageState, event: PageEventKind): PageState | null {
  return TRANSITIONS[state][event] ?? null;
}
