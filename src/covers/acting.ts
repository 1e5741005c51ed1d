import type { Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import type { Role } from '../people/contract.ts';
import { mayManageSchedules } from '../people/schedule-policy.ts';
import { findActive } from '../people/store.ts';
import { isManagerOf } from '../people/team-store.ts';
import type { Move, Roster } from '../schedules/roster.ts';
import { unknownSchedule } from '../schedules/unknown-schedule.ts';
import { applyOverrides } from './apply-overrides.ts';
import {
  type CoveredSchedule,
  findSchedules,
  lockSchedules,
  readRoster,
  withPerson,
} from './roster-store.ts';
import { settleCovers } from './settle.ts';
import { type Origin, writeMove } from './store.ts';

/** A change of shifts by a person: one transaction, as of one instant. */
export type Acting = {
  tx: Tx;
  at: Temporal.Instant;
  viewer: { organizationId: string; userId: string; role: Role };
  /** Only reads, so nothing is locked. */
  reads?: boolean;
};

/** A schedule with its row locked, its roster, and whether the viewer manages it. */
export type Rota = { schedule: CoveredSchedule; roster: Roster; manages: boolean };

/** Locks schedules of the viewer's organization, always in the same order, so that their shifts cannot change meanwhile. */
export async function lockRotas(
  { tx, at, viewer, reads }: Acting,
  scheduleIds: readonly string[],
): Promise<Map<string, Rota>> {
  const rotas = new Map<string, Rota>();
  for (const schedule of await (reads ? findSchedules : lockSchedules)(tx, scheduleIds)) {
    if (schedule.organizationId !== viewer.organizationId) continue;
    const manager = await isManagerOf(tx, schedule.teamId, viewer.userId);
    const manages = mayManageSchedules(viewer.role, { member: manager, manager });
    rotas.set(schedule.id, { schedule, roster: await readRoster(tx, schedule, at), manages });
  }
  return rotas;
}

export async function lockRota(acting: Acting, scheduleId: string): Promise<Rota> {
  const rota = (await lockRotas(acting, [scheduleId])).get(scheduleId);
  if (!rota) throw unknownSchedule();
  return rota;
}

/** Adds a person to the roster. @throws Fault if they are not in the organization or cannot sign in */
export async function withTaker(
  { tx, at, viewer }: Acting,
  rota: Rota,
  userId: string,
  field: string,
): Promise<Rota & { taker: { id: string; name: string } }> {
  const taker = await findActive(tx, viewer.organizationId, userId);
  if (!taker)
    throw new Fault('invalid_request', [
      {
        field,
        message: t('is not a person of your organization who can sign in; give the identifier of a person'),
      },
    ]);
  const roster = await withPerson(tx, rota.roster, rota.schedule, userId, at);
  return { ...rota, roster, taker };
}

/** Writes moves to the shifts of one schedule and returns the ids of their overrides. */
export async function write(
  { tx, at }: Acting,
  { schedule }: Rota,
  moves: readonly Move[],
  origin: Origin,
): Promise<string[]> {
  const ids: string[] = [];
  for (const move of moves)
    ids.push(
      await writeMove(
        tx,
        at,
        { organizationId: schedule.organizationId, scheduleId: schedule.id },
        move,
        origin,
      ),
    );
  await applyOverrides(tx, at, schedule);
  return ids;
}

/** Settles covers after a change: withdraws those no longer needed and opens new ones. */
export async function settleAfter({ tx, at }: Acting, scheduleIds: readonly string[]): Promise<void> {
  for (const id of [...new Set(scheduleIds)].sort()) await settleCovers(tx, at, id);
}
