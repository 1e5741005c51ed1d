import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client, ClientConfig } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Sealing } from '../../kit/sealing.ts';
import { closeConnection } from '../connection.ts';
import { makeMigrationsTable, runMigration } from '../migrate.ts';
import { isFormOf, type MigrationFile, migrationFiles, runsWhileServing } from '../migration-files.ts';
import { RUNNING_SERVERS } from '../servers.ts';
import {
  type Counter,
  listApplied,
  listCounters,
  listForeignKeys,
  listTables,
  type Table,
} from './catalog.ts';
import { clearSchema, keepNodes, type LivingNode, lockEverything } from './clearing.ts';
import { BackupFault, checkBackup, type Header, nameAndColumns, quoted, readBackup } from './contents.ts';
import { connectForBackup } from './write.ts';

export type RestoreOptions = {
  /** Replaces the existing data. Without it, only a database without organizations is accepted. */
  replace: boolean;
  /** The key that must have authenticated the backup; null: its contents are trusted without a check. */
  sealing: Sealing | null;
  /** Called before the commit with the mark that the backup's secret key left. It throws to undo everything. */
  checkKey(mark: string): void;
};

export type Restored = { rows: number; openPages: number; migrated: string[] };

/**
 * Restores a backup in one transaction: afterwards either all of it is in the database with the newest schema, or
 * nothing has changed. Running servers wait, and continue with the restored data.
 * @throws BackupFault when the backup or the database cannot be used
 */
export async function restoreBackup(
  connection: ClientConfig,
  path: string,
  options: RestoreOptions,
): Promise<Restored> {
  const { header, trailer } = await checkBackup(path, options.sealing);
  const files = await migrationFiles();
  const known = chooseMigrations(header, files);
  const client = await connectForBackup(connection);
  try {
    await lockEverything(client);
    if (!options.replace) await refuseOccupied(client);
    const before = { counters: await listCounters(client), tables: await listTables(client) };
    const running = await markOfRunning(client);
    const nodes = await keepNodes(client);
    await clearSchema(client, before.tables);
    await makeMigrationsTable(client);
    for (const file of known) await runMigration(client, file);
    await load(client, path, trailer.rows, options.sealing);
    const migrated = await bringUpToDate(client, files);
    await refuseForeignTables(client, before.tables);
    await putNodesBack(client, nodes);
    await countOn(client, before.counters);
    const mark = await readMark(client);
    options.checkKey(mark);
    if (running !== null && running !== mark) throw otherKeyInUse();
    const openPages = await countOpenPages(client);
    await client.query('commit');
    // Until then, PostgreSQL plans as if the tables were empty.
    await client.query(`analyze ${(await listTables(client)).map(({ name }) => quoted(name)).join(', ')}`);
    return { rows: Object.values(trailer.rows).reduce((sum, rows) => sum + rows, 0), openPages, migrated };
  } finally {
    await closeConnection(client);
  }
}

/**
 * The migrations that made the backup's schema, and those run while serving that its service had not applied yet. The
 * latter were written for the schema of their time, and later migrations may have removed what they change.
 */
function chooseMigrations(header: Header, files: readonly MigrationFile[]): MigrationFile[] {
  for (const { name, checksum } of header.migrations) {
    const file = files.find((one) => one.name === name);
    if (file && isFormOf(file, checksum)) continue;
    throw new BackupFault(
      `The backup was made by Tocsin ${header.version}, whose schema has ${name}${file ? ' in another form' : ''}; ` +
        'restore it with that version or a later one.',
    );
  }
  const known = new Set(header.migrations.map(({ name }) => name));
  const last = header.migrations.at(-1)?.name ?? '';
  return files.filter(({ name, text }) => known.has(name) || (name < last && runsWhileServing(text)));
}

async function refuseOccupied(client: Client): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('organizations') is not null as there`,
  );
  if (!rows[0]?.there) return;
  const { rowCount } = await client.query(
    `select from organizations o where to_jsonb(o)->>'hidden' is distinct from 'true' limit 1`,
  );
  if (rowCount === 0) return;
  throw new BackupFault(
    'This database is in use: it has an organization. Restore into an empty one, or add --replace to delete what it holds.',
  );
}

/**
 * Loads the rows, which may come in any order: triggers are disabled and foreign keys dropped meanwhile, and adding the
 * keys again checks them.
 */
async function load(
  client: Client,
  path: string,
  counts: Record<string, number>,
  sealing: Sealing | null,
): Promise<void> {
  const keys = await listForeignKeys(client);
  for (const { table, name } of keys)
    await client.query(`alter table ${table} drop constraint ${quoted(name)}`);
  const known = await listTables(client);
  const tables = known.map(({ name }) => name);
  for (const table of tables) {
    await client.query(`alter table ${quoted(table)} disable trigger user`);
    // Migrations may have inserted rows.
    await client.query(`truncate ${quoted(table)}`);
  }
  await copyRows(client, readBackup(path, sealing), known);
  for (const table of tables) await client.query(`alter table ${quoted(table)} enable trigger user`);
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${quoted(name)} ${definition}`);
  for (const [table, expected] of Object.entries(counts)) {
    knownTable(known, { name: table, columns: [] });
    const { rows } = await client.query<{ n: string }>(`select count(*) as n from ${quoted(table)}`);
    if (Number(rows[0]?.n) !== expected)
      throw new BackupFault(
        `The backup is damaged: table ${table} does not have the expected rows. Nothing was restored; use another backup.`,
      );
  }
}

