import { Fault } from '../kit/fault.ts';
import { parseInstant } from '../kit/instant.ts';
import { clip, type Interval, intersects } from '../kit/interval.ts';
import { t } from '../language/contract.ts';
import type { AuditAction } from '../people/audit-contract.ts';
import { peopleById, recordAudit } from '../people/store.ts';
import { doubled, isSeat, type Roster, type Seated } from '../schedules/roster.ts';
import { type Acting, lockRota, type Rota, settleAfter, withTaker, write } from './acting.ts';
import type { OverrideBody } from './api-contract.ts';
import { applyOverrides } from './apply-overrides.ts';
import { requireEligible } from './ineligibility-text.ts';
import { notifyOfMoves } from './notify-of-moves.ts';
import { endOverride, findOverride, type StoredMove, type StoredOverride } from './store.ts';
import { type Done, onlyManagers } from './take.ts';

const LONGEST_DAYS = 366;

/** Puts a person on call for a time, regardless of the plan. Members may add themselves, managers anybody. */
export async function addOverride(
  acting: Acting,
  scheduleId: string,
  body: OverrideBody,
): Promise<Done & { overrideId: string }> {
  const rota = await lockRota(acting, scheduleId);
  const { moves, ...done } = await put(acting, rota, body);
  await notifyOfMoves(acting, rota, moves);
  await settleAfter(acting, [scheduleId]);
  return done;
}

type Put = Done & { overrideId: string; moves: StoredMove[] };

/** Writes an override. The caller notifies the people of the moves and settles covers. */
export async function put(acting: Acting, rota: Rota, body: OverrideBody): Promise<Put> {
  const { at, viewer } = acting;
  const span = spanOf(body, at.epochMilliseconds);
  if (body.user !== viewer.userId && !rota.manages)
    throw onlyManagers(
      t("is managed by the team's managers, admins and owners; ask one of them to put somebody else on call"),
    );
  const place = { stage: body.stage, seat: seatFor(rota.roster, body, span), ...span };
  const putting = await withTaker(acting, rota, body.user, 'user');
  const warnings = requireEligible(putting, putting.taker, place, 'user');
  const moves = movesInto(rota.roster, place, body.user);
  const [overrideId = ''] = await write(acting, rota, [{ ...place, gains: body.user }], {
    origin: 'hand',
    by: viewer.userId,
  });
  await audit(acting, 'override.create', overrideId, { schedule: rota.schedule.id, user: body.user });
  return {
    message: t('{name} is on call at that time.', { name: putting.taker.name }),
    warnings,
    overrideId,
    moves,
  };
}

function spanOf({ starts_at, ends_at }: OverrideBody, now: number): Interval {
  const from = Math.max(parseInstant(starts_at)?.epochMilliseconds ?? now, now);
  const to = parseInstant(ends_at)?.epochMilliseconds ?? now;
  if (to <= now)
    throw new Fault('invalid_request', [
      { field: 'ends_at', message: t('is in the past; past shifts cannot be changed') },
    ]);
  if (to <= from)
    throw new Fault('invalid_request', [
      { field: 'ends_at', message: t('is not after starts_at; give a later time') },
    ]);
  if (to - from > LONGEST_DAYS * 86_400_000)
    throw new Fault('invalid_request', [
      {
        field: 'ends_at',
        message: t('is more than {most} days after starts_at; give an earlier time', { most: LONGEST_DAYS }),
      },
    ]);
  return { from, to };
}

/** The named seat, otherwise the one that the person has at that time, otherwise an empty one, otherwise the first. */
function seatFor({ seats, stints }: Roster, { stage, seat, user }: OverrideBody, span: Interval): number {
  const count = seats.get(stage);
  if (count === undefined)
    throw new Fault('invalid_request', [
      {
        field: 'stage',
        message: t('is {stage}, which is not a stage of the schedule; give one of {stages}', {
          stage,
          stages: [...seats.keys()].join(', '),
        }),
      },
    ]);
  if (seat) {
    if (seat > count)
      throw new Fault('invalid_request', [
        { field: 'seat', message: t('is {seat}; give a seat from 1 to {count}', { seat, count }) },
      ]);
    return seat;
  }
  const then = stints.filter((stint) => stint.stage === stage && intersects(stint, span));
  const own = then.find(({ userId }) => userId === user) ?? then.find(({ userId }) => userId === null);
  return own?.seat ?? then[0]?.seat ?? 1;
}

