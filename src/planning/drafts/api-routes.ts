import type { FastifyInstance } from 'fastify';
import type { Handle, Tx } from '../../db/database.ts';
import { Fault } from '../../kit/fault.ts';
import { instantText, parseInstant } from '../../kit/instant.ts';
import { type RequestOf, route } from '../../kit/route.ts';
import { t } from '../../language/contract.ts';
import type { AuditAction } from '../../people/audit-contract.ts';
import { mayManageSchedules } from '../../people/schedule-policy.ts';
import { peopleById, recordAudit } from '../../people/store.ts';
import { listTeamsOfViewer } from '../../people/team-store.ts';
import {
  findForPlanning,
  lockForPlanning,
  type PlannedSchedule,
  shiftsSince,
} from '../../schedules/plan-store.ts';
import { plannedByStage } from '../../schedules/planned-shifts.ts';
import { type Viewer, viewerOf } from '../../sessions/contract.ts';
import { type Draft, type DraftBody, type PlanAnswer, plansApi } from '../plan-api-contract.ts';
import { peopleOf, presentReason } from '../reason-text.ts';
import { readPlanning } from '../situation.ts';
import type { PlanningServices } from '../solved-plans.ts';
import {
  discardDraft,
  findDraft,
  findPlanInForce,
  findShift,
  insertDraft,
  type StoredPlan,
} from '../store.ts';
import { outdatedBecause } from './outdated.ts';
import { type Presenting, presentDraft, presentGaps, presentPlan, previewOf } from './present.ts';
import { publish } from './publish.ts';

/**
 * By default, a draft changes only shifts at least this far ahead, so that nobody learns of a shift at short notice.
 */
const USUAL_NOTICE = { hours: 72 };

/** `changedRooms` announces changes to the open dashboards of the organization. */
export type PlanApiServices = PlanningServices & {
  changedRooms: { announce(organizationId: string, rooms: readonly string[]): void };
};

/** A request at a route of a schedule. */
type OfSchedule = RequestOf<typeof plansApi.inForce>;

/** Routes for a schedule's plan in force, its draft (create, preview, publish, discard), and reasons of shifts. */
export function planApiRoutes(api: FastifyInstance, { db, clock, changedRooms }: PlanApiServices): void {
  route(api, plansApi.inForce, async (request) => {
    const schedule = await visible(db, request);
    return answerPlan(db, await clock.now(db), schedule);
  });

  route(api, plansApi.draft, async (request) =>
    db.transaction().execute(async (tx) => {
      const schedule = await visible(tx, request);
      return { draft: await showDraft(tx, await clock.now(tx), schedule) };
    }),
  );

  route(api, plansApi.startDraft, async (request, reply) => {
    const body = request.body;
    const draft = await managing(request, 'plan.draft', async (tx, at, schedule, viewer) => {
      await discardDraft(tx, at, schedule.id);
      const startsAt = startOf(body, at, schedule);
      const id = await insertDraft(tx, at, {
        ...{ organizationId: schedule.organizationId, scheduleId: schedule.id, freedom: body.freedom },
        ...{ startsAt, endsAt: schedule.plannedUntil ?? startsAt, createdBy: viewer.userId },
      });
      return { subject: id, result: await showDraft(tx, at, schedule) };
    });
    reply.code(201);
    return { draft };
  });

  route(api, plansApi.publish, async (request) => {
    const { draft: id } = request.body;
    return managing(request, null, async (tx, at, schedule, viewer) => {
      const draft = await findDraft(tx, schedule.id);
      if (draft?.id !== id || draft.state !== 'draft') throw notReady(id, draft);
      await publish(tx, at, schedule, draft, viewer.userId);
      return { subject: id, result: await answerPlan(tx, at, schedule) };
    });
  });

  route(api, plansApi.discard, async (request) => {
    await managing(request, 'plan.discard', async (tx, at, schedule) => {
      const draft = await findDraft(tx, schedule.id);
      await discardDraft(tx, at, schedule.id);
      return { subject: draft?.id ?? schedule.id, result: null };
    });
    return { draft: null };
  });

  route(api, plansApi.reason, async (request) => {
    const { organizationId } = viewerOf(request);
    const shift = await findShift(db, organizationId, request.params.id);
    if (!shift) throw unknown('shift');
    const people = await peopleById(db, organizationId, [shift.userId, ...peopleOf(shift.reason)]);
    const reason = shift.reason && presentReason(shift, shift.reason, { ...shift, people });
    return { shift_id: shift.id, reason };
  });

  /** Locks a schedule that the viewer may manage, changes its plan, and records the action in the audit log. */
  async function managing<T>(
    request: OfSchedule,
    action: AuditAction | null,
    act: (
      tx: Tx,
      at: Temporal.Instant,
      schedule: PlannedSchedule,
      viewer: Viewer,
    ) => Promise<{ subject: string; result: T }>,
  ): Promise<T> {
    const viewer = viewerOf(request);
    const done = await db.transaction().execute(async (tx) => {
      const { id } = await visible(tx, request);
      const schedule = await lockForPlanning(tx, id);
      if (!schedule) throw unknown('schedule');
      const team = (await listTeamsOfViewer(tx, viewer)).find((one) => one.id === schedule.teamId);
      if (!team || !mayManageSchedules(viewer.role, team.relation)) throw notTheirs();
      const at = await clock.now(tx);
      const { subject, result } = await act(tx, at, schedule, viewer);
      const data = { schedule: schedule.id, name: schedule.name };
      if (action)
        await recordAudit(tx, at, viewer.organizationId, viewer.userId, [{ action, subject, data }]);
      return result;
    });
    changedRooms.announce(viewer.organizationId, ['schedules']);
    return done;
  }
}

