import { isDatabaseAway } from '../db/away.ts';
import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { together } from '../db/together.ts';
import type { Log } from '../kit/log.ts';
import type { Means } from '../people/reachability.ts';
import { requestFinished, requestsProcessing } from '../requests/store.ts';
import {
  decideTeamStep,
  type Ladder,
  personGraceMs,
  type Recipient,
  type Step,
  stepAfterPeople,
} from './escalation.ts';
import { reachableMembers, readLadder } from './ladder.ts';
import type { Asking, Notifier, RunsStarted } from './notifier.ts';
import {
  anyFailedBefore,
  type DueStep,
  finishSteps,
  lateNotifications,
  postponeStep,
  putOffStep,
  scheduleSteps,
  setRounds,
  takeDueSteps,
} from './step-store.ts';
import { addEvents, assigneesOf, markExpired, type PageEvent, teamMemberIds } from './store.ts';
import { askEverybodyInstead, isStuck } from './stuck.ts';
import { goOn } from './unreachable.ts';

export type StepServices = { db: Database; clock: Clock; notifier: Notifier; log: Log; means: Means };

/** A step that cannot be run is tried again after this long: soon, because somebody waits to be woken. */
const RETRY_MS = 1_000;

/**
 * Runs the steps that have been due longest: whom to notify, what comes next, and the timelines, all in one
 * transaction. Returns how many there were. When one of them fails, each is tried alone, and only the one that fails
 * again is put off. From then on it runs apart from the others, one such step for each time that the healthy ones had
 * their turn: however many fail, nobody waits for them.
 */
export async function runDueSteps(services: StepServices, limit: number): Promise<number> {
  const healthy = await runSome(services, { limit, failedBefore: false });
  if (!(await anyFailedBefore(services.db, services.clock))) return healthy;
  return healthy + (await runSome(services, { limit: 1, failedBefore: true }));
}

async function runSome(
  services: StepServices,
  which: { limit: number; failedBefore: boolean },
): Promise<number> {
  if (!(await services.notifier.room())) return 0;
  const taken: DueStep[] = [];
  try {
    await runTogether(services, (tx) => takeDueSteps(tx, services.clock, which), taken);
  } catch (error) {
    if (isDatabaseAway(error) || taken.length === 0) throw error;
    for (const due of taken) await runAlone(services, due);
  }
  return taken.length;
}

async function runAlone(services: StepServices, due: DueStep): Promise<void> {
  try {
    await runTogether(services, (tx) => takeDueSteps(tx, services.clock, { limit: 1, id: due.id }), []);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    services.log.error(
      { err: error, step: due.id, page: due.page.id },
      'a step failed and will be tried again',
    );
    if (isStuck(due) && (await askEverybodyInstead(services, due.id))) return;
    await postponeStep(services.db, services.clock, due.id, RETRY_MS);
  }
}

async function runTogether(
  services: StepServices,
  take: (tx: Tx) => Promise<DueStep[]>,
  taken: DueStep[],
): Promise<void> {
  const send = await services.db.transaction().execute(async (tx) => {
    taken.push(...(await take(tx)));
    return taken.length > 0 ? runSteps(tx, services, taken) : null;
  });
  send?.();
}

/** What one step wants: people to ask, what to do next, and what to write into the timeline. */
type Intent = {
  due: DueStep;
  asking: Asking;
  next(started: RunsStarted): { step: Step; afterMs: number } | null;
  events(started: RunsStarted): PageEvent[];
  /** Nobody who was asked can answer. */
  hopeless(started: RunsStarted): boolean;
};

async function runSteps(tx: Tx, services: StepServices, taken: readonly DueStep[]): Promise<() => void> {
  const at = taken[0]?.now ?? (await services.clock.now(tx));
  // Decided from each page's state as it is now: whoever acknowledged a moment ago has the last word.
  const open = await ripe(
    tx,
    taken.filter(({ page }) => page.state === 'notifying'),
    at,
  );
  const over = taken.filter(({ page }) => page.state !== 'notifying');
  const [intents] = await together(tx, [
    (side) => intentsOf(side, services, open, at),
    (side) => finishSteps(side, over, 'cancelled', at),
    (side) => finishSteps(side, open, 'done', at),
    (side) => setRounds(side, open),
  ]);
  const askings = intents.map(({ asking }) => asking);
  const [prepared] = await together(tx, [
    (side) => services.notifier.prepare(side, askings, at),
    (side) => requestsProcessing(side, requestsOf(intents), at),
  ]);
  const outcomes = intents.map((intent, index) => ({ intent, runs: prepared.runs[index] as RunsStarted }));
  const next = outcomes.flatMap(({ intent, runs }) => nextOf(intent, runs, at));
  const events = outcomes.flatMap(({ intent, runs }) =>
    intent.events(runs).map((event) => ({ page: intent.due.page, event })),
  );
  await together(tx, [
    (side) => prepared.write(side),
    (side) => scheduleSteps(side, next),
    (side) => addEvents(side, events),
  ]);
  for (const { intent, runs } of outcomes)
    if (intent.hopeless(runs)) await goOn(tx, { ...intent.due.page, round: intent.due.step.round }, at);
  return prepared.send;
}

async function intentsOf(
  tx: Tx,
  services: StepServices,
  open: readonly DueStep[],
  at: Temporal.Instant,
): Promise<Intent[]> {
  const ladders = new Map<string, Promise<Ladder>>();
  const intents: Intent[] = [];
  for (const due of open) intents.push(await intentOf(tx, services, due, ladders, at));
  return intents;
}

