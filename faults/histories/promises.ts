import type { Urgency } from '../../src/pages/contract.ts';
import { type Manner, type Name, OWNER, PEOPLE } from './history.ts';
import {
  type AllClear,
  answerTime,
  backstop,
  type Due,
  delayOf,
  EMAIL,
  isAddedSince,
  isReachable,
  MINUTE,
  MOST_EMAILS,
  members,
  onCall,
  type Page,
  PHONE,
  type Step,
  type World,
} from './model.ts';

/** A page as the API shows it; times in milliseconds since the history began. */
export type Seen = {
  id: string;
  title: string;
  state: Page['state'];
  urgency: Urgency;
  round: number;
  next: Step | null;
  remindAt: number | null;
  acknowledgedBy: Page['acknowledgedBy'];
  /** When steps of the last round began to notify people; their rules may wait after that. */
  notified: readonly { who: Name; stage: number | null; at: number }[];
};

/** How long a message to a phone may wait because of others to the same person, until it is bundled with them. */
const BUNDLED_WITHIN = MINUTE + 1_000;

/** A notification as its receiver got it. `id`: the same for all attempts of one delivery. */
export type Arrival = {
  id: string;
  who: Name;
  method: number;
  title: string;
  type: 'page.notification' | 'page.expired' | 'page.resolved';
  /** Null where the message does not say it: in an email about a page to a person. */
  round: number | null;
  stage: number | null;
  repeat: boolean;
  at: number;
  manner: Manner;
  /** Empty if the message has no link. */
  acknowledgeUrl: string;
  /** The message to a phone covers several pages. Some of them may have ended. */
  isOneOfSeveral?: boolean;
};

export type Observed = {
  seen: readonly Seen[];
  /** Since the last comparison. */
  arrived: readonly Arrival[];
  before: readonly Arrival[];
  /** All-clears since the last comparison. */
  cleared: readonly AllClear[];
  /** A node died or the database was away, so that notifications may come twice, marked. */
  mayRepeat: boolean;
};

/**
 * Compares the model with what can be observed from outside. Returns the promises that were broken, as sentences. The
 * model learns the ids of its pages, and follows the service where the service may choose.
 */
export function compare(world: World, observed: Observed): string[] {
  return [
    ...comparePages(world, observed),
    ...compareArrivals(world, observed),
    ...compareAllClears(world, observed),
    ...compareFailover(world, observed),
    ...openTwice(observed.seen, world),
  ];
}

function comparePages(world: World, observed: Observed): string[] {
  const { seen } = observed;
  const broken: string[] = [];
  for (const page of world.pages) {
    const [shown, ...others] = seen.filter(({ title }) => title === page.title);
    if (!shown) broken.push(`${page.title} was accepted, and no page of it exists`);
    else if (others.length > 0)
      broken.push(`${page.title} was sent once, and there are ${others.length + 1} pages of it`);
    else broken.push(...comparePage(world, page, shown, observed));
  }
  for (const { title } of seen)
    if (!world.pages.some((page) => page.title === title))
      broken.push(`${title} exists, although nothing raised it`);
  return broken;
}

function comparePage(world: World, page: Page, shown: Seen, observed: Observed): string[] {
  page.id = shown.id;
  if (page.loose !== null) return follow(world, page, shown, observed);
  const differences = [
    difference('state', page.state, shown.state),
    difference('urgency', page.urgency, shown.urgency),
    difference('round', page.round, shown.round),
    difference('next step', stepText(page.next), stepText(shown.next)),
    difference('end of the acknowledgement', timeText(page.remindAt), timeText(shown.remindAt)),
    ...(page.state === 'acknowledged'
      ? [difference('acknowledged by', page.acknowledgedBy, shown.acknowledgedBy)]
      : []),
  ].filter((one) => one !== null);
  return differences.map((one) => `at ${timeText(world.now)}, ${page.title} (${page.to}): ${one}`);
}

