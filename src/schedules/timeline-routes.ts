import type { FastifyInstance } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText, instantTextOrNull, parseInstant } from '../kit/instant.ts';
import { route } from '../kit/route.ts';
import { t } from '../language/contract.ts';
import { viewerOf } from '../sessions/contract.ts';
import { type Range, rangeBetween } from './range.ts';
import { findTimeline, personShifts, shiftStart, timelineRecords, timelineShifts } from './read-store.ts';
import { type TimelineQuery, timelineApi } from './timeline-contract.ts';
import { loadsOf } from './timeline-load.ts';
import { unknownSchedule } from './unknown-schedule.ts';

/** Shifts of a schedule for timelines, the start of one shift, and shifts of a person for calendars. */
export function timelineRoutes(api: FastifyInstance, { db, clock }: { db: Database; clock: Clock }): void {
  route(api, timelineApi.ofSchedule, async (request) => {
    const { organizationId } = viewerOf(request);
    const id = request.params.id;
    const timeline = await findTimeline(db, organizationId, id);
    if (!timeline) throw unknownSchedule();
    const range = rangeOf(request.query);
    const shifts = await timelineShifts(db, id, range);
    return {
      now: instantText(await clock.now(db)),
      planned_until: instantTextOrNull(timeline.until),
      shifts,
      load: loadsOf(shifts, range, timeline.timeZone),
      records: await timelineRecords(db, viewerOf(request).userId, id, range),
    };
  });

  route(api, timelineApi.startOfShift, async (request) => {
    const { organizationId } = viewerOf(request);
    const { id, shiftId } = request.params;
    const start = await shiftStart(db, organizationId, id, shiftId);
    if (!start) throw unknownShift();
    return { id: shiftId, starts_at: instantText(start) };
  });

  route(api, timelineApi.ofPerson, async (request) => {
    const { organizationId, userId } = viewerOf(request);
    const query = request.query;
    const person = query.person ?? userId;
    return {
      now: instantText(await clock.now(db)),
      shifts: await personShifts(db, organizationId, person, rangeOf(query)),
    };
  });
}

function rangeOf(query: TimelineQuery): Range {
  const [from, to] = [parseInstant(query.from), parseInstant(query.to)];
  if (!from || !to) throw new Error('a time that was checked cannot be read');
  return rangeBetween(from, to);
}

function unknownShift(): Fault {
  const message = t('This schedule has no shift with this id; it may have been planned again.');
  return new Fault('not_found', [{ field: 'shift', message }]);
}
