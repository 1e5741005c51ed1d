import { Fault } from '../kit/fault.ts';
import { clip } from '../kit/interval.ts';
import { t } from '../language/contract.ts';
import type { AuditAction } from '../people/audit-contract.ts';
import { recordAudit } from '../people/store.ts';
import { after, holds, type Seated } from '../schedules/roster.ts';
import { unknownSchedule } from '../schedules/unknown-schedule.ts';
import { type Acting, lockRotas, type Rota, settleAfter, withTaker, write } from './acting.ts';
import type { SwapBody } from './api-contract.ts';
import { requireEligible } from './ineligibility-text.ts';
import { notifyOfMoves } from './notify-of-moves.ts';
import { notifyOfSwap } from './notify-of-swap.ts';
import { lockShift, mustOwn } from './offer.ts';
import { decideSwap, findShift, findSwap, insertSwap, type StoredSwap, type SwapSide } from './store.ts';
import { type Done, onlyManagers, partOf } from './take.ts';

/** Proposes an exchange of shifts to a colleague. */
export async function proposeSwap(
  acting: Acting,
  id: string,
  body: SwapBody,
): Promise<Done & { swapId: string }> {
  const { tx, at, viewer } = acting;
  const other = await findShift(tx, viewer.organizationId, body.with);
  const first = await findShift(tx, viewer.organizationId, id);
  // Lock both schedules in one order, so that two people with proposals to each other cannot deadlock.
  await lockRotas(
    acting,
    [other?.scheduleId, first?.scheduleId].filter((known) => known !== undefined),
  );
  const { shift: mine, rota } = await lockShift(acting, id);
  const { shift: theirs } = await lockShift(acting, body.with).catch((error) => {
    if (!(error instanceof Fault)) throw error;
    throw new Fault(
      error.code,
      error.details.map(({ message }) => ({ field: 'with', message })),
    );
  });
  mustOwn(acting, mine.userId, rota);
  if (mine.userId === theirs.userId)
    throw new Fault('conflict', [
      { field: 'with', message: t('belongs to the same person; choose the shift of somebody else') },
    ]);
  const now = at.epochMilliseconds;
  const given = { scheduleId: mine.scheduleId, userId: mine.userId, ...partOf(mine, body, now) };
  const wanted = { scheduleId: theirs.scheduleId, userId: theirs.userId, ...partOf(theirs, {}, now) };
  const warnings = await mustBeSwappable(acting, given, wanted);
  const { organizationId, userId: proposedBy } = viewer;
  const swapId = await insertSwap(tx, at, {
    organizationId,
    proposedBy,
    note: body.note ?? '',
    given,
    wanted,
  });
  await notifyOfSwap(acting, rota, { kind: 'swap.asked', id: swapId, given, wanted, note: body.note ?? '' });
  await audit(acting, 'swap.propose', swapId);
  return {
    message: t('Swap proposed. Nothing changes until it is accepted.'),
    warnings,
    swapId,
  };
}

/** Exchanges both shifts, or neither. */
export async function acceptSwap(acting: Acting, id: string): Promise<Done> {
  const { tx, at, viewer } = acting;
  const { swap, rotas } = await lockSwap(acting, id);
  const theirs = rotaOf(rotas, swap.wanted);
  if (viewer.userId !== swap.wanted.userId && !theirs.manages)
    throw onlyManagers(
      t("is managed by the team's managers, admins and owners; ask one of them to agree for somebody else"),
    );
  const [given, wanted] = [clipped(swap.given, at), clipped(swap.wanted, at)];
  const warnings = await mustBeSwappable(acting, given, wanted);
  await decideSwap(tx, at, id, 'accepted', viewer.userId);
  for (const [from, to] of [
    [given, wanted],
    [wanted, given],
  ] as const) {
    const { scheduleId, userId, ...place } = from;
    const rota = rotaOf(rotas, from);
    const move = { ...place, loses: userId, gains: to.userId };
    await write(acting, rota, [move], { origin: 'swap', swapId: id, by: viewer.userId });
    await notifyOfMoves(acting, rota, [move]);
  }
  await audit(acting, 'swap.accept', id);
  await settleAfter(acting, [given.scheduleId, wanted.scheduleId]);
  return { message: t('Shifts swapped.'), warnings };
}

