import type { Urgency } from './contract.ts';

/** Rounds of the whole ladder before a page expires (contract, section 6). */
export const MAX_ROUNDS = 3;
/** Where neither a stage nor a person says how long to wait. */
const DEFAULT_DELAY_MS = 5 * 60_000;
/** A page of low urgency does not escalate; it is given up a day after it was raised. */
const LOW_EXPIRES_AFTER_MS = 24 * 60 * 60_000;

/** One person whom a step may notify. */
type Candidate = { userId: string; reachable: boolean; why: Record<string, unknown> };
/** One person on call; `away` when a `hard_unavailable` record covers now. */
export type LadderPerson = Candidate & { away: boolean };
export type Rung = { stage: number; escalateAfterMs: number; people: LadderPerson[] };

/** Whom a team page can reach at one moment: stages in ascending order, empty ones included. */
export type Ladder = {
  stages: Rung[];
  backstops: Candidate[];
  /** The last resort: every member of the team who can be reached, unless somebody of the others can be. */
  members: string[];
};

/** Whether a page would reach anybody: the same people as its steps notify. */
export function reachesSomebody({ stages, backstops, members }: Ladder): boolean {
  const candidates = [...stages.flatMap(({ people }) => people), ...backstops];
  return members.length > 0 || candidates.some(({ reachable }) => reachable);
}

export type StepKind = 'stage' | 'backstop' | 'person' | 'members' | 'expire';
/** `stage` null: the lowest stage that has somebody. */
export type Step = { kind: StepKind; stage: number | null; round: number };

export type Recipient = {
  userId: string;
  kind: 'stage' | 'backstop' | 'person' | 'members' | 'added' | 'expired';
  stage: number | null;
  why: Record<string, unknown>;
};

export type Decision = {
  notify: Recipient[];
  /** Stages that were passed over because nobody is on call in them. */
  gaps: number[];
  /** What happens unless somebody acknowledges, and how long after now. */
  next: { step: Step; afterMs: number };
};

/** How long a stage waits at an urgency: its delay at high, three times that at medium; null: it does not escalate. */
function escalationDelayMs(urgency: Urgency, stageDelayMs: number): number | null {
  if (urgency === 'low') return null;
  return urgency === 'medium' ? 3 * stageDelayMs : stageDelayMs;
}

/**
 * Decides one step of a team page from the ladder as it is now (contract, section 6): never from how it was when
 * the page was raised, so that a page that waited through a stall or a hand-over reaches who is on call now.
 */
export function decideTeamStep(
  step: Step,
  urgency: Urgency,
  ladder: Ladder,
  lastRound: number = MAX_ROUNDS,
): Decision {
  const turn = { step, urgency, lastRound };
  if (step.kind === 'backstop') return backstopDecision(turn, ladder, []);
  if (step.kind === 'members') return membersDecision(turn, ladder, []);
  const from = step.stage ?? Number.NEGATIVE_INFINITY;
  const climb = climbFrom(ladder.stages.filter((rung) => rung.stage >= from));
  const last = climb.reached.at(-1);
  if (!last) return backstopDecision(turn, ladder, climb.gaps);
  return stageDecision(turn, ladder, climb, last);
}

/** A step of a page, and what of the page says how it goes on. */
type Turn = { step: Step; urgency: Urgency; lastRound: number };

/** How far up one step goes. */
type Climb = {
  /** Stages to notify; each has somebody on call. */
  reached: Rung[];
  /** Stages that were passed over. */
  gaps: number[];
  /** Whether the last of them has somebody who can be reached and nobody who is away. */
  covered: boolean;
};

function stageDecision(turn: Turn, ladder: Ladder, climb: Climb, last: Rung): Decision {
  const { reached, gaps, covered } = climb;
  const notify = reached.flatMap((rung) => rung.people.map((person) => stageRecipient(person, rung.stage)));
  if (!covered) notify.push(...ladder.backstops.map(backstopRecipient), ...memberRecipients(ladder));
  const above = ladder.stages.find((rung) => rung.stage > last.stage)?.stage ?? null;
  const next = covered
    ? nextStep(turn, last.escalateAfterMs, above, ladder.backstops)
    : nextStep(turn, last.escalateAfterMs, null, []);
  return { notify: distinct(notify), gaps, next };
}

/**
 * The stage whose turn it is and, as long as somebody in it is away or nobody in it can be reached, the next one as well.
 * Those who are away are paged all the same: a record never makes a page reach fewer people, or anybody later. Not
 * `covered` when the stages end before that, so that the backstop is notified as well.
 */
function climbFrom(rungs: readonly Rung[]): Climb {
  const climb: Climb = { reached: [], gaps: [], covered: false };
  for (const rung of rungs) {
    if (rung.people.length === 0) {
      climb.gaps.push(rung.stage);
      continue;
    }
    climb.reached.push(rung);
    climb.covered = rung.people.some(({ reachable }) => reachable) && rung.people.every(({ away }) => !away);
    if (climb.covered) break;
  }
  return climb;
}

