/**
 * A small model of paging: what the contract promises about each page, written without looking at the service's own rules. It has
 * no clock, database or network; times are milliseconds since the history began.
 *
 * It foretells every step of a page exactly. Where the service may choose, because a receiver failed or a person was disabled,
 * a page becomes `loose`: from then on the model follows the service, and `promises.ts` checks that each choice was allowed.
 */
import type { Urgency } from '../../src/pages/contract.ts';
import { type Cast, type Manner, type Name, OWNER, PEOPLE } from './history.ts';

export const MINUTE = 60_000;
/** The contact methods after all webhooks. */
export const EMAIL = 9;
export const PHONE = 10;
const DAY = 24 * 60 * MINUTE;
const ROUNDS = 3;
/** How long the recipient of a page to a person, and a person to whom a page was reassigned, has to answer. */
const USUAL_DELAY = 5 * MINUTE;
const USUAL_TIMEOUT = 30 * MINUTE;
/** How long an answer can be undone. */
const UNDO_WITHIN = 30_000;
/** A notification later than this delays the end of its page. */
const LATE = MINUTE;
/** A page does not end before people who were notified this shortly before have had time to answer. */
const LAST_SECOND = 1_000;

export type State = 'notifying' | 'acknowledged' | 'resolved' | 'expired';
export type StepKind = 'stage' | 'backstop' | 'person' | 'members' | 'expire';
export type Step = { kind: StepKind; stage: number | null; round: number; due: number };
export type Kind = 'stage' | 'backstop' | 'members' | 'person' | 'added' | 'expired';
type Recipient = { who: Name | typeof OWNER; kind: Kind; stage: number | null };
/** One person's notification rules for one page. */
type Run = Recipient & { round: number; reachable: boolean; at: number; hasJoined: boolean };

export type Page = {
  id: string | null;
  title: string;
  to: 'team' | Name;
  urgency: Urgency;
  state: State;
  round: number;
  lastRound: number;
  /** The highest round that was ever planned. */
  planned: number;
  next: Step | null;
  remindAt: number | null;
  /** Null when nobody did it, or when a source did. */
  acknowledgedBy: Name | typeof OWNER | null;
  acknowledgedAt: number | null;
  /** The person to whom the page was reassigned, until somebody escalates it. */
  assignee: Name | null;
  /** Set when two of its events were sent at the same instant, so the service may choose their order. */
  racedAt: number | null;
  /** Source or recipient, and dedup key: at most one page of it is open. */
  key: string | null;
  runs: Run[];
  /** Rounds and stages from which somebody escalated. */
  beyond: string[];
  /** The answers since the page last began to notify, with what undoing them restores. */
  answers: AnswerGiven[];
  /** The events that its timeline must have: time, kind and person of each. */
  timeline: string[];
  /** Events that it may have, because the answer to their request was lost and nothing else shows whether they happened. */
  unsure: string[];
  /** Why the service may choose when the next step runs; null if the model knows. */
  loose: string | null;
};

type AnswerGiven = {
  to: 'acknowledged' | 'resolved';
  by: Name | typeof OWNER | null;
  at: number;
  before: Pick<Page, 'state' | 'next' | 'remindAt'>;
  unsent: Due[];
};

/** A notification that is to be sent. */
export type Due = {
  /** The title of its page. */
  title: string;
  who: Name;
  /** The number of a webhook, or `EMAIL`. */
  method: number;
  type: 'page.notification' | 'page.expired';
  round: number;
  stage: number | null;
  due: number;
  sentAt: number | null;
  /** Whether it was compared with what arrived. */
  isCompared: boolean;
  /** Its receiver must get an all-clear. */
  isCleared: boolean;
};

/** The source resolved a page: everybody who was notified through this contact method gets an all-clear. */
export type AllClear = { title: string; who: Name; method: number };

type Shift = { stage: number; who: Name; from: number; to: number };

