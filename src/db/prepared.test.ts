import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Pool } from 'pg';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { createPool } from './database.ts';

describe('prepared statements', () => {
  let database: TestDatabase;
  let pool: Pool;

  before(async () => {
    database = await testDatabase();
    pool = createPool({ connection: { connectionString: database.url }, max: 1, name: 'test' });
  });
  after(async () => {
    await pool.end();
    await database.drop();
  });

  const prepared = async () =>
    (await pool.query<{ n: number }>('select count(*)::int as n from pg_prepared_statements')).rows[0]?.n;

  it('keep the plan of statements that run repeatedly, and of no others', async () => {
    await pool.query('select $1::text as once', ['x']);
    assert.equal(await prepared(), 0);
    for (let run = 0; run < 5; run++) await pool.query('select $1::text as often', ['x']);
    assert.equal(await prepared(), 1);
  });

  it('survive a migration of their table', async () => {
    await pool.query('create table moved (a int)');
    for (let run = 0; run < 5; run++) await pool.query('select * from moved where a = $1', [run]);
    await pool.query('alter table moved add column b int');
    await assert.rejects(() => pool.query('select * from moved where a = $1', [1]), /cached plan/);
    for (let run = 0; run < 5; run++) await pool.query('select * from moved where a = $1', [run]);
  });
});
