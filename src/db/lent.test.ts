import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { sql } from 'kysely';
import { testDatabase } from '../../testing/database.ts';
import { createDatabase, createPool } from './database.ts';
import { borrowDatabase, lendDatabase, StatementFailed } from './lent.ts';

const database = await testDatabase();
const db = createDatabase(
  createPool({ connection: { connectionString: database.url }, max: 2, name: 'lent test' }),
);
after(async () => {
  await db.destroy();
  await database.drop();
});

function borrowed() {
  const { port1, port2 } = new MessageChannel();
  return { loan: lendDatabase(db, port1), own: borrowDatabase(port2) };
}

test('a borrowed database returns and accepts the same values as the database itself', async () => {
  const { loan, own } = borrowed();
  const at = Temporal.Instant.from('2026-11-24T10:00:00.123456Z');
  const values = sql<Record<string, unknown>>`
    select ${at}::timestamptz as at, null::timestamptz as never, ${['a "b"', '\\c', ' ']}::text[] as list,
      ${Buffer.from('zip')}::bytea as bytes, 7::bigint as number, ${null}::text as nothing`;
  const [{ rows: here }, { rows: there }] = [await values.execute(db), await values.execute(own)];
  assert.deepEqual(
    there.map((row) => ({ ...row, bytes: Buffer.from(row.bytes as Uint8Array) })),
    here,
  );
  await loan.end();
});

test('a transaction is committed, or rolled back when the loan ends before that', async () => {
  await sql`create table lent (word text primary key)`.execute(db);
  const { loan, own } = borrowed();
  await own.transaction().execute((tx) => sql`insert into lent values ('saved')`.execute(tx));
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  void own
    .transaction()
    .execute(async (tx) => {
      await sql`insert into lent values ('left')`.execute(tx);
      leave();
      await new Promise(() => undefined);
    })
    .catch(() => undefined);
  await left;
  await loan.end();
  const { rows } = await sql`select word from lent`.execute(db);
  assert.deepEqual(rows, [{ word: 'saved' }]);
});

test('the lender gets the error of a statement that failed', async () => {
  const { loan, own } = borrowed();
  const failed = await own
    .transaction()
    .execute((tx) => sql`select 1 / 0`.execute(tx))
    .catch((error: unknown) => error);
  assert.ok(failed instanceof StatementFailed);
  assert.equal(failed.code, '22012');
  assert.match(String(loan.failureOf(failed.statement)), /division by zero/);
  await loan.end();
});