export type World = {
  now: number;
  people: Cast['people'];
  disabled: Name[];
  /** People who left the team. */
  left: Name[];
  silences: { effect: 'hold' | 'record'; from: number; to: number }[];
  /** Triggers that a silence holds. They page at its end if they are still open. */
  waiting: { key: string; title: string; urgency: Urgency; due: number }[];
  away: { who: Name; from: number; to: number }[];
  /** Stages of the team's schedule, ascending, with their delay. */
  stages: number[];
  delay: number;
  backstop: Name | null;
  timeouts: Cast['timeouts'];
  /** As the public API published them. */
  shifts: Shift[];
  manners: Record<Name, Manner>;
  /** When each receiver began to behave like that. */
  manneredAt: Record<Name, number>;
  pages: Page[];
  due: Due[];
  /** Since the last comparison. */
  allClears: AllClear[];
  /** Their last attempt failed or its outcome is unknown, so they are sent again. */
  failedAllClears: AllClear[];
  /** The shortest and the longest delay of stages so far: steps keep the one with which they were planned. */
  shortestDelay: number;
  longestDelay: number;
  /** The database's clock was set. */
  isClockSet: boolean;
  /** When the service had done everything that was due. */
  looks: number[];
};

export function worldOf(cast: Cast): World {
  return {
    now: 0,
    people: structuredClone(cast.people),
    disabled: [],
    left: [],
    silences: [],
    waiting: [],
    away: [],
    stages: cast.stages.map((_, index) => index + 1),
    delay: cast.delay * MINUTE,
    backstop: cast.backstop,
    timeouts: cast.timeouts,
    shifts: [],
    manners: { ada: 'accepts', grace: 'accepts', alan: 'accepts', katherine: 'accepts' },
    manneredAt: { ada: 0, grace: 0, alan: 0, katherine: 0 },
    pages: [],
    due: [],
    allClears: [],
    failedAllClears: [],
    shortestDelay: cast.delay * MINUTE,
    longestDelay: cast.delay * MINUTE,
    isClockSet: false,
    looks: [],
  };
}

export function isReachable(world: World, who: Name | typeof OWNER): boolean {
  if (who === OWNER || world.disabled.includes(who)) return false;
  const { methods, email, phone } = world.people[who];
  return methods > 0 || email || phone;
}

function isOpen({ state }: Page): boolean {
  return state === 'notifying' || state === 'acknowledged';
}

// What programs and people do

/** Whether a page to this person would be refused because it would reach nobody. */
export function isRefused(world: World, to: 'team' | Name): boolean {
  if (to !== 'team') return !isReachable(world, to);
  const others = world.stages.flatMap((stage) => onCall(world, stage));
  return [...others, backstop(world), ...members(world)].every(
    (who) => who === null || !isReachable(world, who),
  );
}

export function members(world: World): Name[] {
  return PEOPLE.filter((who) => !world.disabled.includes(who) && !world.left.includes(who));
}

type Trigger = { title: string; to: 'team' | Name; urgency: Urgency; key: string | null };

export function trigger(world: World, { title, to, urgency, key }: Trigger): 'raised' | 'updated' {
  const open = pageOfKey(world, key);
  if (open) {
    if (level(urgency) > level(open.urgency)) raiseUrgency(world, open, urgency);
    return 'updated';
  }
  const page: Page = {
    ...{ id: null, title, to, urgency, key, state: 'notifying', round: 1, lastRound: ROUNDS, planned: 1 },
    ...{
      next: null,
      remindAt: null,
      acknowledgedBy: null,
      acknowledgedAt: null,
      assignee: null,
      racedAt: null,
    },
    ...{ runs: [], beyond: [], answers: [], timeline: [], unsure: [], loose: null },
  };
  world.pages.push(page);
  note(world, page, 'raised');
  plan(page, firstStep(world, page));
  return 'raised';
}

/** A source triggers the page of a key. A trigger that would raise a page is held by a silence. */
export function sourceTriggers(
  world: World,
  { title, urgency, key }: { title: string; urgency: Urgency; key: string },
): 'raised' | 'updated' | 'waiting' | 'ignored' {
  const silence = pageOfKey(world, key) ? undefined : runningSilence(world);
  if (silence?.effect === 'record') return 'ignored';
  world.waiting = world.waiting.filter((one) => one.key !== key);
  if (!silence) return trigger(world, { title, to: 'team', urgency, key });
  world.waiting.push({ key, title, urgency, due: silence.to });
  return 'waiting';
}

/**
 * Among several silences, one that holds has precedence over one that only records, and then the one that ends last.
 */
export function runningSilence({ silences, now }: World): World['silences'][number] | undefined {
  const running = silences.filter(({ from, to }) => from <= now && now < to);
  const holding = running.filter(({ effect }) => effect === 'hold');
  return (holding.length > 0 ? holding : running).toSorted((a, b) => b.to - a.to)[0];
}

