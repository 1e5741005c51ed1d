import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { testDatabase } from '../../testing/database.ts';
import { parseInstant } from '../kit/instant.ts';
import { createDatabase, createPool } from './database.ts';

it('stores every accepted time to the microsecond', async (t) => {
  const database = await testDatabase();
  const pool = createPool({ connection: { connectionString: database.url }, max: 1, name: 'test' });
  const db = createDatabase(pool);
  t.after(async () => {
    await db.destroy();
    await database.drop();
  });
  const bounds = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'].map((text) =>
    Temporal.Instant.from(text),
  );
  const [first, last] = bounds.map((at) => at.epochMilliseconds);
  const some = fc.sample(fc.integer({ min: first ?? 0, max: last ?? 0 }), { numRuns: 1_000, seed: 1 });
  const times = [
    ...bounds,
    ...some.map((ms) => Temporal.Instant.fromEpochMilliseconds(ms).add({ microseconds: 7 })),
  ]
    .map((at) => parseInstant(at.toString()))
    .filter((at) => at !== null);
  assert.ok(times.length > 900);
  const { rows } = await sql<{ at: Temporal.Instant }>`
    select at from unnest(${times}::timestamptz[]) with ordinality as t(at, place) order by place`.execute(
    db,
  );
  assert.deepEqual(
    rows.map(({ at }) => at.toString()),
    times.map((at) => at.toString()),
  );
});
