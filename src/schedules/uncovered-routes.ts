import type { FastifyInstance } from 'fastify';
import type { UncoveredTimes } from '../calendars/api-contract.ts';
import { namedHolidaysOf } from '../calendars/holiday-calendar-store.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText, parseInstant } from '../kit/instant.ts';
import { route } from '../kit/route.ts';
import { unhurried } from '../kit/unhurried.ts';
import { t } from '../language/contract.ts';
import { viewerOf } from '../sessions/contract.ts';
import { MAX_RANGE_DAYS } from './contract.ts';
import { findTimetables, type Timetables } from './store.ts';
import { type TimelineQuery, timelineApi } from './timeline-contract.ts';
import { uncoveredTimes } from './uncovered.ts';

/** The times without anybody on call by design, and the holidays in the range. */
export function uncoveredRoutes(api: FastifyInstance, { db }: { db: Database; clock: Clock }): void {
  route(api, timelineApi.uncovered, async (request) => {
    const { id } = request.params;
    const query = request.query;
    const { from, to } = rangeOf(query);
    const schedule = await findTimetables(db, viewerOf(request).organizationId, id);
    if (!schedule)
      throw new Fault('not_found', [
        { field: 'id', message: t('is not a schedule of your organization; see /api/schedules') },
      ]);
    const day = (at: Temporal.Instant) => at.toZonedDateTimeISO(schedule.timeZone).toPlainDate();
    const holidays = await namedHolidaysOf(db, id, day(from), day(to));
    const uncovered = new Set(schedule.holidayUse === 'uncovered' ? holidays.map(({ date }) => date) : []);
    return {
      holidays,
      stages: await unhurried(stagesOf(schedule.stages, uncovered, { from, to })),
    };
  });
}

function* stagesOf(
  stages: Timetables['stages'],
  uncovered: ReadonlySet<string>,
  { from, to }: { from: Temporal.Instant; to: Temporal.Instant },
): Generator<void, UncoveredTimes['stages']> {
  const found: UncoveredTimes['stages'] = [];
  for (const { stage, layers } of stages) {
    yield;
    const times = uncoveredTimes(layers, uncovered, from, to).map((time) => ({
      starts_at: text(time.from),
      ends_at: text(time.to),
      because: time.because,
    }));
    found.push({ stage, times });
  }
  return found;
}

function rangeOf({ from, to }: TimelineQuery): { from: Temporal.Instant; to: Temporal.Instant } {
  const [start, end] = [parseInstant(from), parseInstant(to)];
  const longest = { hours: MAX_RANGE_DAYS * 24 };
  if (
    start &&
    end &&
    Temporal.Instant.compare(start, end) < 0 &&
    Temporal.Instant.compare(end, start.add(longest)) <= 0
  )
    return { from: start, to: end };
  throw new Fault('bad_request', [
    {
      field: 'to',
      message: t('must be after from, by at most {most} days; give a shorter range', {
        most: MAX_RANGE_DAYS,
      }),
    },
  ]);
}

function text(epochMilliseconds: number): string {
  return instantText(Temporal.Instant.fromEpochMilliseconds(epochMilliseconds));
}