/** The service may choose when the next step runs, but a page never stops and never ends unanswered by mistake. */
function follow(world: World, page: Page, shown: Seen, observed: Observed): string[] {
  const wrong = (text: string) => [
    `at ${timeText(world.now)}, ${page.title} (${page.to}; ${page.loose}): ${text}`,
  ];
  const isAsExpected =
    shown.state === page.state ||
    (page.state === 'notifying' && shown.state === 'expired') ||
    (page.state === 'acknowledged' && shown.state === 'notifying' && isAlmostOver(world, page));
  if (!isAsExpected) return wrong(`the state is ${shown.state} instead of ${page.state}`);
  if (shown.state === 'expired' && page.state === 'notifying') {
    const early = answeredTooEarly(world, page, observed);
    if (early) return wrong(early);
    const uninformed = membersUninformed(world, page, observed);
    if (uninformed) return wrong(uninformed);
  }
  if (shown.state === 'notifying') {
    if (!shown.next) return wrong('it notifies, and nothing is planned: nobody will ever hear of it again');
    const latest = world.now + longestWait(world, page);
    if (shown.next.due > latest)
      return wrong(
        `the next step is planned for ${timeText(shown.next.due)}, later than ${timeText(latest)}`,
      );
    const ignored =
      membersIgnored(world, page, shown, observed) ??
      waitsForNobody(world, page, shown, observed) ??
      phoneForgotten(world, page, shown, observed);
    if (ignored) return wrong(ignored);
  }
  if (shown.state === 'acknowledged' && !isNear(shown.remindAt, page.remindAt))
    return wrong(
      `the acknowledgement ends at ${timeText(shown.remindAt)} instead of ${timeText(page.remindAt)}`,
    );
  if (shown.round < page.round) return wrong(`the round fell from ${page.round} to ${shown.round}`);
  page.state = shown.state;
  // Times that were brought forward have fractions of a millisecond.
  page.remindAt = shown.remindAt === null || !world.isClockSet ? shown.remindAt : shown.remindAt + 1;
  page.round = shown.round;
  page.next = shown.next;
  page.planned = Math.max(page.planned, shown.round, shown.next?.round ?? 0);
  return [];
}

/**
 * A page of a team does not wait for people who cannot answer: if the receivers of all whom it has notified in its round refused, or
 * these people were disabled, the other members are notified at once.
 */
function membersIgnored(
  world: World,
  page: Page,
  { round, next }: Seen,
  { arrived, before, mayRepeat }: Observed,
): string | null {
  if (page.to !== 'team' || world.isClockSet || mayRepeat || page.racedAt === world.now) return null;
  const inRound = [...before, ...arrived].filter(
    (one) => one.title === page.title && one.type === 'page.notification' && (one.round ?? round) === round,
  );
  const isHopeless = (one: Arrival) => cannotAnswer(world, page, one);
  if (inRound.length === 0 || !inRound.every(isHopeless) || (next?.due ?? 0) <= world.now) return null;
  const silent = PEOPLE.filter((who) => !inRound.some((one) => one.who === who));
  // They may have been notified, by rules that wait.
  if (silent.some((who) => Math.min(...waitsOf(world, page, who)) > 0 || world.people[who].phone))
    return null;
  const others = silent.filter((who) => members(world).includes(who) && isReachable(world, who));
  return others.length === 0
    ? null
    : `nobody whom it notified in round ${round} can answer, and ${others.join(', ')} were not notified`;
}

/** A page to a person whom no notification could reach, and that reached nobody else, fails and expires at once. */
function waitsForNobody(
  world: World,
  page: Page,
  { next }: Seen,
  { arrived, before, mayRepeat }: Observed,
): string | null {
  if (page.to === 'team' || world.isClockSet || mayRepeat || page.racedAt === world.now) return null;
  const all = [...before, ...arrived].filter(
    ({ title, type }) => title === page.title && type === 'page.notification',
  );
  const isAwaited = page.runs.some(
    ({ who, reachable }) =>
      reachable && (!all.some((one) => one.who === who) || (who !== OWNER && world.people[who].phone)),
  );
  if (all.length === 0 || isAwaited || (next?.due ?? 0) <= world.now) return null;
  return all.every((one) => cannotAnswer(world, page, one)) ? 'nobody whom it notified can answer' : null;
}

/**
 * A person who is notified by phone gets a text message about the page, unless they have rules that use other channels. If it has to
 * wait, it is bundled into another one.
 */
function phoneForgotten(
  world: World,
  page: Page,
  { notified, urgency }: Seen,
  { arrived, before }: Observed,
): string | null {
  if (world.isClockSet) return null;
  const forgotten = notified.find(({ who, at }) => {
    const wait = textedAfter(world, who, urgency);
    if (wait === null || world.disabled.includes(who)) return false;
    if (!works(world.manners[who]) || world.manneredAt[who] > at) return false;
    const due = at + wait;
    const isLate = world.looks.some((look) => look >= due && world.now - look >= BUNDLED_WITHIN);
    const isTexted = [...before, ...arrived].some(
      (one) => one.method === PHONE && one.who === who && one.title === page.title && one.at >= at,
    );
    return isLate && !isTexted;
  });
  return forgotten
    ? `${forgotten.who} was notified at ${timeText(forgotten.at)} and got no text message`
    : null;
}

