import { Fault } from '../kit/fault.ts';
import { intersects } from '../kit/interval.ts';
import { t } from '../language/contract.ts';
import type { AuditAction } from '../people/audit-contract.ts';
import { recordAudit } from '../people/store.ts';
import { isSeat, type Seated } from '../schedules/roster.ts';
import { type Acting, lockRota, type Rota, settleAfter, withTaker } from './acting.ts';
import type { OfferBody } from './api-contract.ts';
import { requireEligible } from './ineligibility-text.ts';
import { notifyOfCovers } from './notify.ts';
import {
  editCover,
  findShift,
  insertCover,
  liveCovers,
  type StoredCover,
  type StoredShift,
} from './store.ts';
import { type Done, lockCover, mustBeWaiting, onlyManagers, partOf } from './take.ts';

/** Locks the schedule of a shift. @throws Fault if the shift is unknown, a gap, or over */
export async function lockShift(
  acting: Acting,
  id: string,
): Promise<{ shift: StoredShift & { userId: string }; rota: Rota }> {
  const { tx, at, viewer } = acting;
  const found = await findShift(tx, viewer.organizationId, id);
  if (!found) throw unknownShift();
  const rota = await lockRota(acting, found.scheduleId);
  const shift = await findShift(tx, viewer.organizationId, id);
  if (!shift) throw unknownShift();
  const { userId } = shift;
  if (userId === null)
    throw new Fault('conflict', [
      {
        field: 'shift',
        message: t('is a gap, which nobody has; put somebody on call with an override instead'),
      },
    ]);
  if (shift.to <= at.epochMilliseconds)
    throw new Fault('conflict', [{ field: 'shift', message: t('has ended; past shifts cannot be changed') }]);
  return { shift: { ...shift, userId }, rota };
}

function unknownShift(): Fault {
  return new Fault('not_found', [
    {
      field: 'shift',
      message: t('is not a shift of your organization, or has changed; reload and try again'),
    },
  ]);
}

/** The person who has a shift, and people who manage the schedule, may give it away. */
export function mustOwn({ viewer }: Acting, userId: string, { manages }: Rota): void {
  if (userId !== viewer.userId && !manages)
    throw onlyManagers(
      t(
        "is managed by the team's managers, admins and owners; ask one of them to give away the shift of somebody else",
      ),
    );
}

/** Opens a cover for a shift, or a part of it, at somebody's request. */
export async function offerShift(
  acting: Acting,
  id: string,
  body: OfferBody,
): Promise<Done & { coverId: string }> {
  const { tx, at, viewer } = acting;
  const { shift, rota } = await lockShift(acting, id);
  mustOwn(acting, shift.userId, rota);
  const place = partOf(shift, body, at.epochMilliseconds);
  await mustNotBeLookedFor(acting, rota, place);
  const cover = await insertCover(tx, at, {
    organizationId: viewer.organizationId,
    scheduleId: shift.scheduleId,
    ...place,
    userId: shift.userId,
    cause: 'asked',
    availabilityId: null,
    offeredBy: viewer.userId,
    note: body.note ?? '',
    declinedBy: [],
  });
  const warnings = body.to === undefined ? [] : await propose(acting, rota, cover, body.to, 'to');
  await audit(acting, 'cover.offer', cover);
  await settleAfter(acting, [shift.scheduleId]);
  return {
    message: t('A replacement is wanted. Until somebody takes the shift, it stays as it is.'),
    warnings,
    coverId: cover.id,
  };
}

async function mustNotBeLookedFor({ tx, at }: Acting, { schedule }: Rota, place: Seated): Promise<void> {
  const covers = await liveCovers(tx, schedule.id, at);
  const other = covers.find(
    (cover) => cover.state !== 'applied' && isSeat(cover, place) && intersects(cover, place),
  );
  if (other)
    throw new Fault('conflict', [
      {
        field: 'shift',
        message: t('already has a cover for part of that time: {id}; change that one', { id: other.id }),
      },
    ]);
}

/** Proposes a cover to a certain person. */
export async function offerCover(acting: Acting, id: string, to: string): Promise<Done> {
  const { viewer } = acting;
  const { cover, rota } = await lockCover(acting, id);
  await mustBeWaiting(acting, cover);
  if (cover.offeredBy !== viewer.userId) mustOwn(acting, cover.userId, rota);
  const warnings = await propose(acting, rota, cover, to, 'to');
  await audit(acting, 'cover.ask', cover);
  return { message: t('They have been notified of your proposal.'), warnings };
}

async function propose(
  acting: Acting,
  rota: Rota,
  before: StoredCover,
  to: string,
  field: string,
): Promise<string[]> {
  const { tx, at, viewer } = acting;
  if (to === before.userId)
    throw new Fault('conflict', [{ field, message: t('already has this shift; propose another person') }]);
  const proposing = await withTaker(acting, rota, to, field);
  const { stage, seat, from } = before;
  const place = { stage, seat, from: Math.max(from, at.epochMilliseconds), to: before.to };
  const warnings = requireEligible(proposing, proposing.taker, place, field);
  const moves = [{ ...place, loses: before.userId, gains: to }];
  const cover = await editCover(tx, at, before, {
    state: 'proposed',
    proposal: { moves, complete: true, proven: true, proposedBy: viewer.userId },
    declinedBy: before.declinedBy.filter((userId) => userId !== to),
  });
  await notifyOfCovers(tx, at, rota.schedule, [{ kind: 'proposed', cover, before, by: viewer.userId }]);
  return warnings;
}

/** Declines a proposal; another person is proposed if there is one. */
export async function declineCover(acting: Acting, id: string): Promise<Done> {
  const { tx, at, viewer } = acting;
  const { cover, rota } = await lockCover(acting, id);
  await mustBeWaiting(acting, cover);
  const mine = cover.proposal?.moves.some(({ gains }) => gains === viewer.userId);
  if (!mine)
    throw new Fault('conflict', [
      {
        field: 'cover',
        message: t('is not offered to you, so you cannot decline it; reload to see the current state'),
      },
    ]);
  await editCover(tx, at, cover, { declinedBy: [...new Set([...cover.declinedBy, viewer.userId])] });
  await audit(acting, 'cover.decline', cover);
  await settleAfter(acting, [rota.schedule.id]);
  return { message: t('You will not get another proposal for it.'), warnings: [] };
}

/** Withdraws a requested cover. A cover for an absence ends only with the absence. */
export async function withdrawCover(acting: Acting, id: string): Promise<Done> {
  const { tx, at, viewer } = acting;
  const { cover: before, rota } = await lockCover(acting, id);
  await mustBeWaiting(acting, before);
  if (before.offeredBy !== viewer.userId) mustOwn(acting, before.userId, rota);
  if (before.cause === 'absence')
    throw new Fault('conflict', [
      { field: 'cover', message: t('was opened by an absence; change or remove the absence to close it') },
    ]);
  const decision = { state: 'withdrawn' as const, decidedBy: viewer.userId, decidedAt: at };
  const cover = await editCover(tx, at, before, decision);
  await notifyOfCovers(tx, at, rota.schedule, [{ kind: 'withdrawn', cover, before, by: viewer.userId }]);
  await audit(acting, 'cover.withdraw', cover);
  await settleAfter(acting, [rota.schedule.id]);
  return { message: t('A replacement is no longer needed.'), warnings: [] };
}

async function audit({ tx, at, viewer }: Acting, action: AuditAction, cover: StoredCover): Promise<void> {
  const data = { schedule: cover.scheduleId };
  await recordAudit(tx, at, viewer.organizationId, viewer.userId, [{ action, subject: cover.id, data }]);
}
