import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testDatabase } from '../../testing/database.ts';
import { runOn } from '../../testing/postgres.ts';
import { endPool } from './connection.ts';
import { createPool } from './database.ts';

for (const [server, expected] of [
  ['off', 'on'],
  ['on', 'on'],
  ['remote_apply', 'remote_apply'],
]) {
  it(`commits are on disk where the server has synchronous_commit = ${server}`, async () => {
    const database = await testDatabase();
    const name = new URL(database.url).pathname.slice(1);
    await runOn(database.url, `alter database ${name} set synchronous_commit = ${server}`);
    const pool = createPool({ connection: { connectionString: database.url }, max: 1, name: 'test' });
    const { rows } = await pool.query('show synchronous_commit');
    assert.equal(rows[0]?.synchronous_commit, expected);
    await endPool(pool);
    await database.drop();
  });
}
