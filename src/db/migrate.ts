import { setTimeout as delay } from 'node:timers/promises';
import { type Client, type ClientConfig, DatabaseError } from 'pg';
import { DatabaseClient } from './hosts.ts';
import {
  isFormOf,
  MigrationFault,
  type MigrationFile,
  migrationFiles,
  runsBesideOlder,
  runsWhileServing,
  textForTransaction,
} from './migration-files.ts';
import { interruptServingMigrations, waitForMigrations } from './migration-locks.ts';

/** Everybody else waits behind a migration that waits for a table, so it gives up after this time and tries again. */
const LOCK_MS = 2_000;
const TRY_AGAIN_MS = 1_000;
const PATIENCE_MS = 5 * 60_000;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/**
 * Brings the database to this program's schema: applies every `migrations/NNNN_name.sql` that was not applied yet, each
 * in its own transaction. Migrations for a running service are left to it, except in a new database. Returns the names
 * applied.
 * @throws when an applied file was changed, or when a newer release made a change that this one cannot run with
 */
export async function migrate(
  connection: ClientConfig,
  files: Promise<MigrationFile[]> = migrationFiles(),
): Promise<string[]> {
  return withClient(connection, async (client) => {
    // Most starts have nothing to apply and need not wait for a backup, which blocks migrations.
    if ((await missing(client, await files)).atStart.length === 0) return [];
    // The role may have a limit of its own.
    await client.query('set statement_timeout = 0');
    await waitForMigrations(client);
    await makeMigrationsTable(client);
    const { atStart } = await missing(client, await files);
    if (atStart.length > 0) await interruptServingMigrations(client);
    for (const file of atStart) await applyOne(client, file);
    return atStart.map(({ name }) => name);
  });
}

export type MissingMigrations = {
  /** The newest one that was applied; null in a new database. */
  newest: string | null;
  /** Applied before the service starts. */
  atStart: MigrationFile[];
  /** Applied while it runs. */
  whileServing: MigrationFile[];
};

/**
 * What `migrate` and the running service would apply. Changes nothing.
 * @throws MigrationFault where `migrate` would throw it
 */
export async function missingMigrations(
  connection: ClientConfig,
  files: Promise<MigrationFile[]> = migrationFiles(),
): Promise<MissingMigrations> {
  return withClient(connection, async (client) => missing(client, await files));
}

async function withClient<T>(connection: ClientConfig, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new DatabaseClient({
    ...connection,
    application_name: 'tocsin migrate',
    connectionTimeoutMillis: 10_000,
  });
  // If the connection breaks, the statement reports it; without a listener, this event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function missing(client: Client, files: readonly MigrationFile[]): Promise<MissingMigrations> {
  const rows = await readApplied(client);
  refuseNewer(rows, files);
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  const isNew = applied.size === 0;
  for (const file of files) refuseChanged(file, applied.get(file.name));
  const todo = files.filter(({ name }) => !applied.has(name));
  const waits = ({ text }: MigrationFile) => !isNew && runsWhileServing(text);
  return {
    newest: [...applied.keys()].sort().at(-1) ?? null,
    atStart: todo.filter((file) => !waits(file)),
    whileServing: todo.filter(waits),
  };
}

function refuseChanged(file: MigrationFile, applied: string | undefined): void {
  if (applied === undefined || isFormOf(file, applied)) return;
  throw new MigrationFault(
    `This database was migrated by a different build of Tocsin: its migration ${file.name} is not the one of this release, so ` +
      'nothing was changed. Start the build that ran before, or install a published release. (If you develop Tocsin: ' +
      'restore the file, and put the change into a new migration.)',
  );
}

type AppliedMigration = { name: string; checksum: string; besideOlder: boolean };

async function readApplied(client: Client): Promise<AppliedMigration[]> {
  const { rows: tables } = await client.query<{ there: boolean }>(
    `select to_regclass('migrations') is not null as there`,
  );
  if (!tables[0]?.there) return [];
  const { rows } = await client.query<AppliedMigration>(
    `select name, checksum, coalesce((to_jsonb(m)->>'beside_older')::boolean, false) as "besideOlder" from migrations m`,
  );
  return rows;
}

/** Migrations of newer releases are accepted unless they are marked as incompatible with older releases. */
function refuseNewer(applied: readonly AppliedMigration[], shipped: readonly MigrationFile[]): void {
  const known = new Set(shipped.map(({ name }) => name));
  const newer = applied.filter(({ name, besideOlder }) => !known.has(name) && !besideOlder);
  if (newer.length === 0) return;
  const names = newer.map(({ name }) => name).join(', ');
  throw new MigrationFault(
    `The database was migrated by a newer Tocsin (${names}), and this release cannot run with it. Start that version or a ` +
      'later one, or restore a backup that this one made.',
  );
}

export async function makeMigrationsTable(client: Client): Promise<void> {
  await client.query(`create table if not exists migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
  // Checked first, because `alter table` takes its lock even if it changes nothing.
  const { rowCount } = await client.query(
    `select from pg_attribute where attrelid = 'migrations'::regclass and attname = 'beside_older'`,
  );
  if (rowCount === 0)
    await client.query('alter table migrations add column beside_older boolean not null default false');
}

/** Runs a migration in the caller's transaction. */
export async function runMigration(client: Client, file: MigrationFile): Promise<void> {
  await client.query(textForTransaction(file));
  await client.query('insert into migrations (name, checksum, beside_older) values ($1, $2, $3)', [
    file.name,
    file.checksum,
    runsBesideOlder(file.text),
  ]);
}

async function applyOne(client: Client, file: MigrationFile): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; ; await delay(TRY_AGAIN_MS)) {
    try {
      await client.query('begin');
      await client.query(`set local lock_timeout = ${LOCK_MS}`);
      await runMigration(client, file);
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      if (isLocked(error) && performance.now() < deadline) {
        await interruptServingMigrations(client);
        continue;
      }
      throw new Error(`migrations/${file.name} could not be applied: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === LOCK_NOT_AVAILABLE || error.code === DEADLOCK);
}
