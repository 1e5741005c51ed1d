import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { requestFinished, requestProcessing } from '../requests/store.ts';
import { teamOnCall } from '../schedules/oncall.ts';
import { type Decision, decideTeamStep, type Ladder, personGraceMs, type Recipient } from './escalation.ts';
import type { Notifier } from './notifier.ts';
import {
  addEvents,
  type DueStep,
  finishStep,
  lockPage,
  markExpired,
  type PageEvent,
  type PageRow,
  reachableMembers,
  scheduleStep,
  setRound,
  takeDueStep,
  teamMemberIds,
} from './store.ts';
import { goOn } from './unreachable.ts';

export type StepServices = { db: Database; clock: Clock; notifier: Notifier };

/**
 * Runs the step that has been due longest: whom to notify, what comes next, and the timeline, all in one transaction.
 * Returns the step's id, or null when nothing is due. A throw carries the step in `StepFailure`.
 */
export async function runDueStep(services: StepServices): Promise<DueStep | null> {
  let taken: DueStep | null = null;
  try {
    const send = await services.db.transaction().execute(async (tx) => {
      taken = await takeDueStep(tx, services.clock);
      if (!taken) return null;
      return runStep(tx, services, taken);
    });
    send?.();
    return taken;
  } catch (error) {
    if (taken) throw new StepFailure(taken, error);
    throw error;
  }
}

/** A step that could not be run; nothing of it was done. */
export class StepFailure extends Error {
  readonly due: DueStep;

  constructor(due: DueStep, cause: unknown) {
    super(`step ${due.id} of ${due.pageId} failed: ${(cause as Error).message}`, { cause });
    this.due = due;
  }
}

async function runStep(tx: Tx, services: StepServices, due: DueStep): Promise<(() => void) | null> {
  const at = await services.clock.now(tx);
  const page = await lockPage(tx, due.pageId);
  // Decided from the page's state as it is now: whoever acknowledged a moment ago has the last word.
  if (page?.state !== 'notifying') {
    await finishStep(tx, due.id, 'cancelled', at);
    return null;
  }
  await finishStep(tx, due.id, 'done', at);
  if (due.step.round > page.round) await setRound(tx, page.id, due.step.round);
  const current = { ...page, round: due.step.round };
  if (due.step.kind === 'expire') return expirePage(tx, services, current, at);
  if (page.kind === 'person') return notifyPerson(tx, services, current, at);
  return notifyTeam(tx, services, current, due, at);
}

async function notifyTeam(
  tx: Tx,
  services: StepServices,
  page: PageRow,
  due: DueStep,
  at: Temporal.Instant,
): Promise<() => void> {
  const decision = decideTeamStep(due.step, page.urgency, await readLadder(tx, page, at));
  const started = await services.notifier.start(tx, page, decision.notify, at, 'page.notification');
  await scheduleStep(
    tx,
    page,
    decision.next.step,
    at.add({ milliseconds: Math.round(decision.next.afterMs) }),
  );
  await addEvents(tx, page, stepEvents(decision, started, due, at));
  // Nobody of these can be reached at all: the next step does not wait for an answer that cannot come.
  const hopeless =
    decision.notify.length === 0 ||
    (started.userIds.length > 0 && started.userIds.length === started.unreachable.length);
  if (hopeless) await goOn(tx, page, at);
  return started.send;
}

async function notifyPerson(
  tx: Tx,
  services: StepServices,
  page: PageRow,
  at: Temporal.Instant,
): Promise<() => void> {
  const recipient: Recipient = {
    userId: page.userId ?? '',
    kind: 'person',
    stage: null,
    why: { reason: 'paged directly' },
  };
  const started = await services.notifier.start(tx, page, [recipient], at, 'page.notification');
  await requestProcessing(tx, page.requestId, at);
  const afterMs = started.lastAfterMs + personGraceMs(page.urgency);
  await scheduleStep(
    tx,
    page,
    { kind: 'expire', stage: null, round: page.round },
    at.add({ milliseconds: afterMs }),
  );
  await addEvents(tx, page, [notifiedEvent([recipient], { kind: 'person', stage: null, round: 1 }, at)]);
  if (started.unreachable.length > 0) await goOn(tx, page, at);
  return started.send;
}

async function expirePage(
  tx: Tx,
  services: StepServices,
  page: PageRow,
  at: Temporal.Instant,
): Promise<() => void> {
  await markExpired(tx, page.id, at);
  await requestFinished(
    tx,
    page.requestId,
    at,
    'failed',
    'The page expired before any notification of it was accepted by a provider.',
  );
  await services.notifier.cancel(tx, page.id, at);
  const members = page.teamId ? await teamMemberIds(tx, page.teamId) : [];
  const why = { reason: 'nobody acknowledged the page: every member of the team is told' };
  const recipients = members.map((userId): Recipient => ({ userId, kind: 'expired', stage: null, why }));
  const started = await services.notifier.start(
    tx,
    { ...page, state: 'expired' },
    recipients,
    at,
    'page.expired',
  );
  await addEvents(tx, page, [{ at, kind: 'expired', data: { round: page.round, told: members } }]);
  return started.send;
}

function stepEvents(
  decision: Decision,
  started: { userIds: string[]; unreachable: string[] },
  due: DueStep,
  at: Temporal.Instant,
): PageEvent[] {
  const events: PageEvent[] = decision.gaps.map((stage) => ({
    at,
    kind: 'gap',
    data: { stage, round: due.step.round },
  }));
  events.push(notifiedEvent(decision.notify, due.step, at));
  for (const userId of started.unreachable)
    events.push({ at, kind: 'unreachable', userId, data: { round: due.step.round } });
  return events;
}

function notifiedEvent(recipients: Recipient[], step: DueStep['step'], at: Temporal.Instant): PageEvent {
  const people = recipients.map(({ userId, kind, stage, why }) => ({
    user_id: userId,
    as: kind,
    stage,
    why,
  }));
  return { at, kind: 'notified', data: { round: step.round, people } };
}

async function readLadder(tx: Tx, page: PageRow, at: Temporal.Instant): Promise<Ladder> {
  const teamId = page.teamId ?? '';
  const oncall = await teamOnCall(tx, page.organizationId, teamId, at);
  const backstops = oncall.backstops.map((backstop) => ({
    userId: backstop.userId,
    why: { reason: 'backstop', schedule: backstop.scheduleName },
  }));
  const stages = oncall.stages.map((stage) => ({
    stage: stage.stage,
    escalateAfterMs: stage.escalateAfterMs,
    people: stage.people.map((person) => ({
      userId: person.userId,
      away: person.away !== null,
      why: whyOnCall(person),
    })),
  }));
  const empty = backstops.length === 0 && stages.every((stage) => stage.people.length === 0);
  return { stages, backstops, members: empty ? await reachableMembers(tx, teamId) : [] };
}

function whyOnCall(person: {
  scheduleName: string;
  shiftId: string;
  shiftEndsAt: Temporal.Instant;
  away: { name: string; until: Temporal.Instant } | null;
}): Record<string, unknown> {
  const why: Record<string, unknown> = {
    reason: 'on call',
    schedule: person.scheduleName,
    shift_id: person.shiftId,
    until: person.shiftEndsAt.toString({ fractionalSecondDigits: 3 }),
  };
  return person.away
    ? {
        ...why,
        away: person.away.name,
        away_until: person.away.until.toString({ fractionalSecondDigits: 3 }),
      }
    : why;
}
