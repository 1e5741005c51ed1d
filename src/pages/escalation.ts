import type { ResponderKind, Urgency } from './contract.ts';

/** Rounds of the whole escalation before a page expires (contract, section 6), unless its schedules say otherwise. */
export const MAX_ROUNDS = 3;
/** The delay if no stage sets one. */
const DEFAULT_DELAY_MS = 5 * 60_000;
/** A page of low urgency does not escalate; it expires after a day. */
const LOW_EXPIRES_AFTER_MS = 24 * 60 * 60_000;

/** One person whom a step may notify. */
type Candidate = { userId: string; reachable: boolean; why: Record<string, unknown> };
/** A person on call; `away` while a `hard_unavailable` record covers the current time. */
export type StagePerson = Candidate & { away: boolean };
export type EscalationStage = { stage: number; escalateAfterMs: number; people: StagePerson[] };

/** The people whom a team's page can reach at one time: stages in ascending order, including empty ones. */
export type Escalation = {
  stages: EscalationStage[];
  backstops: Candidate[];
  /** The last resort: every reachable member of the team. Empty when a person on call or a backstop can be reached. */
  members: string[];
  /** The number of rounds in the schedules of the team; the usual number if left out. */
  rounds?: number;
};

/** Whether a page would reach anybody. */
export function reachesSomebody({ stages, backstops, members }: Escalation): boolean {
  const candidates = [...stages.flatMap(({ people }) => people), ...backstops];
  return members.length > 0 || candidates.some(({ reachable }) => reachable);
}

export type StepKind = 'stage' | 'backstop' | 'person' | 'members' | 'expire';
/** `stage` null: the lowest stage that has people. */
export type Step = { kind: StepKind; stage: number | null; round: number };

export type Recipient = {
  userId: string;
  kind: ResponderKind;
  stage: number | null;
  why: Record<string, unknown>;
};

export type Decision = {
  notify: Recipient[];
  /** Stages that were skipped because nobody is on call in them. */
  gaps: number[];
  /** What happens if nobody acknowledges, and after which delay. */
  next: { step: Step; afterMs: number };
};

/** How long a stage waits: its delay at high urgency, three times that at medium, null (no escalation) at low. */
function escalationDelayMs(urgency: Urgency, stageDelayMs: number): number | null {
  if (urgency === 'low') return null;
  return urgency === 'medium' ? 3 * stageDelayMs : stageDelayMs;
}

/**
 * Decides one step of a team page (contract, section 6). It uses the escalation at the time of the step, not at the
 * time when the page was raised, so that a page that waited through a stall or a hand-off reaches the people on call
 * now. `lastRound`: the last round, with the usual number of rounds.
 */
export function decideTeamStep(
  step: Step,
  urgency: Urgency,
  escalation: Escalation,
  lastRound: number = MAX_ROUNDS,
): Decision {
  const turn = { step, urgency, lastRound: lastRound + (escalation.rounds ?? MAX_ROUNDS) - MAX_ROUNDS };
  if (step.kind === 'backstop') return backstopDecision(turn, escalation, []);
  if (step.kind === 'members') return membersDecision(turn, escalation, []);
  const from = step.stage ?? Number.NEGATIVE_INFINITY;
  const climb = climbFrom(escalation.stages.filter(({ stage }) => stage >= from));
  const last = climb.reached.at(-1);
  if (!last) return backstopDecision(turn, escalation, climb.gaps);
  return stageDecision(turn, escalation, climb, last);
}

/**
 * The first step after this one that is in a later round, or that ends the page. A page goes on with it if it has already
 * run all steps before it in its round.
 */
export function stepBeyond(
  step: Step,
  urgency: Urgency,
  escalation: Escalation,
  lastRound: number = MAX_ROUNDS,
): Step {
  let beyond = step;
  // Each stage comes once in a round, then the backstop.
  for (let steps = escalation.stages.length + 2; steps > 0; steps--) {
    if (beyond.kind === 'expire' || beyond.round > step.round) return beyond;
    beyond = decideTeamStep(beyond, urgency, escalation, lastRound).next.step;
  }
  return { kind: 'expire', stage: null, round: step.round };
}

/** A step, and the properties of its page that decide what follows. */
type Turn = { step: Step; urgency: Urgency; lastRound: number };

/** The stages that one step notifies. */
type Climb = {
  /** Stages to notify; each has people on call. */
  reached: EscalationStage[];
  /** Stages that were skipped because nobody is on call in them. */
  gaps: number[];
  /** Whether somebody in the last of them can be reached and nobody in it is away. */
  covered: boolean;
};

