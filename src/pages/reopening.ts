import type { Tx } from '../db/database.ts';
import { type ActionResult, type ActionServices, act, type Via } from './actions.ts';
import { UNDO_SECONDS } from './contract.ts';
import { cancelSteps, resumeSteps, scheduleSteps } from './step-store.ts';
import {
  addEvent,
  lastPlannedRound,
  markNotifyingAgain,
  markUndone,
  type PageRow,
  stateBeforeAnswer,
} from './store.ts';
import { nextState, undoneState } from './transitions.ts';

/** Takes an acknowledgement back: the page begins a round of its own with the people who are on call now. */
export async function unacknowledgePage(
  services: ActionServices,
  pageId: string,
  userId: string | null,
  via: Via,
): Promise<ActionResult> {
  return act(services, pageId, async (tx, page, at) => {
    if (!nextState(page.state, 'unacknowledge')) return false;
    await beginAgain(tx, services, page, at);
    await addEvent(tx, page, { at, kind: 'unacknowledged', userId, data: { via } });
    return true;
  });
}

/** What was resolved is not over, or what expired is to be handled after all: those on call now are notified. */
export async function reopenPage(
  services: ActionServices,
  pageId: string,
  userId: string | null,
  via: Via,
): Promise<ActionResult> {
  return act(services, pageId, async (tx, page, at) => {
    if (!nextState(page.state, 'reopen')) return false;
    await beginAgain(tx, services, page, at);
    await addEvent(tx, page, { at, kind: 'reopened', userId, data: { via } });
    return true;
  });
}

/**
 * Takes the last answer back as if it had not been given, within half a minute and only by the person who gave it: the
 * same steps and notifications are due at the same times as before.
 */
export async function undoAnswer(
  services: ActionServices,
  pageId: string,
  userId: string | null,
  via: Via,
): Promise<ActionResult> {
  return act(services, pageId, async (tx, page, at) => {
    const answer = answerOf(page);
    if (!answer || answer.by === null || answer.by !== userId) return false;
    if (at.since(answer.at).total('seconds') > UNDO_SECONDS) return false;
    const before =
      (await stateBeforeAnswer(tx, page.id)) ?? (page.acknowledgedAt ? 'acknowledged' : 'notifying');
    const state = undoneState(page.state, before) ?? 'notifying';
    await markUndone(tx, page.id, state);
    await services.notifier.resume(tx, page.id, answer.at, at);
    // What notifies has something to do, whatever became of its steps.
    if (state === 'notifying' && (await resumeSteps(tx, page.id, answer.at)) === 0)
      await beginAgain(tx, services, page, at);
    await addEvent(tx, page, { at, kind: 'undone', userId, data: { via, what: answer.what } });
    return true;
  });
}

type Answer = { what: 'acknowledgement' | 'resolution'; by: string | null; at: Temporal.Instant };

function answerOf(page: PageRow): Answer | null {
  if (page.state === 'resolved' && page.resolvedAt)
    return { what: 'resolution', by: page.resolvedBy, at: page.resolvedAt };
  if (page.state === 'acknowledged' && page.acknowledgedAt)
    return { what: 'acknowledgement', by: page.acknowledgedBy, at: page.acknowledgedAt };
  return null;
}

async function beginAgain(
  tx: Tx,
  services: ActionServices,
  page: PageRow,
  at: Temporal.Instant,
): Promise<void> {
  const again = await beginRound(tx, services, page, at);
  const kind = page.kind === 'team' ? 'stage' : 'person';
  await scheduleSteps(tx, [{ page: again, step: { kind, stage: null, round: again.round }, dueAt: at }]);
}

/** Ends what was to come of a page, and makes it notify in a round that nothing was planned for yet. */
export async function beginRound(
  tx: Tx,
  services: Pick<ActionServices, 'notifier'>,
  page: PageRow,
  at: Temporal.Instant,
): Promise<PageRow> {
  await cancelSteps(tx, page.id, at);
  await services.notifier.cancel(tx, page.id, at);
  const round = Math.max(page.round, await lastPlannedRound(tx, page.id)) + 1;
  return markNotifyingAgain(tx, page, round);
}