function requestsOf(intents: readonly Intent[]): string[] {
  return intents
    .filter(({ asking }) => asking.type === 'page.notification')
    .map(({ due }) => due.page.requestId);
}

/**
 * After a stall the end of a page is due together with notifications that should have left long before. The page was given
 * up only when those were used up: they leave, and whoever gets them has the usual time to answer.
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
    ? [{ page: intent.due.page, step: next.step, dueAt: at.add({ milliseconds: Math.round(next.afterMs) }) }]
    : [];
}

async function intentOf(
  tx: Tx,
  services: StepServices,
  due: DueStep,
  ladders: Map<string, Promise<Ladder>>,
  at: Temporal.Instant,
): Promise<Intent> {
  if (due.step.kind === 'expire') return expireIntent(tx, services, due, at);
  if (due.page.kind === 'person') return personIntent(due, at);
  if (due.step.kind === 'person') return assignedIntent(due, await assigneesOf(tx, due.page.id), at);
  const teamId = due.page.teamId ?? '';
  // Asked instead of a step that cannot be run: the schedules may be why.
  if (due.step.kind === 'members') return teamIntent(due, await membersAlone(tx, services.means, teamId), at);
  const team = { organizationId: due.page.organizationId, teamId };
  const ladder = ladders.get(teamId) ?? readLadder(tx, services.means, team, at);
  ladders.set(teamId, ladder);
  return teamIntent(due, await ladder, at);
}

async function membersAlone(tx: Tx, means: Means, teamId: string): Promise<Ladder> {
  return { stages: [], backstops: [], members: await reachableMembers(tx, means, teamId) };
}

function teamIntent(due: DueStep, ladder: Ladder, at: Temporal.Instant): Intent {
  const { step } = due;
  const decision = decideTeamStep(step, due.page.urgency, ladder, due.page.lastRound);
  const gaps = decision.gaps.map(
    (stage): PageEvent => ({ at, kind: 'gap', data: { stage, round: step.round } }),
  );
  return {
    due,
    asking: asking(due, decision.notify, 'page.notification'),
    next: () => decision.next,
    events: ({ unreachable }) => [
      ...gaps,
      notifiedEvent(decision.notify, step.round, at),
      ...unreachable.map((userId) => unreachableEvent(userId, step.round, at)),
    ],
    hopeless: (runs) => decision.notify.length === 0 || nobodyReachable(runs),
  };
}

function personIntent(due: DueStep, at: Temporal.Instant): Intent {
  const recipients: Recipient[] = [
    { userId: due.page.userId ?? '', kind: 'person', stage: null, why: { reason: 'paged directly' } },
  ];
  return {
    due,
    asking: asking(due, recipients, 'page.notification'),
    next: ({ lastAfterMs }) => ({
      step: { kind: 'expire', stage: null, round: due.step.round },
      afterMs: lastAfterMs + personGraceMs(due.page.urgency),
    }),
    events: () => [notifiedEvent(recipients, due.step.round, at)],
    hopeless: nobodyReachable,
  };
}

/** A team's page that was given to people: they are asked again. */
function assignedIntent(due: DueStep, userIds: readonly string[], at: Temporal.Instant): Intent {
  const { page, step } = due;
  const recipients = userIds.map(
    (userId): Recipient => ({ userId, kind: 'added', stage: null, why: { reason: 'reassigned' } }),
  );
  return {
    due,
    asking: asking(due, recipients, 'page.notification'),
    next: ({ lastAfterMs }) => stepAfterPeople({ ...page, round: step.round }, lastAfterMs),
    events: ({ unreachable }) => [
      notifiedEvent(recipients, step.round, at),
      ...unreachable.map((userId) => unreachableEvent(userId, step.round, at)),
    ],
    hopeless: nobodyReachable,
  };
}

async function expireIntent(
  tx: Tx,
  services: StepServices,
  due: DueStep,
  at: Temporal.Instant,
): Promise<Intent> {
  const { page } = due;
  await markExpired(tx, page.id, at);
  await requestFinished(
    tx,
    page.requestId,
    at,
    'failed',
    'The page expired before a provider accepted any notification of it.',
  );
  await services.notifier.cancel(tx, page.id, at);
  const members = page.teamId ? await teamMemberIds(tx, page.teamId) : [];
  const why = { reason: 'nobody acknowledged the page: every member of the team is notified' };
  const recipients = members.map((userId): Recipient => ({ userId, kind: 'expired', stage: null, why }));
  return {
    due,
    asking: asking(due, recipients, 'page.expired'),
    next: () => null,
    events: () => [{ at, kind: 'expired', data: { round: due.step.round, told: members } }],
    hopeless: () => false,
  };
}

function asking(due: DueStep, recipients: readonly Recipient[], type: Asking['type']): Asking {
  const state = type === 'page.expired' ? ('expired' as const) : due.page.state;
  return { page: { ...due.page, state, round: due.step.round }, recipients, type, mayRepeat: due.mayRepeat };
}

function nobodyReachable({ userIds, unreachable }: RunsStarted): boolean {
  return userIds.length === unreachable.length;
}

function notifiedEvent(recipients: readonly Recipient[], round: number, at: Temporal.Instant): PageEvent {
  const people = recipients.map(({ userId, kind, stage, why }) => ({
    user_id: userId,
    as: kind,
    stage,
    why,
  }));
  return { at, kind: 'notified', data: { round, people } };
}

function unreachableEvent(userId: string, round: number, at: Temporal.Instant): PageEvent {
  return { at, kind: 'unreachable', userId, data: { round } };
}
