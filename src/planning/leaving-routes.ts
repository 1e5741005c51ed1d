import type { FastifyInstance } from 'fastify';
import type { Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { route } from '../kit/route.ts';
import { type AccessEnded, type Leaving, peopleApi } from '../people/person-contract.ts';
import { lastOwner, notYours } from '../people/persons/changes.ts';
import { mayActOn } from '../people/rights.ts';
import { audit, disableUser, enableUser, lockPerson } from '../people/store.ts';
import { removeMembershipsOf } from '../people/team-store.ts';
import { endAuthority } from '../sessions/authority.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import { planSchedule } from './actions.ts';
import { publishedValue } from './published-value.ts';
import { type PlanningServices, type Plans, rehearsed, withSolvedPlans } from './solved-plans.ts';
import { leaveSchedules, lockSchedulesOf, readLeaving, schedulesOf } from './store.ts';

export type LeavingServices = PlanningServices & {
  /** Called after the transaction that disables a person is committed. Removes them from pages that wait for them. */
  personDisabled(): Promise<unknown>;
};

/** Disables and enables people. The routes are in this room because shifts are replanned in the same transaction. */
export function leavingApiRoutes(api: FastifyInstance, services: LeavingServices): void {
  const { db, clock } = services;

  route(api, peopleApi.leaving, async (request) => {
    const viewer = viewerOf(request);
    const id = request.params.id;
    // Disable the person and roll back, so that the preview shows exactly what would happen.
    return rehearsed(services, async (tx, at, plans) => {
      await lockSchedulesOf(tx, at, viewer.organizationId, id);
      await lockOther(tx, viewer, id);
      const left = await readLeaving(tx, at, viewer.organizationId, id);
      return { ...left, ...(await handOn(tx, at, viewer.organizationId, id, plans)) };
    });
  });

  route(api, peopleApi.disable, async (request) => {
    const viewer = viewerOf(request);
    const changed = await withSolvedPlans(services, async (tx, at, plans) => {
      await lockSchedulesOf(tx, at, viewer.organizationId, request.params.id);
      const person = await lockOther(tx, viewer, request.params.id);
      if (person.disabled) return;
      if (person.role === 'owner' && person.otherOwners === 0)
        throw new Fault('conflict', [{ field: 'id', message: lastOwner() }]);
      return leave(tx, at, viewer, { id: request.params.id, name: person.name }, plans);
    });
    await services.personDisabled();
    return { disabled: true, ...changed };
  });

  route(api, peopleApi.enable, async (request) => {
    const viewer = viewerOf(request);
    await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      await lockOther(tx, viewer, request.params.id);
      await enableUser(tx, at, viewer.organizationId, request.params.id);
      await audit(tx, at, viewer, 'person.enable', request.params.id, {});
    });
    return { disabled: false };
  });
}

async function leave(
  tx: Tx,
  at: Temporal.Instant,
  viewer: Viewer,
  { id, name }: { id: string; name: string },
  plans: Plans,
): Promise<ShiftsHandedOn & { ended: AccessEnded }> {
  const { organizationId } = viewer;
  const left = await readLeaving(tx, at, organizationId, id);
  const ended = await endAuthority(tx, at, { organizationId, userId: id }, { name, to: 'disabled' });
  await removeMembershipsOf(tx, organizationId, id);
  const handedOn = await handOn(tx, at, organizationId, id, plans);
  await audit(tx, at, viewer, 'person.disable', id, { ...left, ...handedOn, ended });
  return { ...handedOn, ended };
}

type ShiftsHandedOn = Pick<Leaving, 'shifts_changed' | 'schedules'>;

/** Disables a person, plans their schedules without them, and returns which published shifts change. */
async function handOn(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  id: string,
  plans: Plans,
): Promise<ShiftsHandedOn> {
  const theirs = await schedulesOf(tx, at, organizationId, id);
  await leaveSchedules(tx, at, organizationId, id);
  await disableUser(tx, at, organizationId, id);
  const schedules: Leaving['schedules'] = [];
  let changed = 0;
  for (const schedule of theirs) {
    const { published } = await planSchedule(tx, at, schedule.id, plans);
    if (published.shifts === 0) continue;
    changed += published.handedOver;
    schedules.push({ id: schedule.id, name: schedule.name, ...publishedValue(published) });
  }
  return { shifts_changed: changed, schedules };
}

async function lockOther(tx: Tx, viewer: Viewer, id: string) {
  const person = await lockPerson(tx, viewer.organizationId, id);
  if (!person) throw new Fault('not_found');
  if (!mayActOn(viewer.role, person.role)) throw notYours();
  return person;
}