function stageDecision(turn: Turn, escalation: Escalation, climb: Climb, last: EscalationStage): Decision {
  const { reached, gaps, covered } = climb;
  const notify = reached.flatMap(({ stage, people }) =>
    people.map((person) => stageRecipient(person, stage)),
  );
  if (!covered) notify.push(...escalation.backstops.map(backstopRecipient), ...memberRecipients(escalation));
  const above = escalation.stages.find(({ stage }) => stage > last.stage)?.stage ?? null;
  const next = covered
    ? nextStep(turn, last.escalateAfterMs, above, escalation.backstops)
    : nextStep(turn, last.escalateAfterMs, null, []);
  return { notify: distinct(notify), gaps, next };
}

/**
 * Takes the first stage with people and, while somebody in a stage is away or nobody in it can be reached, the next one
 * as well. People who are away are also notified: an absence never makes a page reach fewer people, or anybody later.
 * If the stages end first, the result is not `covered`, and the backstops are notified as well.
 */
function climbFrom(stages: readonly EscalationStage[]): Climb {
  const climb: Climb = { reached: [], gaps: [], covered: false };
  for (const one of stages) {
    const { stage, people } = one;
    if (people.length === 0) {
      climb.gaps.push(stage);
      continue;
    }
    climb.reached.push(one);
    climb.covered = people.some(({ reachable }) => reachable) && people.every(({ away }) => !away);
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

function backstopDecision(turn: Turn, escalation: Escalation, gaps: number[]): Decision {
  if (escalation.backstops.length === 0) return membersDecision(turn, escalation, gaps);
  const delay = lastStageDelay(escalation);
  return {
    notify: distinct([...escalation.backstops.map(backstopRecipient), ...memberRecipients(escalation)]),
    gaps,
    next: nextStep(turn, delay, null, []),
  };
}

function membersDecision(turn: Turn, escalation: Escalation, gaps: number[]): Decision {
  const next = nextStep(turn, lastStageDelay(escalation), null, []);
  // This step does not know who is on call, and follows others that notified nobody who can be reached.
  const reason = turn.step.kind === 'members' ? 'nobody else can be reached: every member is notified' : null;
  return { notify: memberRecipients(escalation, reason), gaps, next };
}

function memberRecipients(escalation: Escalation, known: string | null = null): Recipient[] {
  const reason = known ?? whyMembers(escalation);
  return escalation.members.map((userId) => ({ userId, kind: 'members', stage: null, why: { reason } }));
}

function whyMembers({ stages, backstops }: Escalation): string {
  const nobody = backstops.length === 0 && stages.every(({ people }) => people.length === 0);
  return nobody
    ? 'nobody of the team is on call and there is no backstop: every member is notified'
    : 'nobody who is on call or a backstop can be reached: every member is notified';
}

function lastStageDelay(escalation: Escalation): number {
  return escalation.stages.at(-1)?.escalateAfterMs ?? DEFAULT_DELAY_MS;
}

function stageRecipient(person: StagePerson, stage: number): Recipient {
  return { userId: person.userId, kind: 'stage', stage, why: person.why };
}

function backstopRecipient(backstop: Escalation['backstops'][number]): Recipient {
  return { userId: backstop.userId, kind: 'backstop', stage: null, why: backstop.why };
}

/** Keeps each person once, with the first reason to notify them. */
function distinct(recipients: Recipient[]): Recipient[] {
  const seen = new Set<string>();
  return recipients.filter((recipient) => !seen.has(recipient.userId) && seen.add(recipient.userId));
}

/**
 * The next step of a page that notifies again: the stage above the last notified one, otherwise the backstop, otherwise
 * the lowest stage. `afterMs`: how long the people of the last stage have to answer first; null if a page of this
 * urgency does not escalate.
 */
export function stepAbove(
  escalation: Escalation,
  last: number | null,
  { urgency, round }: { urgency: Urgency; round: number },
): { step: Step; afterMs: number | null } {
  const delay = escalation.stages.find(({ stage }) => stage === last)?.escalateAfterMs ?? DEFAULT_DELAY_MS;
  const above = escalation.stages.find(
    ({ stage, people }) => last !== null && stage > last && people.length > 0,
  );
  const backstop = last !== null && !above && escalation.backstops.length > 0;
  return {
    step: { kind: backstop ? 'backstop' : 'stage', stage: above?.stage ?? null, round },
    afterMs: escalationDelayMs(urgency, delay),
  };
}

/**
 * What follows if the people to whom a page was reassigned do not answer, counted from the last of their notification
 * rules. A team's page notifies them again in each round and then expires; it does not return to a stage by itself. A
 * page to a person, or of low urgency, expires at once.
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

/** How long after the last of the person's notification rules a page to a person expires. */
export function personGraceMs(urgency: Urgency): number {
  return escalationDelayMs(urgency, DEFAULT_DELAY_MS) ?? LOW_EXPIRES_AFTER_MS;
}
