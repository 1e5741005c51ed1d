import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { UncoveredTimes } from '../calendars/api-contract.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText, parseInstant } from '../kit/instant.ts';
import { unhurried } from '../kit/unhurried.ts';
import { viewerOf } from '../sessions/contract.ts';
import { MAX_RANGE_DAYS } from './contract.ts';
import { namedHolidaysOf } from './holiday-store.ts';
import { uncoveredTimes } from './uncovered.ts';
import { findTimetables, type Timetables } from './uncovered-store.ts';

const Params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const Query = Type.Object({
  from: Type.String({ format: 'instant' }),
  to: Type.String({ format: 'instant' }),
});

/** GET /api/schedules/:id/uncovered: the times without anybody on call by design, and the holidays in the range. */
export function uncoveredRoutes(api: FastifyInstance, { db }: { db: Database; clock: Clock }): void {
  api.get(
    '/schedules/:id/uncovered',
    { schema: { hide: true, params: Params, querystring: Query } },
    async (request): Promise<UncoveredTimes> => {
      const { id } = request.params as Static<typeof Params>;
      const query = request.query as Static<typeof Query>;
      const { from, to } = rangeOf(query);
      const schedule = await findTimetables(db, viewerOf(request).organizationId, id);
      if (!schedule)
        throw new Fault('not_found', [{ field: 'id', message: 'is no schedule of your organization' }]);
      const day = (at: Temporal.Instant) => at.toZonedDateTimeISO(schedule.timeZone).toPlainDate();
      const holidays = await namedHolidaysOf(db, id, day(from), day(to));
      const uncovered = new Set(schedule.holidayUse === 'uncovered' ? holidays.map(({ date }) => date) : []);
      return {
        holidays,
        stages: await unhurried(stagesOf(schedule.stages, uncovered, { from, to })),
      };
    },
  );
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

function rangeOf({ from, to }: Static<typeof Query>): { from: Temporal.Instant; to: Temporal.Instant } {
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
    { field: 'to', message: `must be after from, by at most ${MAX_RANGE_DAYS} days; ask for less at once` },
  ]);
}

function text(epochMilliseconds: number): string {
  return instantText(Temporal.Instant.fromEpochMilliseconds(epochMilliseconds));
}