/** A source acknowledges or resolves the page of a key. */
export function sourceAnswers(
  world: World,
  key: string,
  action: 'acknowledge' | 'resolve',
): 'acknowledged' | 'resolved' | 'updated' | 'ignored' {
  world.waiting = world.waiting.filter((one) => one.key !== key);
  const page = pageOfKey(world, key);
  if (!page) return 'ignored';
  if (action === 'resolve') {
    resolve(world, page, null);
    clear(world, page);
    return 'resolved';
  }
  if (page.state !== 'notifying') return 'updated';
  acknowledge(world, page, null);
  return 'acknowledged';
}

/** Each webhook that got a notification gets an all-clear, unless it has had one since or was removed. */
function clear(world: World, page: Page): void {
  const sent = world.due.filter(
    ({ title, sentAt, who, method }) =>
      title === page.title && sentAt !== null && method !== EMAIL && method < world.people[who].methods,
  );
  for (const { who, method } of sent) {
    const mine = sent.filter((one) => one.who === who && one.method === method);
    if (mine.at(-1)?.isCleared === false) world.allClears.push({ title: page.title, who, method });
    for (const one of mine) one.isCleared = true;
  }
}

export function pageOfKey(world: World, key: string | null): Page | undefined {
  return key === null ? undefined : world.pages.find((page) => page.key === key && isOpen(page));
}

/** Returns whether it changed the page. */
export function acknowledge(world: World, page: Page, by: Name | typeof OWNER | null): boolean {
  if (page.state === 'expired') note(world, page, 'answered_late');
  if (page.state === 'acknowledged' && by !== null) return join(world, page, by);
  if (page.state !== 'notifying') return false;
  note(world, page, 'acknowledged', by);
  page.answers.push(answerGiven(world, page, 'acknowledged', by));
  page.state = 'acknowledged';
  page.acknowledgedBy = by;
  page.acknowledgedAt = world.now;
  const lasts = timeoutOf(world, page);
  page.remindAt = lasts === null ? null : world.now + lasts;
  stop(world, page);
  return true;
}

/** A person who was added to an acknowledged page answers: nothing else is sent to them. */
function join(world: World, page: Page, who: Name | typeof OWNER): boolean {
  const since = page.runs.filter((run) => run.who === who && isAddedSince(page, run));
  if (since.length === 0) return false;
  note(world, page, 'joined');
  for (const run of since) run.hasJoined = true;
  world.due = world.due.filter((due) => due.sentAt !== null || due.title !== page.title || due.who !== who);
  return true;
}

/** Whether it began after the acknowledgement and has no answer. */
export function isAddedSince({ acknowledgedAt }: Page, { kind, at, hasJoined }: Run): boolean {
  return kind === 'added' && acknowledgedAt !== null && at > acknowledgedAt && !hasJoined;
}

/** False when it is refused. */
export function add(world: World, page: Page, who: Name): boolean {
  if (!isOpen(page)) return false;
  const { started, reached, lastAfter } = notify(world, page, [{ who, kind: 'added', stage: null }]);
  if (started === 0) return false;
  if (reached > 0 && page.next?.kind === 'expire')
    page.next.due = Math.max(page.next.due, world.now + lastAfter + answerTime(page.urgency));
  note(world, page, 'added');
  return true;
}

/** False when it is refused. */
export function reassign(world: World, page: Page, who: Name): boolean {
  if (!isOpen(page)) return false;
  beginRound(world, page);
  note(world, page, 'reassigned');
  page.assignee = who;
  if (page.to !== 'team') page.to = who;
  notifyAssignee(world, page, who);
  return true;
}

/** A page of the team notifies them in each round, and does not return to the stages by itself. */
function notifyAssignee(world: World, page: Page, who: Name): void {
  const { started, reached, lastAfter } = notify(world, page, [{ who, kind: 'added', stage: null }]);
  if (started > 0 && reached === 0) page.loose ??= `${who} cannot be reached`;
  const { round, urgency, lastRound } = page;
  const hasMore = page.to === 'team' && urgency !== 'low' && round < lastRound;
  const due = world.now + lastAfter + answerTime(urgency);
  plan(
    page,
    hasMore
      ? { kind: 'person', stage: null, round: round + 1, due }
      : { kind: 'expire', stage: null, round, due },
  );
}

export function resolve(world: World, page: Page, by: typeof OWNER | null): boolean {
  if (page.state === 'resolved') return false;
  note(world, page, 'resolved');
  page.answers.push(answerGiven(world, page, 'resolved', by));
  page.state = 'resolved';
  stop(world, page);
  return true;
}