/** How long the default rules wait before they send a text message; null if there is none. */
function textedAfter({ people }: World, who: Name | typeof OWNER, urgency: Urgency): number | null {
  if (who === OWNER) return null;
  const { methods, email, phone, high } = people[who];
  if (!phone || (methods > 0 && urgency === 'high' && high)) return null;
  if (urgency === 'medium') return 5 * MINUTE;
  return urgency === 'high' || (methods === 0 && !email) ? 0 : null;
}

/** Their receiver refused the notification and no rule of theirs follows, or they were disabled. */
function cannotAnswer(world: World, page: Page, { who, manner, at, method }: Arrival): boolean {
  if (world.disabled.includes(who)) return true;
  // A call follows.
  if (method === PHONE) return false;
  return manner === 'refuses' && world.now - at >= Math.max(...waitsOf(world, page, who));
}

/** Every member of the team who can be reached hears that nobody answered. */
function membersUninformed(world: World, page: Page, { arrived }: Observed): string | null {
  if (page.to !== 'team') return null;
  const missing = members(world).filter(
    (who) =>
      isReachable(world, who) &&
      // A message to a phone may have to wait.
      (world.people[who].methods > 0 || world.people[who].email) &&
      !arrived.some((one) => one.who === who && one.title === page.title && one.type === 'page.expired'),
  );
  return missing.length === 0 ? null : `it expired, and ${missing.join(', ')} did not hear of it`;
}

/** A person who was notified in the last round has time to answer, unless they were disabled. */
function answeredTooEarly(world: World, page: Page, { seen, arrived, before }: Observed): string | null {
  if (world.isClockSet) return null;
  const usual = delayOf(page.urgency, world.shortestDelay) ?? Number.POSITIVE_INFINITY;
  const inRound = [...before, ...arrived].filter(
    ({ title, type, round }) =>
      title === page.title && type === 'page.notification' && (round ?? page.round) === page.round,
  );
  const last = inRound.findLast(({ who, manner }) => works(manner) && !world.disabled.includes(who));
  // A step ends when its delay is over, however late in it a person's own rule has notified them.
  const notified = seen.find(({ title }) => title === page.title)?.notified ?? [];
  const used = last && page.to === 'team' ? waitedByRule(world, page, last, notified) : 0;
  const time = Math.min(usual - used, answerTime(page.urgency));
  // Times that were brought forward have fractions of a millisecond.
  if (!last || world.now - last.at >= time - 1) return null;
  return `it expired ${timeText(world.now - last.at)} after ${last.who} was notified, who had ${timeText(time)} to answer`;
}

/** Its acknowledgement ends now, as far as that is known after the clock was set. */
function isAlmostOver({ isClockSet, now }: World, { remindAt }: Page): boolean {
  return isClockSet && remindAt !== null && isNear(remindAt, now);
}

/** After the clock was set back, times are exact to a second. */
function isNear(one: number | null, other: number | null): boolean {
  return one === other || (one !== null && other !== null && Math.abs(one - other) <= 2_000);
}

/** How long the rule waited that this notification came from: the last one that was due by then. */
function waitedByRule(
  world: World,
  page: Page,
  { who, stage, at, method }: Arrival,
  notified: Seen['notified'],
): number {
  const mine = notified.filter((one) => one.who === who && one.stage === stage);
  if (method === PHONE) return at - Math.max(...mine.filter((one) => one.at <= at).map((one) => one.at), 0);
  const due = mine
    .flatMap(({ at: begun }) => waitsOf(world, page, who).map((wait) => ({ wait, due: begun + wait })))
    .filter((one) => one.due <= at + 1_000);
  return due.toSorted((a, b) => b.due - a.due)[0]?.wait ?? 0;
}

/** How long the rules of a person wait for a page of this urgency. */
function waitsOf(world: World, page: Page, who: Name): number[] {
  const rules = (page.urgency === 'high' ? world.people[who].high : null) ?? [0];
  return rules.map((minutes) => minutes * MINUTE);
}

/** The minutes after which the last default rule for a phone sends or calls. */
const LAST_ON_PHONE: Record<Urgency, number> = { high: 6, medium: 5, low: 0 };