function nextStep(
  { step, urgency, lastRound }: Turn,
  stageDelayMs: number,
  above: number | null,
  backstops: readonly unknown[],
): Decision['next'] {
  const delay = escalationDelayMs(urgency, stageDelayMs);
  if (delay === null)
    return { step: { kind: 'expire', stage: null, round: step.round }, afterMs: LOW_EXPIRES_AFTER_MS };
  if (above !== null) return { step: { kind: 'stage', stage: above, round: step.round }, afterMs: delay };
  if (backstops.length > 0)
    return { step: { kind: 'backstop', stage: null, round: step.round }, afterMs: delay };
  return roundEnd(step, lastRound, delay);
}

function roundEnd(step: Step, lastRound: number, afterMs: number): Decision['next'] {
  if (step.round >= lastRound) return { step: { kind: 'expire', stage: null, round: step.round }, afterMs };
  return { step: { kind: 'stage', stage: null, round: step.round + 1 }, afterMs };
}

function backstopDecision(turn: Turn, ladder: Ladder, gaps: number[]): Decision {
  if (ladder.backstops.length === 0) return membersDecision(turn, ladder, gaps);
  const delay = lastStageDelay(ladder);
  return {
    notify: distinct([...ladder.backstops.map(backstopRecipient), ...memberRecipients(ladder)]),
    gaps,
    next: nextStep(turn, delay, null, []),
  };
}

function membersDecision(turn: Turn, ladder: Ladder, gaps: number[]): Decision {
  const next = nextStep(turn, lastStageDelay(ladder), null, []);
  return { notify: memberRecipients(ladder), gaps, next };
}

function memberRecipients({ stages, backstops, members }: Ladder): Recipient[] {
  const nobody = backstops.length === 0 && stages.every(({ people }) => people.length === 0);
  const reason = nobody
    ? 'nobody of the team is on call and there is no backstop: every member is notified'
    : 'nobody who is on call or a backstop can be reached: every member is notified';
  return members.map((userId) => ({ userId, kind: 'members', stage: null, why: { reason } }));
}

function lastStageDelay(ladder: Ladder): number {
  return ladder.stages.at(-1)?.escalateAfterMs ?? DEFAULT_DELAY_MS;
}

function stageRecipient(person: LadderPerson, stage: number): Recipient {
  return { userId: person.userId, kind: 'stage', stage, why: person.why };
}

function backstopRecipient(backstop: Ladder['backstops'][number]): Recipient {
  return { userId: backstop.userId, kind: 'backstop', stage: null, why: backstop.why };
}

/** A person who is reached on two ways is asked once, for the first of them. */
function distinct(recipients: Recipient[]): Recipient[] {
  const seen = new Set<string>();
  return recipients.filter((recipient) => !seen.has(recipient.userId) && seen.add(recipient.userId));
}

/**
 * Where a page goes on that notifies again: above the stage that was notified last, else at the backstop, else at the
 * lowest stage; and how long those who were notified last have to answer before, null when its urgency does not escalate.
 */
export function stepAbove(
  ladder: Ladder,
  last: number | null,
  { urgency, round }: { urgency: Urgency; round: number },
): { step: Step; afterMs: number | null } {
  const delay = ladder.stages.find(({ stage }) => stage === last)?.escalateAfterMs ?? DEFAULT_DELAY_MS;
  const above = ladder.stages.find(({ stage, people }) => last !== null && stage > last && people.length > 0);
  const backstop = last !== null && !above && ladder.backstops.length > 0;
  return {
    step: { kind: backstop ? 'backstop' : 'stage', stage: above?.stage ?? null, round },
    afterMs: escalationDelayMs(urgency, delay),
  };
}

/**
 * What follows when people to whom a page was given do not answer, once the last of their rules has run: a team's page asks
 * them again in each round and then expires, and never goes back to a stage by itself. One for a person, and one that does
 * not escalate, expires.
 */
export function stepAfterPeople(
  page: { kind: 'team' | 'person'; urgency: Urgency; round: number; lastRound: number },
  lastAfterMs: number,
): { step: Step; afterMs: number } {
  const { round, urgency } = page;
  const again = page.kind === 'team' && urgency !== 'low' && round < page.lastRound;
  return {
    step: again ? { kind: 'person', stage: null, round: round + 1 } : { kind: 'expire', stage: null, round },
    afterMs: lastAfterMs + personGraceMs(urgency),
  };
}

/** A person page is given up some time after the last of the person's rules has run. */
export function personGraceMs(urgency: Urgency): number {
  return escalationDelayMs(urgency, DEFAULT_DELAY_MS) ?? LOW_EXPIRES_AFTER_MS;
}
