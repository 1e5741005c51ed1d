import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testDatabase } from '../../testing/database.ts';
import { endPool } from './connection.ts';
import { createPool } from './database.ts';

it('looks up rows of a join by their keys, however cheap it seems to read the table or its index', async () => {
  const database = await testDatabase();
  const settings = { connection: { connectionString: database.url }, max: 1, name: 'test' };
  const pools = [createPool(settings), createPool({ ...settings, byIndex: true })] as const;
  try {
    await pools[0].query(
      'create table by_key as select i as id, i::text as text from generate_series(1, 2000) i',
    );
    await pools[0].query('alter table by_key add primary key (id)');
    await pools[0].query('analyze by_key');
    const planOf = async (pool: (typeof pools)[number]) => {
      const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
        'explain select from unnest($1::integer[]) as given(id) join by_key on by_key.id = given.id',
        [Array.from({ length: 2_000 }, (_, id) => id)],
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    assert.match(await planOf(pools[0]), /Hash Join|Merge Join/);
    assert.match(await planOf(pools[1]), /Nested Loop.*Index (Only )?Scan using by_key_pkey/s);
  } finally {
    await Promise.all(pools.map(endPool));
    await database.drop();
  }
});
