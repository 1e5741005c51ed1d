import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';

/**
 * PostgreSQL checks foreign keys with plans that it makes once for each connection, often while the tables are empty. A
 * plan that does not find the row by its whole key reads the organization's whole table for each new row, for hours.
 */
describe('foreign keys', () => {
  let database: TestDatabase;
  let client: Client;

  before(async () => {
    database = await testDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('set plan_cache_mode = force_generic_plan');
  });
  after(async () => {
    await client.end();
    await database.drop();
  });

  it('are checked by the whole key, however small the tables are', async () => {
    const { rows } = await client.query<{ target: string; columns: string[] }>(`
      select distinct k.confrelid::regclass::text as target,
        (select array_agg(a.attname::text order by ord) from unnest(k.confkey) with ordinality as c(number, ord)
          join pg_attribute a on a.attrelid = k.confrelid and a.attnum = c.number) as columns
      from pg_constraint k where k.contype = 'f' order by 1`);
    assert.ok(rows.length > 20);
    const wrong: string[] = [];
    for (const { target, columns } of rows) {
      const plan = await planOf(target, columns);
      if (plan.some((line) => /Filter:|Seq Scan/.test(line))) wrong.push(`${target}: ${plan.join(' ')}`);
    }
    assert.deepEqual(wrong, []);
  });

  async function planOf(target: string, columns: string[]): Promise<string[]> {
    const types = await client.query<{ type: string }>(
      `select format_type(atttypid, atttypmod) as type from unnest($2::text[]) with ordinality as c(name, ord)
       join pg_attribute on attrelid = $1::regclass and attname = c.name order by ord`,
      [target, columns],
    );
    const where = columns.map((column, index) => `${column} = $${index + 1}`).join(' and ');
    const list = types.rows.map(({ type }) => type).join(', ');
    await client.query(
      `prepare checked(${list}) as select 1 from only ${target} x where ${where} for key share of x`,
    );
    const values = types.rows.map(() => 'null').join(', ');
    const { rows } = await client.query<Record<string, string>>(
      `explain (costs off) execute checked(${values})`,
    );
    await client.query('deallocate checked');
    return rows.map((row) => (Object.values(row)[0] ?? '').trim());
  }
});
