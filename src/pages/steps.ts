import { isDatabaseAway } from '../db/away.ts';
import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { type Beginning, type Ending, shortTransaction } from '../db/short-transaction.ts';
import { together } from '../db/together.ts';
import type { Rotation } from '../db/turns.ts';
import type { Log } from '../kit/log.ts';
import { stored } from '../language/contract.ts';
import type { Notifiable } from '../people/contact-store.ts';
import type { Means } from '../people/reachability.ts';
import { teamMemberIds } from '../people/team-store.ts';
import { processingRequests, requestsFinished } from '../requests/store.ts';
import { teamOnCallIn } from '../schedules/oncall.ts';
import type { OnCallRow } from '../schedules/read-store.ts';
import { assigned } from './beginning.ts';
import {
  decideTeamStep,
  type Escalation,
  personGraceMs,
  type Recipient,
  type Step,
  stepAfterPeople,
  stepBeyond,
} from './escalation.ts';
import type { Notifier, Prepared, RecipientGroup, RunsStarted } from './notifier.ts';
import {
  type DueStep,
  finishingSteps,
  lateNotifications,
  type NewStep,
  onCallAhead,
  postponeStep,
  putOffStep,
  type StepClaim,
  schedulingSteps,
  settingRounds,
  takeDueStep,
  takeDueSteps,
} from './step-store.ts';
import {
  addingEvents,
  assigneesOf,
  markExpired,
  type PageAndEvent,
  type PageEvent,
  teamOfSource,
} from './store.ts';
import { isStuck, notifyAllMembersInstead } from './stuck-step.ts';
import {
  escalationOf,
  membersAlone,
  type PagedTeam,
  type ReadEscalation,
  readEscalation,
} from './team-escalation.ts';
import { goOn } from './unreachable.ts';

/** What the decision about steps needs. */
export type Deciding = { notifier: Notifier; means: Means };

export type StepServices = Deciding & { db: Database; clock: Clock; log: Log };

/** What was read ahead of a claim counts only if the claim followed at once. */
const RECENT_MS = 1_000;

/** Delay before a failed step is retried. It is short, because a person is still waiting to be paged. */
const RETRY_MS = 1_000;

/**
 * Runs due steps, of all teams in turn, in one transaction: it notifies people, schedules the next steps and writes the
 * timelines. Returns whether more steps may be due. When the transaction fails, each step is run alone, and only a step
 * that fails again is postponed. From then on it runs apart from the others, with `runFailedStep`.
 */
export function runDueSteps(services: StepServices, limit: number, rotation: Rotation): Promise<boolean> {
  return runSome(services, { limit, failedBefore: false, rotation });
}

/** Runs a due step that has failed before. Returns whether more may be due. */
export function runFailedStep(services: StepServices, rotation: Rotation): Promise<boolean> {
  return runSome(services, { limit: 1, failedBefore: true, rotation });
}

async function runSome(services: StepServices, which: StepClaim): Promise<boolean> {
  if (!(await services.notifier.room())) return false;
  const taken: DueStep[] = [];
  try {
    const beginning = {
      ahead: which.failedBefore ? null : onCallAhead(services.clock),
      first: (tx: Tx) => takeDueSteps(tx, services.clock, which),
    };
    const { followedAtOnce } = await runTogether(services, beginning, taken);
    // Each of the two parts of a claim takes half of the limit, if that many are due.
    return followedAtOnce || taken.length >= which.limit / 2;
  } catch (error) {
    if (isDatabaseAway(error) || taken.length === 0) throw error;
    for (const due of taken) await runAlone(services, due);
    return true;
  }
}

async function runAlone(services: StepServices, due: DueStep): Promise<void> {
  try {
    const first = async (tx: Tx) => {
      const alone = await takeDueStep(tx, services.clock, due.id);
      // Its people may have been notified since the claim that failed.
      return alone === null ? [] : [{ ...alone, hasNotified: true }];
    };
    await runTogether(services, { ahead: null, first }, []);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    services.log.error(
      { err: error, step: due.id, page: due.page.id },
      'a step failed and will be tried again',
    );
    if (isStuck(due) && (await notifyAllMembersInstead(services, due.id))) return;
    await postponeStep(services.db, services.clock, due.id, RETRY_MS);
  }
}

