import { types } from 'pg';

const TIMESTAMPTZ = 1184;
const NUMERIC = 1700;
const BIGINT = 20;
const DATE = 1082;

/**
 * Teaches the driver our types: `timestamptz` is a `Temporal.Instant` both ways, `numeric` (stages, hours) and
 * `bigint` (row numbers below 2^53) are numbers, a `date` stays the text `2026-12-25`: it has no zone. `toPostgres` is
 * the driver's documented hook for values.
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

/** PostgreSQL writes `2026-11-20 05:32:00.123+00`: a space for the T and an offset without minutes. */
function parseInstant(text: string): Temporal.Instant {
  return Temporal.Instant.from(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
}
