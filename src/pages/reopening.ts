import type { Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import { type ActionResult, type ActionServices, act } from './actions.ts';
import { type Actor, acted } from './actor.ts';
import { firstStep } from './beginning.ts';
import { UNDO_SECONDS } from './contract.ts';
import { openPageOfSameKey } from './keyed-store.ts';
import type { Unsent } from './notifier.ts';
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

/** Un-acknowledges a page, which starts a new round with the people to whom it was reassigned, or who are on call now. */
export async function unacknowledgePage(
  services: ActionServices,
  pageId: string,
  actor: Actor,
): Promise<ActionResult> {
  return act(services, pageId, async (tx, page, at) => {
    if (!nextState(page.state, 'unacknowledge')) return false;
    await beginAgain(tx, services, page, at);
    await addEvent(tx, page, { at, kind: 'unacknowledged', userId: actor.userId, data: acted(actor) });
    return true;
  });
}

/** Reopens a resolved or expired page, and notifies the people to whom it was reassigned, or who are on call now. */
export async function reopenPage(
  services: ActionServices,
  pageId: string,
  actor: Actor,
): Promise<ActionResult> {
  return act(services, pageId, async (tx, page, at) => {
    if (!nextState(page.state, 'reopen')) return false;
    await refuseSecond(tx, page);
    await beginAgain(tx, services, page, at);
    await addEvent(tx, page, { at, kind: 'reopened', userId: actor.userId, data: acted(actor) });
    return true;
  });
}

/**
 * Undoes the last acknowledgement or resolution, within `UNDO_SECONDS` and only for the person who made it. The steps
 * and deliveries that it cancelled are due again at the same times as before.
 */
export async function undoAnswer(
  services: ActionServices,
  pageId: string,
  actor: Actor,
): Promise<ActionResult> {
  return act(services, pageId, async (tx, page, at) => {
    const answer = answerOf(page);
    if (!answer || answer.by === null || answer.by !== actor.userId) return false;
    if (at.since(answer.at).total('seconds') > UNDO_SECONDS) return false;
    const before =
      (await stateBeforeAnswer(tx, page.id)) ?? (page.acknowledgedAt ? 'acknowledged' : 'notifying');
    const state = undoneState(page.state, before) ?? 'notifying';
    if (page.state === 'resolved') await refuseSecond(tx, page);
    await markUndone(tx, page.id, state);
    await services.notifier.resume(tx, page.id, answer.at, at);
    // A page that notifies needs a step, and this one may have had none.
    if (state === 'notifying' && (await resumeSteps(tx, page.id, answer.at)) === 0)
      await beginAgain(tx, services, page, at);
    // Nothing has followed what failed while the page was answered.
    else await services.notifier.failOver(tx, page.id, answer.at, at);
    await addEvent(tx, page, {
      at,
      kind: 'undone',
      userId: actor.userId,
      data: { ...acted(actor), what: answer.what },
    });
    return true;
  });
}

/** Only one page of a dedup key may be open. @throws Fault 409 if the key has raised another page that is open */
async function refuseSecond(tx: Tx, page: PageRow): Promise<void> {
  const newer = await openPageOfSameKey(tx, page.id);
  if (newer !== null)
    throw new Fault('conflict', [
      {
        field: 'page',
        message: t('cannot be reopened, because {newer} is open for the same alert; act on that page', {
          newer,
        }),
      },
    ]);
}

type Answer = { what: 'acknowledgement' | 'resolution'; by: string | null; at: Temporal.Instant };

function answerOf(page: PageRow): Answer | null {
  if (page.state === 'resolved' && page.resolvedAt)
    return { what: 'resolution', by: page.resolvedBy, at: page.resolvedAt };
  if (page.state === 'acknowledged' && page.acknowledgedAt)
    return { what: 'acknowledgement', by: page.acknowledgedBy, at: page.acknowledgedAt };
  return null;
}

/** Makes a page notify its people in a new round. Returns the page in its new state. */
export async function beginAgain(
  tx: Tx,
  services: Pick<ActionServices, 'notifier'>,
  page: PageRow,
  at: Temporal.Instant,
): Promise<PageRow> {
  const again = await beginRound(tx, services, page, at);
  await scheduleSteps(tx, [{ page: again, step: await firstStep(tx, again), dueAt: at }]);
  return again;
}

/** Cancels the pending steps of a page and its deliveries (`which`), and makes it notify in a new round. */
export async function beginRound(
  tx: Tx,
  services: Pick<ActionServices, 'notifier'>,
  page: PageRow,
  at: Temporal.Instant,
  which?: Unsent,
): Promise<PageRow> {
  await cancelSteps(tx, page.id, at);
  await services.notifier.cancel(tx, page.id, at, which);
  const round = Math.max(page.round, await lastPlannedRound(tx, page.id)) + 1;
  return markNotifyingAgain(tx, page, round);
}
