import { types } from 'pg';

const TIMESTAMPTZ = 1184;
const NUMERIC = 1700;
const BIGINT = 20;
const DATE = 1082;

/**
 * Registers our types with the driver: `timestamptz` is a `Temporal.Instant` in both directions, `numeric` (stages,
 * hours) and `bigint` (row numbers below 2^53) are numbers, and a `date`, which has no zone, stays text such as
 * `2026-12-25`. `toPostgres` is the driver's documented hook for parameters.
 */
export function teachDriver(): void {
  types.setTypeParser(TIMESTAMPTZ, parseInstant);
  types.setTypeParser(NUMERIC, Number);
  types.setTypeParser(BIGINT, Number);
  types.setTypeParser(DATE, String);
  Object.defineProperty(Temporal.Instant.prototype, 'toPostgres', {
    value(this: Temporal.Instant) {
      return this.toString();
    },
    configurable: true,
  });
}

/** PostgreSQL writes `2026-11-20 05:32:00.123+00`: a space instead of the T, and an offset without minutes. */
function parseInstant(text: string): Temporal.Instant {
  return Temporal.Instant.from(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
}