async function runTogether(
  services: StepServices,
  beginning: Beginning<DueStep[], OnCallRow>,
  taken: DueStep[],
): Promise<{ followedAtOnce: boolean }> {
  const { result: ran, rows } = await shortTransaction(services.db, beginning, async (tx, due, ahead) => {
    taken.push(...due);
    return due.length > 0 ? runSteps(tx, services, due, ahead ?? []) : NOTHING_TO_RUN;
  });
  ran.send(rows);
  return { followedAtOnce: ran.followedAtOnce };
}

/** The work of one step: whom to notify, which step follows, and what to add to the timeline. */
type Intent = {
  due: DueStep;
  group: RecipientGroup;
  next(started: RunsStarted): { step: Step; afterMs: number; otherwise?: Step } | null;
  events(started: RunsStarted): PageEvent[];
  /** Whether nobody who was notified can answer. */
  hopeless(started: RunsStarted): boolean;
};

/** What to do after the commit, with what was read then, and whether steps were scheduled that are due at once. */
type Ran = { send(rows: readonly object[] | null): void; followedAtOnce: boolean };

const NOTHING_TO_RUN: Ending<Ran, object> = {
  result: { send: () => undefined, followedAtOnce: false },
  last: [],
  after: null,
};

async function runSteps(
  tx: Tx,
  services: StepServices,
  taken: readonly DueStep[],
  ahead: readonly OnCallRow[],
): Promise<Ending<Ran, object>> {
  const at = taken[0]?.now ?? (await services.clock.now(tx));
  // The state is read again under the lock, so an acknowledgement that was just committed stops the step.
  const open = await ripe(
    tx,
    taken.filter(({ page }) => page.state === 'notifying'),
    at,
  );
  const over = taken.filter(({ page }) => page.state !== 'notifying');
  const assignees = await assigneesOf(
    tx,
    open.filter(({ step }) => step.kind === 'person').map(({ page }) => page.id),
  );
  const decided = await decideSteps(tx, services, open, { ahead, at, assignees });
  const { intents, prepared, next, events, hopeless, followedAtOnce } = decided;
  const { statements, read, send } = await prepared.storing(tx);
  const last = [
    ...finishingSteps(over, 'cancelled', at),
    ...finishingSteps(open, 'done', at),
    ...settingRounds(open),
    ...processingRequests(requestsOf(intents), at),
    ...[...statements(), ...schedulingSteps(next), ...addingEvents(events)],
  ];
  const result = { send, followedAtOnce };
  if (hopeless.length === 0) return { result, last, after: read };
  await together(
    tx,
    last.map((one) => (side: Tx) => one.execute(side)),
  );
  for (const { due } of hopeless) await goOn(tx, { ...due.page, round: due.step.round }, at);
  return { result, last: [], after: read };
}

/** What steps of different pages do, before anything of it is stored. */
type Decided = {
  intents: Intent[];
  prepared: Prepared;
  next: NewStep[];
  events: PageAndEvent[];
  /** Steps after which nobody who was notified can answer. */
  hopeless: Intent[];
  /** Whether steps follow that are due at once. */
  followedAtOnce: boolean;
};

/** What was read for steps before they are decided. `assignees`: the people to whom pages were reassigned, by page. */
export type ReadForSteps = {
  ahead: readonly OnCallRow[];
  at: Temporal.Instant;
  assignees?: ReadonlyMap<string, readonly string[]>;
};

