import type { Tx } from '../db/database.ts';
import type { MomentState } from './contract.ts';
import { knownEnds } from './ends-store.ts';
import { reopened } from './follow-up.ts';
import {
  type LockedEnd,
  lockEnd,
  lockMoment,
  markAcknowledged,
  markReopened,
  markResolved,
} from './people-store.ts';

export type MomentActor = { organizationId: string; userId: string };

/** Whether it changed anything, and the state before; null when there is no such moment. */
export type MomentResult = { changed: boolean; was: MomentState } | null;

/** A person is looking after an open moment. Moments page nobody, so that nothing else ends by it. */
export async function acknowledgeMoment(
  tx: Tx,
  at: Temporal.Instant,
  { organizationId, userId }: MomentActor,
  momentId: string,
): Promise<MomentResult> {
  const moment = await lockMoment(tx, organizationId, momentId);
  if (!moment) return null;
  const changed = moment.state === 'open';
  if (changed) await markAcknowledged(tx, at, momentId, userId);
  return { changed, was: moment.state };
}

/** It is over, as a person says. What the sender says later about the same trouble is a new moment. */
export async function resolveMoment(
  tx: Tx,
  at: Temporal.Instant,
  { organizationId, userId }: MomentActor,
  momentId: string,
): Promise<MomentResult> {
  const moment = await lockMoment(tx, organizationId, momentId);
  if (!moment) return null;
  const changed = moment.state !== 'resolved';
  if (changed) await markResolved(tx, at, momentId, userId);
  return { changed, was: moment.state };
}

/** `newer`: the same thing has another moment by now, which is the one that counts. */
export type ReopenResult = 'reopened' | 'reopened_after_its_sender' | 'not_over' | 'newer' | null;

/** It is not over, whoever said so; null when there is no such moment. */
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
  return next.endedBySender ? 'reopened_after_its_sender' : 'reopened';
}

/** What its sender said about its end while no moment of it was open. */
async function endSince(tx: Tx, { webhookId, dedupKey }: LockedEnd): Promise<Temporal.Instant | null> {
  if (webhookId === null || dedupKey === null) return null;
  const ends = await knownEnds(tx, [{ webhookId, dedupKey }]);
  return [...ends.values()][0]?.endedAt ?? null;
}
