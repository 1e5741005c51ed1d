import type { PageState } from './contract.ts';

/**
 * The states of a page and the transitions between them (docs/states.md draws them). No state is final: a page that was
 * answered or has expired can notify again.
 */
const TRANSITIONS: Record<PageState, Partial<Record<PageTransition, PageState>>> = {
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

export const PAGE_TRANSITIONS = [
  'acknowledge',
  'resolve',
  'expire',
  'unacknowledge',
  'remind',
  'escalate',
  'reassign',
  'reopen',
] as const;
export type PageTransition = (typeof PAGE_TRANSITIONS)[number];

/** The state that an action or event leads to; null if it has no effect in this state. */
export function nextState(state: PageState, transition: PageTransition): PageState | null {
  return TRANSITIONS[state][transition] ?? null;
}

/** The state that undoing an answer restores; null if no answer leads from `before` to `state`. */
export function undoneState(state: PageState, before: PageState): PageState | null {
  const answers = ['acknowledge', 'resolve'] as const;
  return answers.some((answer) => nextState(before, answer) === state) ? before : null;
}
