import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client, ClientConfig } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { listTables, type Table } from '../db/backup/catalog.ts';
import { quoted } from '../db/backup/contents.ts';
import { connectForBackup } from '../db/backup/write.ts';
import { closeConnection } from '../db/connection.ts';
import { COPIED_TABLES, type CopiedTable } from './tables.ts';

/** The most that is read in one copy, as the text of COPY. */
const MOST_BYTES = 1_024 * 1_024 * 1_024;
/** The most rows of one table; only idempotency keys of a storm come near it. */
const MOST_ROWS = 5_000_000;
/** A copy that takes longer is abandoned, and made again later. */
const DEADLINE_MS = 50_000;

/** Where a lifeboat's own database is, and its row in `lifeboats`. */
export type CopyTarget = { connection: ClientConfig; id: string; host: string };

/**
 * Replaces the configuration in a lifeboat's database with that of the main database: read as one snapshot, written in
 * one transaction. Call it only while no pages are aboard, because rows that refer to removed configuration are deleted
 * with it. `signal` abandons the copy. @returns the time of the snapshot @throws if either database fails, if the copy is
 * too large, takes too long or is abandoned, or if the main database is empty; the former copy then stays
 */
export async function copyConfiguration(
  main: ClientConfig,
  target: CopyTarget,
  { mostBytes = MOST_BYTES, signal }: { mostBytes?: number; signal?: AbortSignal } = {},
): Promise<Temporal.Instant> {
  const late = AbortSignal.timeout(DEADLINE_MS);
  const giveUp = signal ? AbortSignal.any([late, signal]) : late;
  const source = await connectForBackup(main, 'tocsin lifeboat copy', giveUp);
  try {
    const local = await connectForBackup(target.connection, 'tocsin lifeboat copy', giveUp);
    try {
      giveUp.throwIfAborted();
      return await copyBetween(source, local, target, mostBytes);
    } finally {
      await closeConnection(local);
    }
  } finally {
    await closeConnection(source);
  }
}

async function copyBetween(
  source: Client,
  local: Client,
  { id, host }: CopyTarget,
  mostBytes: number,
): Promise<Temporal.Instant> {
  await source.query('begin isolation level repeatable read read only');
  const { rows } = await source.query<{ at: string; whole: boolean }>(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
       not pg_is_in_recovery() and exists (select from installation) as whole`,
  );
  // A standby may lag behind, and a newly created database must not replace a working copy.
  if (!rows[0]?.whole) throw new Error('the main database is empty or a standby, so it was not copied');
  const [theirs, ours, keys] = [await listTables(source), await listTables(local), await listKeys(local)];
  let bytes = 0;
  const count = () =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        done(
          bytes > mostBytes ? new Error(`the configuration is larger than ${mostBytes} bytes`) : null,
          chunk,
        );
      },
    });
  await local.query('begin');
  const tables = COPIED_TABLES.map((table) => columnsOf(table, theirs, ours, keys));
  for (const { name, columns, where } of tables) {
    await local.query(
      `create temp table ${fresh(name)} (like ${quoted(name)} including defaults) on commit drop`,
    );
    const chosen = `select ${columns} from ${quoted(name)} ${where ? `where ${where}` : ''} limit ${MOST_ROWS}`;
    await pipeline(
      source.query(copyTo(`copy (${chosen}) to stdout`)),
      count(),
      local.query(copyFrom(`copy ${fresh(name)} (${columns}) from stdin`)),
    );
  }
  await source.query('commit');
  for (const table of tables.toReversed()) await local.query(deleteOutdated(table));
  for (const table of tables) await local.query(insertMissing(table));
  // Triggers on schedules and absences record here what to repair, which only the main database does.
  await local.query('delete from cover_checks');
  await local.query(
    `insert into lifeboats (id, host, state, copied_at, seen_at) values ($1, $2, 'ashore', $3, now())
     on conflict (id) do update set host = excluded.host, copied_at = excluded.copied_at, seen_at = excluded.seen_at`,
    [id, host, rows[0].at],
  );
  await local.query('commit');
  return Temporal.Instant.from(rows[0].at);
}

/** A table with its columns as SQL. `key`: those of the primary key. */
type Copying = { name: string; where: string | null; columns: string; names: string[]; key: string[] };

/** The columns that both databases have. During an upgrade, one may be ahead. */
function columnsOf(
  { name, where, without = [] }: CopiedTable,
  theirs: readonly Table[],
  ours: readonly Table[],
  keys: ReadonlyMap<string, string[]>,
): Copying {
  const [there, here] = [theirs, ours].map(
    (tables) => tables.find((table) => table.name === name)?.columns ?? [],
  );
  const names = (here ?? []).filter((column) => there?.includes(column) && !without.includes(column));
  return { name, where, names, columns: names.map(quoted).join(', '), key: keys.get(name) ?? [] };
}

function fresh(name: string): string {
  return quoted(`fresh_${name}`);
}

/** Whether the row `t` of the table and the row `n` of the copy are the same. */
function same({ key, names }: Copying): string {
  const row = (alias: string) => `(${names.map((column) => `${alias}.${quoted(column)}`).join(', ')})`;
  return `${matching(key)} and ${row('n')} is not distinct from ${row('t')}`;
}

function matching(key: readonly string[]): string {
  return key.map((column) => `n.${quoted(column)} = t.${quoted(column)}`).join(' and ');
}

function deleteOutdated(table: Copying): string {
  const { name } = table;
  return `delete from ${quoted(name)} t where not exists (select from ${fresh(name)} n where ${same(table)})`;
}

/** Only changes are written, so that a copy each minute costs the disk little. */
function insertMissing(table: Copying): string {
  const { name, columns, names, key } = table;
  const changes = names
    .filter((column) => !key.includes(column))
    .map((column) => `${quoted(column)} = excluded.${quoted(column)}`);
  return `insert into ${quoted(name)} (${columns}) select ${columns} from ${fresh(name)} n
    where not exists (select from ${quoted(name)} t where ${same(table)})
    on conflict (${key.map(quoted).join(', ')}) do ${changes.length > 0 ? `update set ${changes.join(', ')}` : 'nothing'}`;
}

/** The columns of the primary key of each table. */
async function listKeys(client: Client): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_index i join pg_class c on c.oid = i.indrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
    where i.indisprimary and c.relnamespace = current_schema()::regnamespace group by c.relname`);
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}