function longestWait(world: World, page: Page): number {
  const rules = Object.values(world.people).flatMap(({ high, phone }) => [
    ...(page.urgency === 'high' ? (high ?? []) : []),
    ...(phone ? [LAST_ON_PHONE[page.urgency]] : []),
  ]);
  return Math.max(3 * world.longestDelay, answerTime(page.urgency) + Math.max(0, ...rules) * MINUTE);
}

function compareArrivals(world: World, { arrived, before, mayRepeat }: Observed): string[] {
  const broken: string[] = [];
  const known = new Map(before.map((arrival) => [arrival.id, arrival]));
  const awaited = world.due.filter(({ sentAt, isCompared }) => sentAt !== null && !isCompared);
  for (const due of awaited) due.isCompared = true;
  const isMatched = new Set<Due>();
  for (const arrival of arrived) {
    const page = world.pages.find(({ title }) => title === arrival.title);
    if (!page) {
      broken.push(`${arrival.who} was notified of ${arrival.title}, which was never accepted`);
      continue;
    }
    // An all-clear has an id of its own.
    if (arrival.type === 'page.resolved') continue;
    const earlier = known.get(arrival.id);
    known.set(arrival.id, arrival);
    if (earlier) {
      broken.push(...wrongRepeat(world, page, { arrival, earlier, mayRepeat }));
      continue;
    }
    const due = awaited.find((one) => !isMatched.has(one) && isThis(one, arrival));
    if (due) isMatched.add(due);
    else broken.push(...unexpected(world, page, arrival, mayRepeat));
  }
  for (const due of awaited) {
    const page = world.pages.find(({ title }) => title === due.title);
    if (isMatched.has(due) || page?.loose !== null) continue;
    broken.push(
      `at ${timeText(world.now)}, ${due.who} was not notified of ${due.title}${due.stage === null ? '' : ` as stage ${due.stage}`} in round ${due.round} (${due.type}, method ${due.method})`,
    );
  }
  return broken;
}

function isThis(due: Due, arrival: Arrival): boolean {
  return (
    due.title === arrival.title &&
    due.who === arrival.who &&
    due.method === arrival.method &&
    due.type === arrival.type &&
    (due.round === arrival.round || arrival.round === null) &&
    (due.stage === arrival.stage || arrival.type === 'page.expired')
  );
}

/** A delivery that arrives again needs a reason, and a mark if it was accepted before. */
function wrongRepeat(
  world: World,
  page: Page,
  { arrival, earlier, mayRepeat }: { arrival: Arrival; earlier: Arrival; mayRepeat: boolean },
): string[] {
  const what = `at ${timeText(world.now)}, ${arrival.who} was notified of ${arrival.title} again with the same id`;
  const hadFailed = earlier.manner === 'fails' || earlier.manner === 'fails after delivery';
  if (!mayRepeat && isOver(world, page, arrival.who)) return [`${what}, after it was ${page.state}`];
  if (hadFailed) return [];
  if (!mayRepeat && earlier.manner !== 'breaks off') return [`${what}, for no reason`];
  return arrival.repeat ? [] : [`${what}, without a mark`];
}

function unexpected(world: World, page: Page, arrival: Arrival, mayRepeat: boolean): string[] {
  const what = `at ${timeText(world.now)}, ${arrival.who} was notified of ${page.title} (${arrival.type}, round ${arrival.round}, stage ${arrival.stage})`;
  if (world.disabled.includes(arrival.who)) return [`${what}, who is disabled`];
  if (page.loose === null) return [`${what}, which is ${page.state}: nobody promised that`];
  if (!isResponsible(world, page, arrival.who)) return [`${what}, who has nothing to do with it`];
  if (arrival.isOneOfSeveral) return [];
  if (arrival.type === 'page.notification' && !mayRepeat && isOver(world, page, arrival.who))
    return [`${what}, which is ${page.state}`];
  return [];
}

/**
 * Whether nothing may be sent to this person from now on. A notification that was being sent when the page was answered
 * may still arrive.
 */
function isOver(world: World, page: Page, who: Name): boolean {
  if (page.racedAt === world.now) return false;
  if (page.state === 'resolved') return true;
  return (
    page.state === 'acknowledged' && !page.runs.some((run) => run.who === who && isAddedSince(page, run))
  );
}

/**
 * A person whose webhooks do not work is notified by email at once, unless a notification of the same round was accepted before
 * (contract, section 6).
 */