async function copyRows(
  client: Client,
  parts: ReturnType<typeof readBackup>,
  known: readonly Table[],
): Promise<void> {
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    if (next.value.kind !== 'table') continue;
    const rows = async function* () {
      for (let one = await parts.next(); !one.done; one = await parts.next()) {
        if (one.value.kind !== 'rows') return;
        yield one.value.rows;
      }
    };
    const statement = `copy ${nameAndColumns(knownTable(known, next.value.table))} from stdin`;
    await pipeline(Readable.from(rows(), { objectMode: false }), client.query(copyFrom(statement)));
  }
}

/** The table and columns of our schema that a backup names, so that no unknown name gets into a statement. */
function knownTable(known: readonly Table[], { name, columns }: Table): Table {
  const table = known.find((one) => one.name === name);
  if (!table) throw notOfTheSchema(`table ${shown(name)}`);
  const found = columns.map((column) => table.columns.find((one) => one === column));
  const missing = found.indexOf(undefined);
  if (missing >= 0) throw notOfTheSchema(`column ${shown(columns[missing] ?? '')} of table ${shown(name)}`);
  return { name: table.name, columns: found.filter((column) => column !== undefined) };
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 63));
}

function notOfTheSchema(what: string): BackupFault {
  return new BackupFault(
    `The backup has rows for ${what}, which is not part of Tocsin. Nothing was restored; use another backup.`,
  );
}

async function bringUpToDate(client: Client, files: readonly MigrationFile[]): Promise<string[]> {
  const applied = new Set((await listApplied(client)).map(({ name }) => name));
  const missing = files.filter(({ name }) => !applied.has(name));
  for (const file of missing) await runMigration(client, file);
  return missing.map(({ name }) => name);
}

/** Refuses if foreign tables in the same schema were just dropped with ours; the transaction is then rolled back. */
async function refuseForeignTables(client: Client, before: readonly { name: string }[]): Promise<void> {
  const ours = new Set((await listTables(client)).map(({ name }) => name));
  const foreign = before.filter(({ name }) => !ours.has(name)).map(({ name }) => name);
  if (foreign.length === 0) return;
  throw new BackupFault(
    `The database also holds tables that are not Tocsin's (${foreign.join(', ')}); nothing was changed. Restore into a database of its own.`,
  );
}

/**
 * Continues the counters after the highest values of both the backup and the former database, so that no number is used
 * twice.
 */
async function countOn(client: Client, before: readonly Counter[]): Promise<void> {
  for (const { table, column, sequence } of await listCounters(client)) {
    const last = before.find((one) => one.table === table && one.column === column)?.last ?? 0;
    await client.query(
      `select setval($1, greatest(1, $2::bigint, (select coalesce(max(${quoted(column)}), 0) from ${quoted(table)})))`,
      [sequence, last],
    );
  }
}

/** Keeps the numbers of running processes. */
async function putNodesBack(client: Client, nodes: readonly LivingNode[]): Promise<void> {
  await client.query('delete from nodes where id = any($1)', [nodes.map(({ id }) => id)]);
  for (const { row } of nodes)
    await client.query(
      'insert into nodes overriding system value select * from jsonb_populate_record(null::nodes, $1)',
      [row],
    );
}

async function readMark(client: Client): Promise<string> {
  const { rows } = await client.query<{ key_check: string }>('select key_check from installation');
  return rows[0]?.key_check ?? '';
}

/** The mark of the key that running servers use; null when none runs. */
async function markOfRunning(client: Client): Promise<string | null> {
  const { rowCount } = await client.query(RUNNING_SERVERS);
  return rowCount === 0 ? null : readMark(client);
}

function otherKeyInUse(): BackupFault {
  return new BackupFault(
    'A server runs on this database with another secret key than that of the backup; nothing was changed. Stop it, restore, and start it again.',
  );
}

async function countOpenPages(client: Client): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from pages where state = 'notifying'`,
  );
  return rows[0]?.n ?? 0;
}
