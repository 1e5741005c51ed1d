import type { Tx } from '../db/database.ts';
import type { MomentState } from './contract.ts';
import { lockMoment, markAcknowledged, markResolved } from './people-store.ts';

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