export async function refuseSwap(acting: Acting, id: string, as: 'declined' | 'withdrawn'): Promise<Done> {
  const { tx, at, viewer } = acting;
  const { swap, rotas } = await lockSwap(acting, id);
  const { given, wanted, note } = swap;
  const owner = as === 'declined' ? [wanted.userId] : [given.userId, swap.proposedBy];
  const rota = rotaOf(rotas, as === 'declined' ? wanted : given);
  if (!owner.includes(viewer.userId) && !rota.manages)
    throw onlyManagers(
      t("is managed by the team's managers, admins and owners; ask one of them to decide for somebody else"),
    );
  await decideSwap(tx, at, id, as, viewer.userId);
  await notifyOfSwap(acting, rota, { kind: `swap.${as}`, id, given, wanted, note });
  await audit(acting, `swap.${as === 'declined' ? 'decline' : 'withdraw'}`, id);
  return {
    message: as === 'declined' ? t('Declined. Everything stays as it is.') : t('Withdrawn.'),
    warnings: [],
  };
}

/** An open swap, with both schedules locked. */
async function lockSwap(acting: Acting, id: string): Promise<{ swap: StoredSwap; rotas: Map<string, Rota> }> {
  const { tx, at, viewer } = acting;
  const found = await findSwap(tx, viewer.organizationId, id);
  const rotas = await lockRotas(acting, found ? [found.given.scheduleId, found.wanted.scheduleId] : []);
  const swap = await findSwap(tx, viewer.organizationId, id);
  if (!swap) throw unknownSwap();
  const isOver = Math.min(swap.given.to, swap.wanted.to) <= at.epochMilliseconds;
  if (swap.state !== 'proposed' || isOver)
    throw new Fault('conflict', [
      {
        field: 'swap',
        message: overText(swap.state),
      },
    ]);
  return { swap, rotas };
}

function overText(state: StoredSwap['state']): string {
  switch (state) {
    case 'accepted':
      return t('was already accepted; reload to see the current state');
    case 'declined':
      return t('was already declined; reload to see the current state');
    case 'withdrawn':
      return t('was withdrawn; reload to see the current state');
    case 'proposed':
    case 'expired':
      return t('was not accepted in time; propose a new swap');
  }
}

export function unknownSwap(): Fault {
  return new Fault('not_found', [
    { field: 'swap', message: t('is not a swap of your organization; see /api/covers') },
  ]);
}

function rotaOf(rotas: ReadonlyMap<string, Rota>, { scheduleId }: SwapSide): Rota {
  const rota = rotas.get(scheduleId);
  if (!rota) throw unknownSchedule();
  return rota;
}

function clipped(side: SwapSide, at: Temporal.Instant): SwapSide {
  return clip(side, { from: at.epochMilliseconds, to: Number.POSITIVE_INFINITY }) ?? side;
}

/** @throws Fault `conflict` if a shift changed hands meanwhile, or if one person cannot have the other's shift */
export async function mustBeSwappable(acting: Acting, given: SwapSide, wanted: SwapSide): Promise<string[]> {
  const rotas = await lockRotas(acting, [given.scheduleId, wanted.scheduleId]);
  const warnings: string[] = [];
  for (const [side, other] of [
    [given, wanted],
    [wanted, given],
  ] as const) {
    const rota = rotaOf(rotas, side);
    if (!holds(rota.roster.stints, side.userId, side))
      throw new Fault('conflict', [
        {
          field: side === given ? 'shift' : 'with',
          message: t('was given to somebody else in the meantime, at least in part; reload and try again'),
        },
      ]);
    const taking = await withTaker(acting, rota, other.userId, 'with');
    const exchanged = [side, other]
      .filter(({ scheduleId }) => scheduleId === side.scheduleId)
      .map((one) => ({ ...(one as Seated), gains: one === side ? other.userId : side.userId }));
    const roster = after(taking.roster, exchanged);
    warnings.push(...requireEligible({ ...taking, roster }, taking.taker, side, 'with'));
  }
  return warnings;
}

async function audit({ tx, at, viewer }: Acting, action: AuditAction, subject: string): Promise<void> {
  await recordAudit(tx, at, viewer.organizationId, viewer.userId, [{ action, subject, data: {} }]);
}