function answerGiven(
  { now, due }: World,
  { title, state, next, remindAt }: Page,
  to: AnswerGiven['to'],
  by: AnswerGiven['by'],
): AnswerGiven {
  const unsent = due.filter((one) => one.sentAt === null && one.title === title);
  return { to, by, at: now, before: { state, next, remindAt }, unsent };
}

/** The owner undoes an answer of hers: what it stopped goes on, at the same times. False when it is refused. */
export function undo(world: World, page: Page): boolean {
  const answer = page.answers.at(-1);
  if (answer?.by !== OWNER || answer.to !== page.state || world.now - answer.at > UNDO_WITHIN) return false;
  if (page.state === 'resolved' && pageOfKey(world, page.key)) return false;
  page.answers.pop();
  note(world, page, 'undone');
  Object.assign(page, answer.before);
  world.due.push(
    ...answer.unsent
      .filter((one) => !world.due.includes(one) && !world.disabled.includes(one.who))
      .map((one) => ({ ...one, due: Math.max(one.due, world.now) })),
  );
  if (answer.before.state !== 'notifying') return true;
  page.acknowledgedBy = null;
  page.acknowledgedAt = null;
  if (!page.next) beginAgain(world, page);
  return true;
}

/** False when it is refused. */
export function escalate(world: World, page: Page): boolean {
  if (page.to !== 'team') return false;
  if (page.state === 'acknowledged') {
    const last = lastStage(page);
    noteEscalated(world, page);
    beginRound(world, page);
    plan(page, { ...stepAbove(world, page, last).step, due: world.now });
    return true;
  }
  if (page.state !== 'notifying') return false;
  noteEscalated(world, page);
  if (page.next?.kind === 'expire') escalateBeyond(world, page);
  // It was reassigned, and returns to the stages.
  else if (page.next?.kind === 'person')
    plan(page, { kind: 'stage', stage: null, round: page.round, due: world.now });
  else if (page.next) page.next.due = world.now;
  return true;
}

function noteEscalated(world: World, page: Page): void {
  note(world, page, 'escalated');
  page.assignee = null;
}

/** Only the end was still to come: the stages above are notified, and everybody gets the usual time to answer once. */
function escalateBeyond(world: World, page: Page): void {
  const stages = page.runs.filter(({ round }) => round === page.round).flatMap(({ stage }) => stage ?? []);
  const last = stages.length > 0 ? Math.max(...stages) : null;
  const name = `${page.round} ${last}`;
  if (page.beyond.includes(name)) return;
  page.beyond.push(name);
  const step: Omit<Step, 'due'> =
    last === null
      ? { kind: 'backstop', stage: null, round: page.round }
      : { kind: 'stage', stage: last + 1e-6, round: page.round };
  page.next = { ...step, due: world.now };
}

export function unacknowledge(world: World, page: Page): boolean {
  if (page.state !== 'acknowledged') return false;
  note(world, page, 'unacknowledged');
  beginAgain(world, page);
  return true;
}

export function reopen(world: World, page: Page): boolean {
  if (page.state !== 'resolved' && page.state !== 'expired') return false;
  if (pageOfKey(world, page.key)) return false;
  note(world, page, 'reopened');
  beginAgain(world, page);
  return true;
}

export function snooze(world: World, page: Page, minutes: number): boolean {
  if (page.state !== 'acknowledged') return false;
  note(world, page, 'snoozed');
  page.remindAt = world.now + minutes * MINUTE;
  return true;
}

export function extend(world: World, page: Page, minutes: number): boolean {
  if (page.state !== 'acknowledged') return false;
  note(world, page, 'extended');
  page.remindAt = Math.max(page.remindAt ?? 0, world.now + minutes * MINUTE);
  return true;
}

/** They removed their webhooks. What was planned for these fails when it is due, and goes to their email address instead. */
export function removeWebhooks(world: World, who: Name): void {
  world.people[who].methods = 0;
  const lost = world.due.filter((due) => due.sentAt === null && due.who === who && due.method !== EMAIL);
  for (const { title } of lost) {
    const page = world.pages.find((one) => one.title === title);
    if (page) page.loose ??= `${who}, whom it was going to notify, removed their webhooks`;
  }
  world.due = world.due.filter((due) => !lost.includes(due));
}