/** Who gains and loses which parts of a place. Nothing changes where the person already has it. */
function movesInto({ stints }: Roster, place: Seated, gains: string): StoredMove[] {
  const there = stints
    .filter((stint) => isSeat(stint, place) && stint.userId !== gains)
    .flatMap((stint) => clip(stint, place) ?? []);
  if (there.length === 0)
    return stints.some((stint) => isSeat(stint, place) && intersects(stint, place))
      ? []
      : [{ ...place, loses: null, gains }];
  return there.map(({ stage, seat, from, to, userId }) => ({ stage, seat, from, to, loses: userId, gains }));
}

/** Restores the plan from now on; the past stays as it was. */
export async function removeOverride(acting: Acting, scheduleId: string, id: string): Promise<Done> {
  const rota = await lockRota(acting, scheduleId);
  const { override, warnings } = await takeBack(acting, rota, id);
  const after = await lockRota(acting, scheduleId);
  await mustLeaveNobodyDoubled(acting, rota.roster, after.roster, override);
  await notifyOfMoves(acting, rota, changesBetween(rota.roster, after, override));
  await settleAfter(acting, [scheduleId]);
  return { message: t('The override was removed, and the plan applies again.'), warnings };
}

type TakenBack = { override: StoredOverride; warnings: string[] };

/**
 * Ends an override from now on. The caller refuses if that would leave somebody with two shifts at once, notifies
 * people and settles covers. The returned override begins now at the earliest.
 */
export async function takeBack(acting: Acting, rota: Rota, id: string): Promise<TakenBack> {
  const { tx, at, viewer } = acting;
  const scheduleId = rota.schedule.id;
  const override = await findOverride(tx, scheduleId, id);
  if (!override)
    throw new Fault('not_found', [
      {
        field: 'override',
        message: t('is not an override of this schedule, or was removed; reload to see the current ones'),
      },
    ]);
  if (!rota.manages && override.createdBy !== viewer.userId)
    throw onlyManagers(
      t("is managed by the team's managers, admins and owners; ask one of them to take it back"),
    );
  if (override.to <= at.epochMilliseconds)
    throw new Fault('conflict', [
      { field: 'override', message: t('has ended; past overrides cannot be changed') },
    ]);
  await endOverride(tx, at, id);
  await applyOverrides(tx, at, rota.schedule);
  await audit(acting, 'override.delete', id, { schedule: scheduleId, user: override.userId });
  const warnings =
    override.origin === 'file'
      ? [t("The operator's file brings it back when it is applied; remove it there as well.")]
      : [];
  return { override: { ...override, from: Math.max(override.from, at.epochMilliseconds) }, warnings };
}

/** Refuses if the planned person has another shift by now. */
export async function mustLeaveNobodyDoubled(
  { tx, viewer }: Acting,
  before: Roster,
  after: Roster,
  span: Interval,
): Promise<void> {
  const found = doubled(after.stints, span);
  if (!found || doubled(before.stints, span)) return;
  const [one, other] = found;
  const people = await peopleById(tx, viewer.organizationId, [one.userId]);
  const name = people.get(one.userId)?.name ?? t('somebody');
  const message = t(
    'cannot be taken back: {name} would be on call in stage {stage} and stage {other} at once; put somebody else on call instead',
    { name, stage: one.stage, other: other.stage },
  );
  throw new Fault('conflict', [{ field: 'override', message }]);
}

/** Who gains and loses which parts of a stage within a span. */
export function changesBetween(
  before: Roster,
  { roster }: Rota,
  span: Interval & { stage: number },
): StoredMove[] {
  return roster.stints
    .filter((stint) => stint.stage === span.stage)
    .flatMap((stint) => clip(stint, span) ?? [])
    .flatMap(({ userId, ...place }) => (userId === null ? [] : movesInto(before, place, userId)));
}

async function audit(
  { tx, at, viewer }: Acting,
  action: AuditAction,
  subject: string,
  data: Record<string, unknown>,
): Promise<void> {
  await recordAudit(tx, at, viewer.organizationId, viewer.userId, [{ action, subject, data }]);
}