async function visible(db: Handle, request: OfSchedule): Promise<PlannedSchedule> {
  const schedule = await findForPlanning(db, viewerOf(request).organizationId, request.params.id);
  if (!schedule) throw unknown('schedule');
  return schedule;
}

async function answerPlan(db: Handle, at: Temporal.Instant, schedule: PlannedSchedule): Promise<PlanAnswer> {
  const shifts = plannedByStage(await shiftsSince(db, schedule.id, at));
  const gaps = shifts.filter(({ userId }) => userId === null);
  const plan = await findPlanInForce(db, schedule.id);
  const named = gaps.flatMap(({ reason }) => peopleOf(reason));
  return {
    plan: plan && presentPlan(plan),
    gaps: presentGaps(gaps, await presentingOf(db, schedule, named)),
  };
}

async function showDraft(tx: Tx, at: Temporal.Instant, schedule: PlannedSchedule): Promise<Draft | null> {
  const draft = await findDraft(tx, schedule.id);
  if (!draft) return null;
  if (draft.state !== 'draft' || !draft.shifts) return presentDraft(draft, null, null);
  const after = draft.shifts;
  const { situation, input } = await readPlanning(tx, at, schedule);
  const [from, to] = [draft.startsAt.epochMilliseconds, draft.endsAt.epochMilliseconds];
  const before = plannedByStage(situation.rows).filter((shift) => shift.from >= from && shift.from < to);
  const members = [
    ...new Set(situation.stages.flatMap((stage) => stage.members.map(({ userId }) => userId))),
  ];
  const named = [...before, ...after].flatMap(({ userId, reason }) => [userId, ...peopleOf(reason)]);
  const presenting = await presentingOf(tx, schedule, [...members, ...named]);
  const preview = previewOf(before, after, members, input.calendar, presenting);
  return presentDraft(draft, await outdatedBecause(tx, at, schedule, draft), preview);
}

async function presentingOf(
  db: Handle,
  { organizationId, backstopUserId, timeZone, restMs }: PlannedSchedule,
  named: readonly (string | null)[],
): Promise<Presenting> {
  const people = await peopleById(db, organizationId, [backstopUserId, ...named]);
  return { people, timeZone, restMs, backstop: people.get(backstopUserId ?? '') ?? null };
}

function startOf(
  { from }: DraftBody,
  at: Temporal.Instant,
  { plannedUntil }: PlannedSchedule,
): Temporal.Instant {
  const startsAt = (from === undefined ? null : parseInstant(from)) ?? at.add(USUAL_NOTICE);
  if (plannedUntil && Temporal.Instant.compare(startsAt, plannedUntil) > 0) {
    const message = t('is after the end of the plan, {plannedUntil}; give an earlier time', {
      plannedUntil: instantText(plannedUntil),
    });
    throw new Fault('bad_request', [{ field: 'from', message }]);
  }
  if (Temporal.Instant.compare(startsAt, at) > 0) return startsAt;
  const message = t(
    'is in the past; give a future time, because shifts that have begun are not planned again',
  );
  throw new Fault('bad_request', [{ field: 'from', message }]);
}

function notReady(id: string, draft: StoredPlan | null): Fault {
  return new Fault('conflict', [{ field: 'draft', message: notReadyText(id, draft) }]);
}

function notReadyText(id: string, draft: StoredPlan | null): string {
  if (draft?.id !== id)
    return t('no longer exists: it was published, discarded or replaced; reload to see the current draft');
  return draft.state === 'failed'
    ? t('cannot be published, because planning failed; see /api/schedules/:id/plan/draft')
    : t('is still being made; see /api/schedules/:id/plan/draft');
}

function unknown(what: 'schedule' | 'shift'): Fault {
  const message =
    what === 'shift'
      ? t('is not a shift of your organization; see /api/schedules/:id/shifts')
      : t('is not a schedule of your organization; see /api/schedules');
  return new Fault('not_found', [{ field: what, message }]);
}

function notTheirs(): Fault {
  const message = t("is managed by the team's managers, admins and owners; ask one of them");
  return new Fault('forbidden', [{ field: 'schedule', message }]);
}
