import type { Tx } from '../db/database.ts';
import type { MomentState } from './contract.ts';
import { reopened } from './follow-up.ts';
import { queueChanged } from './program-events.ts';
import {
  knownEnds,
  type LockedEnd,
  lockEnd,
  lockMoment,
  markAcknowledged,
  markReopened,
  markResolved,
} from './store.ts';

export type MomentActor = { organizationId: string; userId: string };

/** Whether it changed anything, and the previous state; null if there is no such moment. */
export type MomentResult = { changed: boolean; was: MomentState } | null;

/** A person acknowledges an open moment. Moments page nobody, so nothing else ends with it. */
export async function acknowledgeMoment(
  tx: Tx,
  at: Temporal.Instant,
  { organizationId, userId }: MomentActor,
  momentId: string,
): Promise<MomentResult> {
  const moment = await lockMoment(tx, organizationId, momentId);
  if (!moment) return null;
  const changed = moment.state === 'open';
  if (changed) {
    await markAcknowledged(tx, at, momentId, userId);
    await queueChanged(tx, at, { organizationId, userId }, momentId, moment.state);
  }
  return { changed, was: moment.state };
}

/** A person resolves a moment. A later report of the same problem opens a new moment. */
export async function resolveMoment(
  tx: Tx,
  at: Temporal.Instant,
  { organizationId, userId }: MomentActor,
  momentId: string,
): Promise<MomentResult> {
  const moment = await lockMoment(tx, organizationId, momentId);
  if (!moment) return null;
  const changed = moment.state !== 'resolved';
  if (changed) {
    await markResolved(tx, at, momentId, userId);
    await queueChanged(tx, at, { organizationId, userId }, momentId, moment.state);
  }
  return { changed, was: moment.state };
}

/** `newer`: the same problem has a newer moment, which counts. */
export type ReopenResult = 'reopened' | 'reopened_after_its_sender' | 'not_over' | 'newer' | null;

/** A person reopens a moment. Null if there is no such moment. */
export async function reopenMoment(
  tx: Tx,
  at: Temporal.Instant,
  { organizationId, userId }: MomentActor,
  momentId: string,
): Promise<ReopenResult> {
  const moment = await lockEnd(tx, organizationId, momentId);
  if (!moment) return null;
  if (moment.state !== 'resolved') return 'not_over';
  if (moment.hasNewer) return 'newer';
  const next = reopened(moment, await endSince(tx, moment));
  await markReopened(tx, at, momentId, userId, next);
  await queueChanged(tx, at, { organizationId, userId }, momentId, moment.state);
  return next.endedBySender ? 'reopened_after_its_sender' : 'reopened';
}

/** An end that the sender reported while the moment was not open. */
async function endSince(tx: Tx, { webhookId, dedupKey }: LockedEnd): Promise<Temporal.Instant | null> {
  if (webhookId === null || dedupKey === null) return null;
  const ends = await knownEnds(tx, [{ webhookId, dedupKey }]);
  return [...ends.values()][0]?.endedAt ?? null;
}