export function disable(world: World, who: Name): void {
  if (world.disabled.includes(who)) return;
  world.disabled.push(who);
  for (const page of world.pages.filter(isOpen)) {
    // Their acknowledgement ends at once.
    if (page.state === 'acknowledged' && page.acknowledgedBy === who) page.remindAt = world.now;
    if (page.runs.some((run) => run.who === who)) page.loose ??= `${who}, whom it notified, was disabled`;
  }
  world.due = world.due.filter((due) => due.sentAt !== null || due.who !== who);
}

/**
 * The database's clock was set by this much. If it was set forward, everything that waits is due earlier. If it was set
 * back, everything keeps its remaining time, but not to the millisecond.
 */
export function setClock(world: World, by: number): void {
  world.isClockSet = true;
  for (const one of [...world.away, ...(by < 0 ? [] : world.silences)]) {
    one.from -= by;
    one.to -= by;
  }
  if (by < 0) {
    for (const page of world.pages.filter(isOpen)) page.loose ??= 'the clock was set back';
    return;
  }
  for (const page of world.pages) {
    if (page.next) page.next.due -= by;
    if (page.remindAt !== null) page.remindAt -= by;
  }
  for (const one of world.waiting) one.due -= by;
  for (const due of world.due) {
    due.due -= by;
    // A notification that was sent late is now as old as the clock says, and its page may end.
    if (due.sentAt !== null) due.sentAt -= by;
  }
}

// What happens by itself

/** The time of the next event that happens by itself, at most `until`. */
export function nextInstant(world: World, until: number): number {
  const instants = [
    ...world.pages.flatMap((page) => (page.state === 'notifying' && page.next ? [page.next.due] : [])),
    ...world.pages.flatMap((page) =>
      page.state === 'acknowledged' && page.remindAt !== null ? [page.remindAt] : [],
    ),
    ...world.due.flatMap((due) => (due.sentAt === null ? [due.due] : [])),
    ...world.waiting.map(({ due }) => due),
  ].filter((at) => at > world.now);
  return Math.min(until, ...instants);
}

/** Far more than the steps of all pages that can be due at once. */
const MOST_ROUNDS = 10_000;

/** Does everything that is due. Each page is decided from its state now, however long ago the step was due. */
export function settle(world: World): void {
  let rounds = 0;
  for (let more = true; more; ) {
    if (++rounds > MOST_ROUNDS) throw new Error(`the model is not settled after ${MOST_ROUNDS} rounds`);
    more = false;
    for (const page of world.pages)
      if (page.state === 'acknowledged' && page.remindAt !== null && page.remindAt <= world.now) {
        remind(world, page);
        more = true;
      }
    for (const held of world.waiting.filter(({ due }) => due <= world.now)) {
      // A silence that only records may still run. Then nobody is paged.
      world.waiting = world.waiting.filter((one) => one !== held);
      sourceTriggers(world, held);
      more = true;
    }
    send(world);
    for (const page of world.pages)
      if (page.loose === null && page.state === 'notifying' && page.next && page.next.due <= world.now) {
        runStep(world, page);
        more = true;
      }
    send(world);
  }
}

/** The most emails to one person within a minute. The others wait and are bundled. */
export const MOST_EMAILS = 20;

function emailsLately({ due, now }: World, who: Name): number {
  const isLate = ({ sentAt }: Due) => sentAt !== null && sentAt > now - MINUTE;
  return due.filter((one) => one.who === who && one.method === EMAIL && isLate(one)).length;
}

function send(world: World): void {
  for (const due of world.due) {
    if (due.sentAt !== null || due.due > world.now) continue;
    due.sentAt = world.now;
    const manner = world.manners[due.who];
    const page = world.pages.find(({ title }) => title === due.title);
    if (page && due.method === EMAIL && emailsLately(world, due.who) > MOST_EMAILS)
      page.loose ??= `${due.who} has had too many emails, so this one is bundled with others`;
    if (page && due.method !== EMAIL && manner !== 'accepts' && manner !== 'drops')
      page.loose ??= `the receiver of ${due.who} ${manner}`;
  }
}

function remind(world: World, page: Page): void {
  const people = new Set([page.acknowledgedBy, page.assignee].filter((who) => who !== null));
  note(world, page, 'reminded');
  // Nothing ran for some time. People who were added meanwhile still get their overdue notifications.
  beginRound(world, page, { keepOverdue: true });
  // A source acknowledged it, so no person has it.
  if (people.size === 0) plan(page, firstStep(world, page));
  else notifyAgain(world, page, [...people]);
}