/** Decides steps of different pages, and stores nothing. */
export async function decideSteps(
  tx: Tx,
  services: Deciding,
  open: readonly DueStep[],
  { ahead, at, assignees = new Map() }: ReadForSteps,
): Promise<Decided> {
  const escalations = createEscalations(tx, services.means, ahead, at);
  const intents: Intent[] = [];
  for (const due of open) {
    const people = due.step.kind === 'person' ? assignees.get(due.page.id) : undefined;
    intents.push(
      people ? assignedIntent(due, people, at) : await intentOf(tx, services, due, escalations, at),
    );
  }
  const groups = intents.map(({ group }) => group);
  const prepared = await services.notifier.prepare(tx, groups, at, await escalations.notifiable());
  const outcomes = intents.map((intent, index) => ({ intent, runs: prepared.runs[index] as RunsStarted }));
  const next = outcomes.flatMap(({ intent, runs }) => nextOf(intent, runs, at));
  const events = outcomes.flatMap(({ intent, runs }) =>
    intent.events(runs).map((event) => ({ page: intent.due.page, event })),
  );
  const hopeless = outcomes.flatMap(({ intent, runs }) => (intent.hopeless(runs) ? [intent] : []));
  const dueNow = next.some(({ dueAt }) => Temporal.Instant.compare(dueAt, at) <= 0);
  return { intents, prepared, next, events, hopeless, followedAtOnce: dueNow || hopeless.length > 0 };
}

/** The escalations of teams, each read once for all steps of a transaction. */
type Escalations = {
  of(team: PagedTeam): Promise<ReadEscalation>;
  /** How the people of these escalations are notified. */
  notifiable(): Promise<Notifiable[]>;
};

function createEscalations(
  tx: Tx,
  means: Means,
  ahead: readonly OnCallRow[],
  at: Temporal.Instant,
): Escalations {
  const known = new Map<string, Promise<ReadEscalation>>();
  const [early] = ahead;
  const isRecent = early !== undefined && at.since(early.at).total('milliseconds') < RECENT_MS;
  const read = (team: PagedTeam) =>
    isRecent && early.teamId === team.teamId
      ? escalationOf(tx, means, team.teamId, teamOnCallIn(ahead))
      : readEscalation(tx, means, team, at);
  return {
    of(team) {
      const escalation = known.get(team.teamId) ?? read(team);
      known.set(team.teamId, escalation);
      return escalation;
    },
    notifiable: async () => (await Promise.all(known.values())).flatMap((one) => one.notifiable),
  };
}

function requestsOf(intents: readonly Intent[]): string[] {
  return intents
    .filter(({ group }) => group.type === 'page.notification')
    .map(({ due }) => due.page.requestId);
}

/**
 * After a stall, the step `expire` may be due together with notifications that should have been sent long before. Such
 * a page does not expire yet: the late notifications are sent first, and their recipients get the usual time to answer.
 */
async function ripe(tx: Tx, due: readonly DueStep[], at: Temporal.Instant): Promise<DueStep[]> {
  const ending = due.filter(({ step }) => step.kind === 'expire');
  const late = await lateNotifications(
    tx,
    ending.map(({ page }) => page.id),
    at,
  );
  const early = new Set<DueStep>();
  for (const one of ending) {
    const until = late.get(one.page.id)?.add({ milliseconds: personGraceMs(one.page.urgency) });
    if (!until || Temporal.Instant.compare(until, at) <= 0) continue;
    await putOffStep(tx, one.id, until);
    early.add(one);
  }
  return due.filter((one) => !early.has(one));
}

function nextOf(intent: Intent, runs: RunsStarted, at: Temporal.Instant) {
  const next = intent.next(runs);
  return next
    ? [{ page: intent.due.page, ...next, dueAt: at.add({ milliseconds: Math.round(next.afterMs) }) }]
    : [];
}

async function intentOf(
  tx: Tx,
  services: Deciding,
  due: DueStep,
  escalations: Escalations,
  at: Temporal.Instant,
): Promise<Intent> {
  if (due.step.kind === 'expire') return expireIntent(tx, services, due, at);
  if (due.page.kind === 'person') return personIntent(due, at);
  const teamId = due.page.teamId ?? '';
  // This step may replace one that failed repeatedly because of a damaged schedule, so it reads nobody's shifts.
  if (due.step.kind === 'members') return teamIntent(due, await membersAlone(tx, services.means, teamId), at);
  const { organizationId } = due.page;
  return teamIntent(due, await escalations.of({ organizationId, teamId }), at);
}

