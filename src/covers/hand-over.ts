import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import { recordAudit } from '../people/store.ts';
import type { Seated } from '../schedules/roster.ts';
import { type Acting, settleAfter, withTaker, write } from './acting.ts';
import type { HandOverBody } from './api-contract.ts';
import { requireEligible } from './ineligibility-text.ts';
import { notifyOfMoves } from './notify-of-moves.ts';
import { lockShift, mustOwn } from './offer.ts';
import { type Done, partOf } from './take.ts';

/** Gives a shift, or a part of it, to another person at once. A running shift changes hands from now on. */
export async function handOver(
  acting: Acting,
  id: string,
  body: HandOverBody,
): Promise<Done & { scheduleId: string; place: Seated }> {
  const { tx, at, viewer } = acting;
  const { shift, rota } = await lockShift(acting, id);
  mustOwn(acting, shift.userId, rota);
  const place = partOf(shift, body, at.epochMilliseconds);
  const handing = await withTaker(acting, rota, body.to, 'to');
  if (body.to === shift.userId)
    throw new Fault('conflict', [
      { field: 'to', message: t('already has this shift; choose another person') },
    ]);
  const warnings = requireEligible(handing, handing.taker, place, 'to');
  const move = { ...place, loses: shift.userId, gains: body.to };
  await write(acting, rota, [move], { origin: 'hand_over', by: viewer.userId });
  await notifyOfMoves(acting, rota, [move]);
  const data = { schedule: shift.scheduleId, from: shift.userId, to: body.to };
  await recordAudit(tx, at, viewer.organizationId, viewer.userId, [
    { action: 'shift.hand_over', subject: id, data },
  ]);
  await settleAfter(acting, [shift.scheduleId]);
  const message = t('{name} is on call instead.', { name: handing.taker.name });
  return { message, warnings, scheduleId: shift.scheduleId, place };
}
