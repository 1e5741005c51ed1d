import type { PageState } from './contract.ts';

/**
 * The states of a page and what leads from one to the next (docs/states.md draws it). No state is the end of a page: what
 * was answered, or given up, can notify again.
 */
const TRANSITIONS: Record<PageState, Partial<Record<PageEventKind, PageState>>> = {
  notifying: { acknowledge: 'acknowledged', resolve: 'resolved', expire: 'expired' },
  acknowledged: {
    resolve: 'resolved',
    unacknowledge: 'notifying',
    remind: 'notifying',
    escalate: 'notifying',
    reassign: 'notifying',
  },
  expired: { resolve: 'resolved', reopen: 'notifying' },
  resolved: { reopen: 'notifying' },
};

export const PAGE_EVENTS = [
  'acknowledge',
  'resolve',
  'expire',
  'unacknowledge',
  'remind',
  'escalate',
  'reassign',
  'reopen',
] as const;
export type PageEventKind = (typeof PAGE_EVENTS)[number];

/** The state that an event leads to; null when it changes nothing in this state. */
export function nextState(state: PageState, event: PageEventKind): PageState | null {
  return TRANSITIONS[state][event] ?? null;
}

/** The state that an answer is undone to; null when no answer leads from `before` to `state`. */
export function undoneState(state: PageState, before: PageState): PageState | null {
  const answers = ['acknowledge', 'resolve'] as const;
  return answers.some((answer) => nextState(before, answer) === state) ? before : null;
}
