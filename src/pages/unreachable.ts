import type { Tx } from '../db/database.ts';
import { stored } from '../language/contract.ts';
import { requestsFinished } from '../requests/store.ts';
import type { Step } from './escalation.ts';
import { finishSteps, hastenStep, nextStepOf, scheduleSteps } from './step-store.ts';
import {
  addEvent,
  anyoneReachable,
  giveToTeam,
  lastStageNotified,
  lockPage,
  type PageRow,
  stepReachable,
  teamOfSource,
} from './store.ts';

const TO_TEAM_OF_SOURCE = stored(
  'The person could not be reached by any contact method. The team of the source is paged instead.',
);
const NOBODY = stored(
  'Nobody could be reached: every contact method of every recipient was tried, and none worked.',
);

/** Escalates at once if no contact method of a person works and nobody else of the step can be reached. */
export async function personUnreachable(
  tx: Tx,
  pageId: string,
  responderId: number,
  at: Temporal.Instant,
): Promise<void> {
  const page = await lockPage(tx, pageId);
  if (page?.state !== 'notifying' || (await stepReachable(tx, responderId))) return;
  await goOn(tx, page, at);
}

/**
 * Runs the next step at once, because none of the people of the latest step can be reached. The page still expires at
 * its planned time if somebody else was reached in this round; a page to a person, if somebody was reached in any round. A round that reached nobody ends with the rest of the
 * team. If no round reached anybody, the request of the page fails, and the page expires at once.
 */
export async function goOn(tx: Tx, page: PageRow, at: Temporal.Instant): Promise<void> {
  const next = await nextStepOf(tx, page.id);
  if (!next) return;
  const roundOver = next.step.kind === 'expire' || next.step.round > page.round;
  if (!roundOver || (await anyoneReachable(tx, page.id, page.round))) {
    if (next.step.kind !== 'expire') await hastenStep(tx, page.id, at);
    return;
  }
  if (page.kind === 'team' && (await notifyTheRest(tx, page, next, at))) return;
  if (page.kind === 'person' && (await giveToTeamOfSource(tx, page, next, at))) return;
  if (await anyoneReachable(tx, page.id, null)) {
    if (page.kind === 'team' || next.step.kind !== 'expire') await hastenStep(tx, page.id, at);
    return;
  }
  await requestsFinished(tx, at, [{ id: page.requestId, status: 'failed', message: NOBODY, error: null }]);
  await addEvent(tx, page, { at, kind: 'failed', data: { message: NOBODY } });
  if (next.step.kind === 'expire') await hastenStep(tx, page.id, at);
  else {
    await finishSteps(tx, [next], 'cancelled', at);
    await scheduleSteps(tx, [{ page, step: { kind: 'expire', stage: null, round: page.round }, dueAt: at }]);
  }
}

/**
 * Notifies the people of the team who were not notified in this round: first the stages above and the backstop, to
 * which a page of low urgency does not escalate by itself; then the stages from the lowest on, because this round may
 * have begun above them; and finally every member. False if all of them were already notified.
 */
async function notifyTheRest(
  tx: Tx,
  page: PageRow,
  next: { id: number; step: Step },
  at: Temporal.Instant,
): Promise<boolean> {
  const members: Step = { kind: 'members', stage: null, round: page.round };
  const lowest: Step = { kind: 'stage', stage: null, round: page.round };
  const above = page.urgency === 'low' ? [await stepAfterLastStage(tx, page)] : [];
  // A page that was reassigned to people returns to its team.
  const rest = [...(next.step.kind === 'person' ? [] : above), lowest, members];
  for (const step of rest)
    if ((await scheduleSteps(tx, [{ page, step, dueAt: at }])) > 0) {
      await finishSteps(tx, [next], 'cancelled', at);
      return true;
    }
  return false;
}

/**
 * Gives a page that a source raised for a person to the team of the source, because that person cannot be reached. The
 * sender cannot be refused, and it does not look at the status of its requests. False if no source raised the page.
 */
async function giveToTeamOfSource(
  tx: Tx,
  page: PageRow,
  next: { id: number },
  at: Temporal.Instant,
): Promise<boolean> {
  const teamId = await teamOfSource(tx, page.id);
  if (teamId === null) return false;
  await giveToTeam(tx, page.id, teamId);
  await scheduleSteps(tx, [{ page, step: { kind: 'stage', stage: null, round: page.round }, dueAt: at }]);
  await finishSteps(tx, [next], 'cancelled', at);
  await addEvent(tx, page, { at, kind: 'failed', data: { message: TO_TEAM_OF_SOURCE } });
  return true;
}

/** The step after the highest stage that was notified in this round. */
export async function stepAfterLastStage(tx: Tx, page: Pick<PageRow, 'id' | 'round'>): Promise<Step> {
  const last = await lastStageNotified(tx, page.id, page.round);
  return last === null
    ? { kind: 'backstop', stage: null, round: page.round }
    : { kind: 'stage', stage: last + 1e-6, round: page.round };
}