/** Notifies people again in a new round, and goes on from the stage that was notified last. */
function notifyAgain(world: World, page: Page, people: readonly (Name | typeof OWNER)[]): void {
  const last = lastStage(page);
  const { reached, lastAfter } = notify(
    world,
    page,
    people.map((who) => ({ who, kind: 'added', stage: null })),
  );
  const { step, after } = followingAgain(world, page, { people, reached, lastAfter, last });
  plan(page, { ...step, due: reached > 0 ? world.now + after : world.now });
}

function followingAgain(
  world: World,
  page: Page,
  again: {
    people: readonly (Name | typeof OWNER)[];
    reached: number;
    lastAfter: number;
    last: number | null;
  },
): { step: Omit<Step, 'due'>; after: number } {
  const { round, urgency, to } = page;
  const end = { kind: 'expire', stage: null, round } as const;
  if (to !== 'team') {
    const after = again.lastAfter + answerTime(urgency);
    return again.people.includes(to)
      ? { step: end, after }
      : { step: { kind: 'person', stage: null, round }, after };
  }
  const above = stepAbove(world, page, again.last);
  // A page of low urgency does not escalate if somebody was reached.
  if (above.after === null && again.reached > 0) return { step: end, after: answerTime(urgency) };
  return { step: above.step, after: above.after ?? 0 };
}

function raiseUrgency(world: World, page: Page, urgency: Urgency): void {
  page.urgency = urgency;
  note(world, page, 'urgency_raised');
  const inRound = page.runs.filter(
    ({ round, kind, reachable }) => round === page.round && kind !== 'expired' && reachable,
  );
  const people =
    page.acknowledgedBy === null ? [...new Set(inRound.map(({ who }) => who))] : [page.acknowledgedBy];
  if (people.length === 0 && page.state === 'notifying') return;
  beginRound(world, page);
  if (people.length > 0) notifyAgain(world, page, people);
  else plan(page, firstStep(world, page));
}

function runStep(world: World, page: Page): void {
  const step = page.next;
  if (!step) return;
  page.next = null;
  page.round = Math.max(page.round, step.round);
  if (step.kind === 'expire') {
    expire(world, page, step);
    return;
  }
  if (page.to === 'team' && step.kind === 'person') {
    if (page.assignee) notifyAssignee(world, page, page.assignee);
    return;
  }
  if (page.to !== 'team') {
    const isReassigned = page.assignee !== null && !world.disabled.includes(page.assignee);
    const { started, reached, lastAfter } = notify(world, page, [
      { who: page.to, kind: isReassigned ? 'added' : 'person', stage: null },
    ]);
    if (started > 0 && reached === 0) page.loose ??= `${page.to} cannot be reached`;
    plan(page, {
      kind: 'expire',
      stage: null,
      round: step.round,
      due: world.now + lastAfter + answerTime(page.urgency),
    });
    return;
  }
  const { recipients, next } = decide(world, page, step);
  const { started, reached } = notify(world, page, recipients);
  if ((started > 0 && reached === 0) || recipients.length === 0)
    page.loose ??= 'nobody of a step can be reached';
  plan(page, next);
}

/** Whom a step of a team's page notifies, and what happens if nobody answers (contract, section 6). */
function decide(world: World, page: Page, step: Step): { recipients: Recipient[]; next: Step } {
  const reached: { stage: number; people: Name[] }[] = [];
  let isCovered = false;
  if (step.kind === 'stage')
    for (const stage of world.stages.filter((one) => one >= (step.stage ?? 0))) {
      const people = onCall(world, stage);
      if (people.length === 0) continue;
      reached.push({ stage, people });
      isCovered = people.some((who) => isReachable(world, who)) && !people.some((who) => isAway(world, who));
      if (isCovered) break;
    }
  const last = reached.at(-1)?.stage ?? null;
  const recipients = reached.flatMap(({ stage, people }) =>
    people.map((who): Recipient => ({ who, kind: 'stage', stage })),
  );
  if (!isCovered) recipients.push(...lastResorts(world));
  const unique = recipients.filter(
    ({ who }, index) => recipients.findIndex((one) => one.who === who) === index,
  );
  return { recipients: unique, next: following(world, page, step, isCovered ? last : null) };
}

