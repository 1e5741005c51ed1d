import { type Interval, union } from '../kit/interval.ts';
import type { Rates } from './contract.ts';

/** An event of a page, in order. `what`: the undone event, for `undone`. */
export type PageEvent = {
  kind: string;
  at: number;
  userId: string | null;
  what: string | null;
  /** The page had notified that person. */
  notified: boolean;
};

/** A person worked on a page. */
export type Work = Interval & { userId: string };

type State = { working: Map<string, number>; done: Work[] };

/** Events after which nobody works on the page until somebody acknowledges it again. */
const ENDS = [
  ...['resolved', 'unacknowledged', 'escalated', 'reassigned', 'snoozed', 'reminded', 'reopened', 'expired'],
  ...['duplicate', 'urgency_raised'],
];

/**
 * When people worked on a page: from their acknowledgement until it was resolved, given back, given to others or snoozed,
 * until its urgency rose, or until `now`. Only people whom the page had notified were called out.
 */
export function workOn(events: readonly PageEvent[], now: number): Work[] {
  let state: State = { working: new Map(), done: [] };
  let before = state;
  for (const event of events) {
    const next = event.kind === 'undone' ? before : after(state, event);
    before = state;
    state = next;
  }
  return ended(state, now).done.filter(({ from, to }) => from <= to);
}

function after(state: State, { kind, at, userId, notified }: PageEvent): State {
  if (ENDS.includes(kind)) return ended(state, at);
  if (kind === 'disabled') return ended(state, at, userId);
  if ((kind !== 'acknowledged' && kind !== 'joined') || userId === null || !notified) return state;
  if (state.working.has(userId)) return state;
  return { ...state, working: new Map([...state.working, [userId, at]]) };
}

/** Ends the work of everybody, or of one person. */
function ended({ working, done }: State, at: number, only: string | null = null): State {
  const over = [...working].filter(([userId]) => only === null || userId === only);
  return {
    working: new Map([...working].filter(([userId]) => only !== null && userId !== only)),
    done: [...done, ...over.map(([userId, from]) => ({ userId, from, to: at }))],
  };
}

type Rules = Rates['called_out'];

const MINUTE = 60_000;

/**
 * The times for which call-outs are paid, ascending and separate. Each begins at a full minute and is rounded up. A
 * call-out that begins while another is still paid belongs to it. @param rulesAt the rules at the beginning of a
 * call-out
 */
export function paidCallOuts(work: readonly Interval[], rulesAt: (at: number) => Rules): Interval[] {
  const paid: Interval[] = [];
  let current: (Interval & { paidTo: number; rules: Rules }) | null = null;
  for (const { from: begun, to } of work.toSorted((a, b) => a.from - b.from)) {
    const from = Math.floor(begun / MINUTE) * MINUTE;
    if (current && from < current.paidTo) {
      current.to = Math.max(current.to, to);
      current.paidTo = paidUntil(current, current.rules);
      continue;
    }
    if (current) paid.push({ from: current.from, to: current.paidTo });
    const rules = rulesAt(from);
    current = { from, to, rules, paidTo: paidUntil({ from, to }, rules) };
  }
  if (current) paid.push({ from: current.from, to: current.paidTo });
  return union(paid);
}

function paidUntil({ from, to }: Interval, { minimum_minutes, step_minutes }: Rules): number {
  const step = step_minutes * MINUTE;
  return from + Math.max(minimum_minutes * MINUTE, Math.ceil((to - from) / step) * step);
}

/** The most that one page counts. */
export function atMost<Time extends Interval>(time: Time, rulesAt: (at: number) => Rules): Time {
  const { longest_hours } = rulesAt(time.from);
  return { ...time, to: Math.min(time.to, time.from + longest_hours * 60 * MINUTE) };
}