function teamIntent(due: DueStep, escalation: Escalation, at: Temporal.Instant): Intent {
  const { step } = due;
  const decision = decideTeamStep(step, due.page.urgency, escalation, due.page.lastRound);
  const gaps = decision.gaps.map(
    (stage): PageEvent => ({ at, kind: 'gap', data: { stage, round: step.round } }),
  );
  return {
    due,
    group: groupOf(due, decision.notify, 'page.notification'),
    // A round that began above the lowest stage, and that reached nobody there, comes to a step that it has run.
    next: () => ({
      ...decision.next,
      otherwise: stepBeyond(decision.next.step, due.page.urgency, escalation, due.page.lastRound),
    }),
    events: (runs) => [
      ...gaps,
      ...notifiedEvents(decision.notify, runs, step.round, at),
      ...runs.unreachable.map((userId) => unreachableEvent(userId, step.round, at)),
    ],
    hopeless: nobodyReachable,
  };
}

function personIntent(due: DueStep, at: Temporal.Instant): Intent {
  const recipients: Recipient[] = [
    { userId: due.page.userId ?? '', kind: 'person', stage: null, why: { reason: 'paged directly' } },
  ];
  return {
    due,
    group: groupOf(due, recipients, 'page.notification'),
    next: ({ lastAfterMs }) => ({
      step: { kind: 'expire', stage: null, round: due.step.round },
      afterMs: lastAfterMs + personGraceMs(due.page.urgency),
    }),
    events: (runs) => notifiedEvents(recipients, runs, due.step.round, at),
    hopeless: nobodyReachable,
  };
}

/** A page that was reassigned to people: they are notified again. */
function assignedIntent(due: DueStep, userIds: readonly string[], at: Temporal.Instant): Intent {
  const { page, step } = due;
  const recipients = userIds.map(assigned);
  return {
    due,
    group: groupOf(due, recipients, 'page.notification'),
    next: ({ lastAfterMs }) => stepAfterPeople({ ...page, round: step.round }, lastAfterMs),
    events: (runs) => [
      ...notifiedEvents(recipients, runs, step.round, at),
      ...runs.unreachable.map((userId) => unreachableEvent(userId, step.round, at)),
    ],
    hopeless: nobodyReachable,
  };
}

async function expireIntent(tx: Tx, services: Deciding, due: DueStep, at: Temporal.Instant): Promise<Intent> {
  const { page } = due;
  await markExpired(tx, page.id, at);
  // Before the request, as in a claim of notifications, because the other order would deadlock with one.
  await services.notifier.cancel(tx, page.id, at);
  const message = stored('The page expired before a provider accepted any notification of it.');
  await requestsFinished(tx, at, [{ id: page.requestId, status: 'failed', message, error: null }]);
  const teamId = page.teamId ?? (await teamOfSource(tx, page.id));
  const members = teamId === null ? [] : await teamMemberIds(tx, teamId);
  const why = { reason: 'nobody acknowledged the page: every member of the team is notified' };
  const recipients = members.map((userId): Recipient => ({ userId, kind: 'expired', stage: null, why }));
  return {
    due,
    group: groupOf(due, recipients, 'page.expired'),
    next: () => null,
    events: () => [{ at, kind: 'expired', data: { round: due.step.round, told: members } }],
    hopeless: () => false,
  };
}

function groupOf(
  due: DueStep,
  recipients: readonly Recipient[],
  type: RecipientGroup['type'],
): RecipientGroup {
  const state = type === 'page.expired' ? ('expired' as const) : due.page.state;
  const page = { ...due.page, state, round: due.step.round };
  return { page, recipients, type, isFirst: !due.hasNotified, mayRepeat: due.mayRepeat };
}

function nobodyReachable({ canAnswer }: RunsStarted): boolean {
  return !canAnswer;
}

/** The event of a step that notified these people; none if it had notified all of them before. */
function notifiedEvents(
  recipients: readonly Recipient[],
  { userIds }: RunsStarted,
  round: number,
  at: Temporal.Instant,
): PageEvent[] {
  const people = recipients
    .filter(({ userId }) => userIds.includes(userId))
    .map(({ userId, kind, stage, why }) => ({ user_id: userId, as: kind, stage, why }));
  return people.length === 0 ? [] : [{ at, kind: 'notified', data: { round, people } }];
}

function unreachableEvent(userId: string, round: number, at: Temporal.Instant): PageEvent {
  return { at, kind: 'unreachable', userId, data: { round } };
}