/** `covered`: the stage that was notified and can answer; null when the backstop or everybody was notified as well. */
function following(world: World, page: Page, { round }: Step, covered: number | null): Step {
  const after = delayOf(page.urgency, world.delay);
  const at = (step: Omit<Step, 'due' | 'round'>, inRound = round): Step => ({
    ...{ ...step, round: inRound },
    due: world.now + (after ?? DAY),
  });
  if (after === null) return at({ kind: 'expire', stage: null });
  const above = covered === null ? undefined : world.stages.find((stage) => stage > covered);
  if (above !== undefined) return at({ kind: 'stage', stage: above });
  if (covered !== null && backstop(world)) return at({ kind: 'backstop', stage: null });
  return round < page.lastRound
    ? at({ kind: 'stage', stage: null }, round + 1)
    : at({ kind: 'expire', stage: null });
}

function expire(world: World, page: Page, step: Step): void {
  const mine = world.due.filter(({ title }) => title === page.title);
  // The page waits for the answer to a rule of its last second, and it is undefined whether a notification of this instant leaves first.
  if (
    mine.some(
      ({ sentAt, due }) => sentAt !== null && sentAt > world.now - LAST_SECOND && due >= world.now - LATE,
    )
  ) {
    page.loose ??= 'a notification was due in its last second';
    page.next = step;
    return;
  }
  const late = mine.flatMap(({ sentAt, due }) => (sentAt !== null && sentAt > due + LATE ? [sentAt] : []));
  const until = Math.max(...late) + answerTime(page.urgency);
  if (late.length > 0 && until > world.now) {
    page.next = { ...step, due: until };
    return;
  }
  page.state = 'expired';
  note(world, page, 'expired');
  stop(world, page);
  const informed = page.to === 'team' ? members(world) : [];
  notify(
    world,
    page,
    informed.map((who) => ({ who, kind: 'expired', stage: null })),
  );
}

/** Starts the notification rules of people who were not notified by the same step before. */
function notify(
  world: World,
  page: Page,
  recipients: readonly Recipient[],
): { started: number; reached: number; lastAfter: number } {
  const fresh = recipients.filter(
    ({ who, kind, stage }) =>
      !page.runs.some(
        (run) => run.round === page.round && run.who === who && run.kind === kind && run.stage === stage,
      ),
  );
  let lastAfter = 0;
  for (const { who, kind, stage } of fresh) {
    const reachable = isReachable(world, who);
    page.runs.push({ who, kind, stage, round: page.round, reachable, at: world.now, hasJoined: false });
    if (kind !== 'expired') note(world, page, `notified as ${kind} ${stage} of round ${page.round}`, who);
    if (!reachable || who === OWNER) continue;
    // Messages to a phone may wait and be bundled, which the model does not foretell.
    if (world.people[who].phone) page.loose ??= `${who}, whom it notified, has a phone`;
    const rules = plannedFor(world, who, page.urgency);
    // An expiry is announced at once, by the first rule.
    const first = Math.min(...rules.map(({ after }) => after));
    const planned =
      kind === 'expired'
        ? rules.filter(({ after }) => after === first).map((rule) => ({ ...rule, after: 0 }))
        : rules;
    lastAfter = Math.max(lastAfter, ...planned.map(({ after }) => after * MINUTE));
    for (const { after, methods } of planned)
      for (const method of methods)
        world.due.push({
          ...{ title: page.title, who, method, round: page.round, stage, sentAt: null },
          ...{ isCompared: false, isCleared: false },
          type: kind === 'expired' ? 'page.expired' : 'page.notification',
          due: world.now + after * MINUTE,
        });
  }
  const started = page.runs.slice(page.runs.length - fresh.length);
  return { started: fresh.length, reached: started.filter(({ reachable }) => reachable).length, lastAfter };
}

/** By default, both channels are used at once. A person's own rules use only the webhooks, unless there are none. */
function plannedFor(world: World, who: Name, urgency: Urgency): { after: number; methods: number[] }[] {
  const { methods, email, high } = world.people[who];
  const webhooks = Array.from({ length: methods }, (_, index) => index);
  const own = urgency === 'high' && methods > 0 ? high : null;
  if (own) return [...new Set(own)].map((after) => ({ after, methods: webhooks }));
  return [{ after: 0, methods: [...webhooks, ...(email ? [EMAIL] : [])] }];
}

function note(world: World, page: Page, what: string, who: Name | typeof OWNER | null = null): void {
  page.timeline.push(eventText(world.now, what, who));
}

