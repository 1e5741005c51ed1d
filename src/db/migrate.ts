import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, type ClientConfig, DatabaseError } from 'pg';

/** Any constant: held while migrating, so that nodes which start together wait for the first. */
const MIGRATION_LOCK = 7303_0001;

/** A migration that waits for a table keeps everybody else waiting behind it: not longer than that, then it tries again. */
const LOCK_MS = 2_000;
const TRY_AGAIN_MS = 1_000;
const PATIENCE_MS = 5 * 60_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** Says in a migration that what it does is more than the releases before it can live with, and why. */
const NOT_BESIDE_OLDER = /^-- not beside older releases: \S/m;

const folder = new URL('../../migrations/', import.meta.url);

/**
 * Brings the database to the newest schema: every `migrations/NNNN_name.sql` that was not applied yet, each in its
 * own transaction. Returns the names applied. Refuses when an applied file was changed afterwards, or when a newer
 * program made something of the database that this one cannot live with.
 */
export async function migrate(
  connection: ClientConfig,
  files: Promise<MigrationFile[]> = migrationFiles(),
): Promise<string[]> {
  const client = new Client({
    ...connection,
    application_name: 'tocsin migrate',
    connectionTimeoutMillis: 10_000,
  });
  // Should the database die meanwhile, the statement says so; without a listener this event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await applyMissing(client, await files);
  } finally {
    await client.end();
  }
}

async function applyMissing(client: Client, files: readonly MigrationFile[]): Promise<string[]> {
  await makeMigrationsTable(client);
  const { rows } = await client.query<AppliedMigration>(
    'select name, checksum, beside_older as "besideOlder" from migrations',
  );
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  refuseNewer(rows, files);
  const names: string[] = [];
  for (const file of files) {
    const known = applied.get(file.name);
    if (known === file.checksum) continue;
    if (known)
      throw new Error(
        `migrations/${file.name} was changed after it had been applied; restore it and add a new file`,
      );
    await applyOne(client, file);
    names.push(file.name);
  }
  return names;
}

/** Keeps others from migrating until the caller's transaction ends. */
export async function holdMigrations(client: Client): Promise<void> {
  await client.query('select pg_advisory_xact_lock_shared($1)', [MIGRATION_LOCK]);
}

export type MigrationFile = { name: string; text: string; checksum: string };

export async function migrationFiles(): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

type AppliedMigration = { name: string; checksum: string; besideOlder: boolean };

/** What newer releases added to the database is no concern of this one, unless they said that it is. */
function refuseNewer(applied: readonly AppliedMigration[], shipped: readonly MigrationFile[]): void {
  const known = new Set(shipped.map(({ name }) => name));
  const newer = applied.filter(({ name, besideOlder }) => !known.has(name) && !besideOlder);
  if (newer.length === 0) return;
  const names = newer.map(({ name }) => name).join(', ');
  throw new Error(
    `the database was migrated by a newer Tocsin (${names}); start that version or a later one, or restore a backup that this one made`,
  );
}

export async function makeMigrationsTable(client: Client): Promise<void> {
  await client.query(`create table if not exists migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
  // Not asked each time: changing a table locks it, whether anything changes or not.
  const { rowCount } = await client.query(
    `select from pg_attribute where attrelid = 'migrations'::regclass and attname = 'beside_older'`,
  );
  if (rowCount === 0)
    await client.query('alter table migrations add column beside_older boolean not null default false');
}

/** In the caller's transaction. */
export async function runMigration(client: Client, file: MigrationFile): Promise<void> {
  await client.query(file.text);
  await client.query('insert into migrations (name, checksum, beside_older) values ($1, $2, $3)', [
    file.name,
    file.checksum,
    runsBesideOlder(file.text),
  ]);
}

/** Whether programs of the release before may go on, and start, over what this migration made. */
export function runsBesideOlder(text: string): boolean {
  return !NOT_BESIDE_OLDER.test(text);
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
      if (isLocked(error) && performance.now() < deadline) continue;
      throw new Error(`migrations/${file.name} could not be applied: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE;
}
