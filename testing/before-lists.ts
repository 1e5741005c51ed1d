import { Client } from 'pg';
import type { TestDatabase } from './database.ts';

/** The indexes of `migrations/0175_lists.sql`. */
const LISTS = [
  'pages_team',
  'pages_expired',
  'responders_person',
  'moments_webhook',
  'moments_acknowledged',
] as const;

/** Reverts a new database to the state before `migrations/0175_lists.sql`. */
export async function takeBackLists({ url }: TestDatabase): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`drop index ${LISTS.join(', ')}`);
  await client.query('create index pages_newest on pages (organization_id, id desc)');
  await client.query(`delete from migrations where name = '0175_lists.sql'`);
  await client.end();
}

/** The state of each index, `good`, `unfinished` or missing, and whether the migration is recorded. */
export async function stateOfLists(client: Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; state: string }>(
    `select c.relname as name, case when i.indisvalid then 'good' else 'unfinished' end as state
      from pg_class c join pg_index i on i.indexrelid = c.oid where c.relname = any($1)
    union all select 'migration', 'noted' from migrations where name = '0175_lists.sql' order by 1`,
    [[...LISTS, 'pages_newest']],
  );
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
}

/** The result of `stateOfLists` after the migration. */
export const ALL_LISTS = Object.fromEntries(
  [...LISTS.map((name) => [name, 'good']), ['migration', 'noted']].sort(([a], [b]) =>
    `${a}` < `${b}` ? -1 : 1,
  ),
);