function compareFailover(world: World, { arrived, before, mayRepeat }: Observed): string[] {
  if (mayRepeat || world.isClockSet) return [];
  const all = [...before, ...arrived];
  const mails = all.filter(({ method }) => method === EMAIL);
  const isAccepted = (who: Name, title: string, round: Arrival['round']) =>
    all.some((one) => one.who === who && one.title === title && one.round === round && works(one.manner));
  return arrived.flatMap(({ who, title, type, method, manner, round }) => {
    const page = world.pages.find((one) => one.title === title);
    const hasFailed = method !== EMAIL && !works(manner) && !isAccepted(who, title, round);
    if (!hasFailed || type !== 'page.notification' || page?.state !== 'notifying') return [];
    if (!world.people[who].email || world.disabled.includes(who) || page.racedAt === world.now) return [];
    const isFull =
      mails.filter((mail) => mail.who === who && mail.at > world.now - MINUTE).length >= MOST_EMAILS;
    const isMailed = mails.some(
      (mail) => mail.who === who && mail.title === title && (mail.round ?? round) === round,
    );
    return isMailed || isFull
      ? []
      : [`at ${timeText(world.now)}, the webhook of ${who} ${manner}, and no email about ${title} was sent`];
  });
}

/**
 * When a source resolves a page, everybody who was notified of it gets one all-clear on each channel that was used. One
 * that did not arrive for certain is sent again.
 */
function compareAllClears(world: World, { cleared, arrived, before, mayRepeat }: Observed): string[] {
  const expected = world.allClears.splice(0);
  const isSame = (one: AllClear, other: AllClear) =>
    one.title === other.title && one.who === other.who && one.method === other.method;
  const broken: string[] = [];
  for (const one of cleared) {
    const page = world.pages.find(({ title }) => title === one.title);
    const what = `at ${timeText(world.now)}, ${one.who} heard that ${one.title} is over`;
    if (page?.state !== 'resolved') broken.push(`${what}, which is ${page?.state}`);
    else if (![...before, ...arrived].some((arrival) => isSame(one, arrival)))
      broken.push(`${what}, of which they were not notified`);
    else if (
      page.loose === null &&
      !mayRepeat &&
      ![...expected, ...world.failedAllClears].some((other) => isSame(one, other))
    )
      broken.push(`${what}, although no source had just resolved it`);
  }
  for (const one of expected) {
    const page = world.pages.find(({ title }) => title === one.title);
    const times = cleared.filter((other) => isSame(one, other)).length;
    if (page?.loose === null && !mayRepeat && times !== 1)
      broken.push(
        `at ${timeText(world.now)}, ${one.who} heard ${times} times that ${one.title} is over (method ${one.method})`,
      );
  }
  world.failedAllClears = [
    ...world.failedAllClears.filter((one) => !cleared.some((other) => isSame(one, other))),
    ...cleared.filter(({ who }) => SENT_AGAIN.includes(world.manners[who])),
  ];
  return broken;
}

function isResponsible(world: World, page: Page, who: Name): boolean {
  if (page.runs.some((run) => run.who === who)) return true;
  if (page.to !== 'team') return page.to === who;
  const first = [...world.stages.flatMap((stage) => onCall(world, stage)), backstop(world)];
  // When none of them could be reached, every member is notified.
  return first.includes(who) || (isReachable(world, who) && !world.left.includes(who));
}

/** One open page for each dedup key. */
function openTwice(seen: readonly Seen[], world: World): string[] {
  const open = world.pages.filter(
    ({ key, id }) =>
      key !== null &&
      seen.some((one) => one.id === id && (one.state === 'notifying' || one.state === 'acknowledged')),
  );
  return open
    .filter((page, index) => open.findIndex(({ key }) => key === page.key) !== index)
    .map(({ key }) => `two pages of the dedup key “${key}” are open`);
}

function difference(what: string, expected: unknown, shown: unknown): string | null {
  return expected === shown ? null : `${what}: ${shown} instead of ${expected}`;
}

function stepText(step: Step | null): string {
  if (!step) return 'none';
  const stage = step.stage === null ? '' : ` ${step.stage}`;
  return `${step.kind}${stage} of round ${step.round} at ${timeText(step.due)}`;
}

function timeText(ms: number | null): string {
  return ms === null ? 'never' : `${Number((ms / MINUTE).toFixed(3))} min`;
}

/** Whether the service sees a notification to such a receiver as accepted. */
const SENT_AGAIN: readonly Arrival['manner'][] = ['fails', 'fails after delivery', 'breaks off'];

function works(manner: Arrival['manner']): boolean {
  return manner === 'accepts' || manner === 'drops';
}
