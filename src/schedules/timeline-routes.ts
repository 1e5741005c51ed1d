import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText, instantTextOrNull, parseInstant } from '../kit/instant.ts';
import { idOf } from '../kit/path-id.ts';
import { viewerOf } from '../sessions/contract.ts';
import { type Range, rangeBetween } from './range.ts';
import {
  type PersonShifts,
  PersonShiftsQuery,
  type ScheduleTimeline,
  type ShiftTime,
  TimelineQuery,
} from './timeline-contract.ts';
import { loadsOf } from './timeline-load.ts';
import { findTimeline, personShifts, shiftStart, timelineRecords, timelineShifts } from './timeline-store.ts';

const Params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const ShiftParams = Type.Object({ ...Params.properties, shiftId: Type.String({ maxLength: 100 }) });

/** Shifts of a schedule for timelines, the start of one shift, and shifts of a person for calendars. */
export function timelineRoutes(api: FastifyInstance, { db, clock }: { db: Database; clock: Clock }): void {
  api.get(
    '/schedules/:id/shifts',
    { schema: { hide: true, params: Params, querystring: TimelineQuery } },
    async (request): Promise<ScheduleTimeline> => {
      const { organizationId } = viewerOf(request);
      const id = idOf(request);
      const timeline = await findTimeline(db, organizationId, id);
      if (!timeline) throw unknownSchedule();
      const range = rangeOf(request.query as TimelineQuery);
      const shifts = await timelineShifts(db, id, range);
      return {
        now: instantText(await clock.now(db)),
        planned_until: instantTextOrNull(timeline.until),
        shifts,
        load: loadsOf(shifts, range, timeline.timeZone),
        records: await timelineRecords(db, id, range),
      };
    },
  );

  api.get(
    '/schedules/:id/shifts/:shiftId',
    { schema: { hide: true, params: ShiftParams } },
    async (request): Promise<ShiftTime> => {
      const { organizationId } = viewerOf(request);
      const { id, shiftId } = request.params as Static<typeof ShiftParams>;
      const start = await shiftStart(db, organizationId, id, shiftId);
      if (!start) throw unknownShift();
      return { id: shiftId, starts_at: instantText(start) };
    },
  );

  api.get(
    '/shifts',
    { schema: { hide: true, querystring: PersonShiftsQuery } },
    async (request): Promise<PersonShifts> => {
      const { organizationId, userId } = viewerOf(request);
      const query = request.query as PersonShiftsQuery;
      const person = query.person ?? userId;
      return {
        now: instantText(await clock.now(db)),
        shifts: await personShifts(db, organizationId, person, rangeOf(query)),
      };
    },
  );
}

function rangeOf(query: TimelineQuery): Range {
  const [from, to] = [parseInstant(query.from), parseInstant(query.to)];
  if (!from || !to) throw new Error('a time that was checked cannot be read');
  return rangeBetween(from, to);
}

function unknownSchedule(): Fault {
  const message = 'is not a schedule of your organization; see /api/schedules';
  return new Fault('not_found', [{ field: 'schedule', message }]);
}

function unknownShift(): Fault {
  const message = 'This schedule has no shift with this id; it may have been planned again.';
  return new Fault('not_found', [{ field: 'shift', message }]);
}
