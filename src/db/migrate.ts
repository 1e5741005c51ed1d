import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { Client, type ClientConfig } from 'pg';

/** Any constant: held while migrating, so that nodes which start together wait for the first. */
const MIGRATION_LOCK = 7303_0001;

const folder = new URL('../../migrations/', import.meta.url);

/**
 * Brings the database to the newest schema: every `migrations/NNNN_name.sql` that was not applied yet, each in its
 * own transaction. Returns the names applied. Refuses when an applied file was changed afterwards, or when the
 * database is newer than this program.
 */
export async function migrate(connection: ClientConfig): Promise<string[]> {
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
    return await applyMissing(client);
  } finally {
    await client.end();
  }
}

async function applyMissing(client: Client): Promise<string[]> {
  await makeMigrationsTable(client);
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations',
  );
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  const files = await migrationFiles();
  refuseUnknown(
    [...applied.keys()],
    files.map((file) => file.name),
  );
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

function refuseUnknown(applied: string[], shipped: string[]): void {
  const unknown = applied.filter((name) => !shipped.includes(name));
  if (unknown.length === 0) return;
  throw new Error(
    `the database was migrated by a newer Tocsin (${unknown.join(', ')}); start that version or a later one`,
  );
}

export async function makeMigrationsTable(client: Client): Promise<void> {
  await client.query(`create table if not exists migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
}

/** In the caller's transaction. */
export async function runMigration(client: Client, file: MigrationFile): Promise<void> {
  await client.query(file.text);
  await client.query('insert into migrations (name, checksum) values ($1, $2)', [file.name, file.checksum]);
}

async function applyOne(client: Client, file: MigrationFile): Promise<void> {
  try {
    await client.query('begin');
    await runMigration(client, file);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw new Error(`migrations/${file.name} could not be applied: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
