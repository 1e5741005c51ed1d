import { type RawBuilder, sql } from 'kysely';

/**
 * A `timestamptz` as the API writes it: ISO 8601 in UTC with milliseconds and `Z`, like `instantText` in `kit`. Null
 * stays null. `column` is an expression from our own code, never input.
 */
export function utcText(column: string): RawBuilder<string> {
  return sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);
}
