import { Fault } from '../kit/fault.ts';
import { parseInstant } from '../kit/instant.ts';
import { clip, cut, intersects } from '../kit/interval.ts';
import { t } from '../language/contract.ts';
import { peopleById, recordAudit } from '../people/store.ts';
import { isSeat, type Seated } from '../schedules/roster.ts';
import { type Acting, lockRota, type Rota, settleAfter, withTaker, write } from './acting.ts';
import type { TakeBody } from './api-contract.ts';
import { requireEligible } from './ineligibility-text.ts';
import { notifyOfCovers } from './notify.ts';
import { movesFrom, stillHolds } from './propose.ts';
import { editCover, findCover, insertCover, type StoredCover, type StoredMove } from './store.ts';

/** The result as a sentence, and warnings. */
export type Done = { message: string; warnings: string[] };

/** A cover and its schedule, locked until the transaction ends. */
export async function lockCover(acting: Acting, id: string): Promise<{ cover: StoredCover; rota: Rota }> {
  const { tx, viewer } = acting;
  const found = await findCover(tx, viewer.organizationId, id);
  if (!found) throw unknownCover();
  const rota = await lockRota(acting, found.scheduleId);
  const cover = await findCover(tx, viewer.organizationId, id);
  if (!cover) throw unknownCover();
  return { cover, rota };
}

export function unknownCover(): Fault {
  return new Fault('not_found', [
    { field: 'cover', message: t('is not a cover of your organization; see /api/covers') },
  ]);
}

/** @throws Fault `conflict` if the cover was taken, withdrawn, or is over */
export async function mustBeWaiting({ tx, at }: Acting, cover: StoredCover): Promise<void> {
  const isOver = cover.to <= at.epochMilliseconds;
  if ((cover.state === 'open' || cover.state === 'proposed') && !isOver) return;
  const people = await peopleById(tx, cover.organizationId, cover.takenBy ? [cover.takenBy] : []);
  const name = people.get(cover.takenBy ?? '')?.name ?? t('somebody');
  const message =
    cover.state === 'taken' || cover.state === 'applied'
      ? t('was already taken by {name}; reload to see the current state', { name })
      : cover.state === 'withdrawn'
        ? t('was withdrawn, because a replacement is no longer needed; reload to see the current state')
        : t('has ended, so nobody can take it; choose a shift in the future');
  throw new Fault('conflict', [{ field: 'cover', message }]);
}

/** A person takes a cover or a part of it; the rest stays open as a new cover. */
export async function takeCover(acting: Acting, id: string, body: TakeBody): Promise<Done> {
  const { viewer, at } = acting;
  const { cover, rota } = await lockCover(acting, id);
  await mustBeWaiting(acting, cover);
  const userId = body.user ?? viewer.userId;
  if (userId !== viewer.userId && !rota.manages)
    throw onlyManagers(
      t("is managed by the team's managers, admins and owners; ask one of them to give it to somebody else"),
    );
  const place = partOf(cover, body, at.epochMilliseconds);
  const taking = await withTaker(acting, rota, userId, 'user');
  if (userId === cover.userId)
    throw new Fault('conflict', [
      {
        field: 'user',
        message: t('is {name}, who has this shift; choose somebody else', { name: taking.taker.name }),
      },
    ]);
  const warnings = requireEligible(taking, taking.taker, place, 'user');
  await finish(acting, rota, cover, place, [{ ...place, loses: cover.userId, gains: userId }], userId);
  return { message: t('{name} is on call instead.', { name: taking.taker.name }), warnings };
}

/** Applies the proposal. The person who would take it and people who manage the schedule may do so. */
export async function applyCover(acting: Acting, id: string): Promise<Done> {
  const { viewer, at } = acting;
  const { cover, rota } = await lockCover(acting, id);
  await mustBeWaiting(acting, cover);
  const moves = movesFrom(cover.proposal?.moves ?? [], at.epochMilliseconds);
  const isOwn = moves.length > 0 && moves.every(({ gains }) => gains === viewer.userId);
  if (!rota.manages && !isOwn)
    throw onlyManagers(
      t(
        "is managed by the team's managers, admins and owners; ask one of them to decide on what is proposed",
      ),
    );
  if (!stillHolds(rota.roster, cover, at.epochMilliseconds))
    throw new Fault('conflict', [
      {
        field: 'cover',
        message: t('has no proposal that can still be carried out; reload it, or choose a person'),
      },
    ]);
  const places = moves.filter((move) => isSeat(move, cover) && intersects(move, cover));
  const place = {
    ...seatOf(cover),
    from: Math.min(...places.map(({ from }) => from)),
    to: Math.max(...places.map(({ to }) => to)),
  };
  const gains = new Set(places.map((move) => move.gains));
  await finish(acting, rota, cover, place, moves, gains.size === 1 ? (places[0]?.gains ?? null) : null);
  return { message: t('The proposed changes were made.'), warnings: [] };
}

async function finish(
  acting: Acting,
  rota: Rota,
  before: StoredCover,
  place: Seated,
  moves: StoredMove[],
  takenBy: string | null,
): Promise<void> {
  const { tx, at, viewer } = acting;
  const { schedule } = rota;
  const proposal = {
    moves,
    complete: true,
    proven: before.proposal?.proven ?? false,
    proposedBy: before.proposal?.proposedBy ?? null,
  };
  const decision = { state: 'taken' as const, takenBy, decidedBy: viewer.userId, decidedAt: at };
  const cover = await editCover(tx, at, before, { from: place.from, to: place.to, proposal, ...decision });
  const rest = { ...before, from: Math.max(before.from, at.epochMilliseconds) };
  for (const left of cut(rest, place)) await insertCover(tx, at, left);
  await write(acting, rota, moves, { origin: 'cover', coverId: cover.id, by: viewer.userId });
  await notifyOfCovers(tx, at, schedule, [{ kind: 'taken', cover, before, by: viewer.userId }]);
  await recordAudit(tx, at, viewer.organizationId, viewer.userId, [
    { action: 'cover.take', subject: cover.id, data: { schedule: schedule.id, taken_by: takenBy } },
  ]);
  await settleAfter(acting, [schedule.id]);
}

function seatOf({ stage, seat }: Seated): { stage: number; seat: number } {
  return { stage, seat };
}

/** The future part of a place that a body names. */
export function partOf(
  place: Seated,
  { starts_at, ends_at }: { starts_at?: string; ends_at?: string },
  at: number,
): Seated {
  const from =
    starts_at === undefined ? place.from : (parseInstant(starts_at)?.epochMilliseconds ?? place.from);
  const to = ends_at === undefined ? place.to : (parseInstant(ends_at)?.epochMilliseconds ?? place.to);
  if (to <= from)
    throw new Fault('invalid_request', [
      { field: 'ends_at', message: t('is not after starts_at; give a later time') },
    ]);
  const span = { from: Math.max(from, at), to };
  const part = clip({ ...seatOf(place), from: place.from, to: place.to }, span);
  if (!part)
    throw new Fault('conflict', [
      {
        field: starts_at === undefined ? 'shift' : 'starts_at',
        message: t('leaves no part of the shift that is in the future; give another time'),
      },
    ]);
  return part;
}

export function onlyManagers(message: string): Fault {
  return new Fault('forbidden', [{ field: 'schedule', message }]);
}