/** One event of a timeline, to compare it. */
export function eventText(at: number, what: string, who: string | null): string {
  return `${what}${who === null ? '' : ` ${who}`} at ${at}`;
}

function stop(
  world: World,
  page: Page,
  { keepOverdue }: { keepOverdue: boolean } = { keepOverdue: false },
): void {
  page.next = null;
  if (page.state !== 'acknowledged') page.remindAt = null;
  world.due = world.due.filter(
    ({ sentAt, title, due }) => sentAt !== null || title !== page.title || (keepOverdue && due <= world.now),
  );
}

function beginRound(world: World, page: Page, unsent = { keepOverdue: false }): void {
  page.state = 'notifying';
  page.answers = [];
  page.acknowledgedBy = null;
  page.acknowledgedAt = null;
  page.remindAt = null;
  stop(world, page, unsent);
  page.round = Math.max(page.round, page.planned) + 1;
  page.planned = page.round;
  page.lastRound = page.round + ROUNDS - 1;
}

function beginAgain(world: World, page: Page): void {
  beginRound(world, page);
  plan(page, firstStep(world, page));
}

/** A page that was reassigned begins again with that person. */
function firstStep({ disabled, now }: World, { to, round, assignee }: Page): Step {
  const isToTeam = to === 'team' && (assignee === null || disabled.includes(assignee));
  return { kind: isToTeam ? 'stage' : 'person', stage: null, round, due: now };
}

function plan(page: Page, step: Step): void {
  page.next = step;
  page.planned = Math.max(page.planned, step.round);
}

function stepAbove(
  world: World,
  { urgency, round }: Page,
  last: number | null,
): { step: Omit<Step, 'due'>; after: number | null } {
  const after = delayOf(urgency, last === null ? USUAL_DELAY : world.delay);
  const above = world.stages.find(
    (stage) => last !== null && stage > last && onCall(world, stage).length > 0,
  );
  if (above !== undefined) return { step: { kind: 'stage', stage: above, round }, after };
  const kind = last !== null && backstop(world) ? 'backstop' : 'stage';
  return { step: { kind, stage: null, round }, after };
}

/** The highest stage that was notified in the last round. */
function lastStage({ runs }: Page): number | null {
  const staged = runs.filter(({ stage }) => stage !== null);
  const round = Math.max(...staged.map((run) => run.round));
  const stages = staged.filter((run) => run.round === round).map(({ stage }) => stage ?? 0);
  return stages.length > 0 ? Math.max(...stages) : null;
}

export function onCall(world: World, stage: number): Name[] {
  const at = world.now;
  const people = world.shifts
    .filter(
      (shift) =>
        shift.stage === stage && shift.from <= at && at < shift.to && !world.disabled.includes(shift.who),
    )
    .map(({ who }) => who);
  return [...new Set(people)];
}

function isAway(world: World, who: Name): boolean {
  return world.away.some((one) => one.who === who && one.from <= world.now && world.now < one.to);
}

export function backstop({ backstop: who, disabled }: World): Name | null {
  return who !== null && !disabled.includes(who) ? who : null;
}

/** The backstop, and every member who can be reached if nobody on call and no backstop can be. */
function lastResorts(world: World): Recipient[] {
  const who = backstop(world);
  const first = [...world.stages.flatMap((stage) => onCall(world, stage)), ...(who ? [who] : [])];
  const rest = first.some((one) => isReachable(world, one))
    ? []
    : members(world).filter((one) => isReachable(world, one));
  return [
    ...(who ? [{ who, kind: 'backstop' as const, stage: null }] : []),
    ...rest.map((one) => ({ who: one, kind: 'members' as const, stage: null })),
  ];
}

function timeoutOf(world: World, { to, urgency }: Page): number | null {
  if (to !== 'team') return urgency === 'high' ? USUAL_TIMEOUT : null;
  return world.timeouts[urgency] > 0 ? world.timeouts[urgency] * MINUTE : null;
}

/** Null: a page of this urgency does not escalate. */
export function delayOf(urgency: Urgency, delay: number): number | null {
  if (urgency === 'low') return null;
  return urgency === 'medium' ? 3 * delay : delay;
}

export function answerTime(urgency: Urgency): number {
  return delayOf(urgency, USUAL_DELAY) ?? DAY;
}

function level(urgency: Urgency): number {
  return ['low', 'medium', 'high'].indexOf(urgency);
}
