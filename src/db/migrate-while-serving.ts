import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Client, type ClientConfig, DatabaseError } from 'pg';
import type { Log } from '../kit/log.ts';
import { isDatabaseAway } from './away.ts';
import { breakConnection, closeConnection } from './connection.ts';
import type { Database, Handle } from './database.ts';
import { DatabaseClient } from './hosts.ts';
import { type MigrationFile, migrationFiles, runsWhileServing, statementsOf } from './migration-files.ts';
import { holdServingMigrations } from './migration-locks.ts';

const LOOK_AGAIN_MS = 10_000;
/**
 * The maximum factor of the pause between attempts. A migration that keeps failing, for example for lack of disk space,
 * reads a large table each time.
 */
const MOST_PATIENCE = 32;

export type WhileServing = {
  /** Migrations that were unapplied at the last look. Another node may be applying them. */
  waiting(): readonly string[];
  /** Cancels the running migration; the next start runs it again. */
  stop(): Promise<void>;
};

/**
 * Applies the migrations that `migrate` left out: it builds indexes and checks constraints while pages are accepted and
 * sent. One node does it; the others check whether it is done, and take over if that node dies. An interrupted
 * migration starts again. Stops when nothing is left, which is immediately on most starts.
 */
export function migrateWhileServing(
  { db, direct, log }: { db: Database; direct: ClientConfig; log: Log },
  { files = migrationFiles(), lookAgainMs = LOOK_AGAIN_MS } = {},
): WhileServing {
  const stopping = new AbortController();
  const { signal } = stopping;
  let waiting: readonly string[] = [];

  async function work(): Promise<void> {
    for (let pause = 1; !signal.aborted; ) {
      try {
        const left = await listWaiting(db, await files);
        waiting = left.map(({ name }) => name);
        if (left.length === 0) return;
        if (await applyInTurn(direct, left, log, signal)) continue;
        pause = 1;
      } catch (error) {
        if (!signal.aborted) tell(error);
        pause = Math.min(pause * 2, MOST_PATIENCE);
      }
      await delay(lookAgainMs * pause, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  function tell(error: unknown): void {
    log[isDatabaseAway(error) ? 'warn' : 'error'](
      { err: error, migrations: waiting },
      'a migration was not finished while serving; it starts again later',
    );
  }

  const done = work();
  return {
    waiting: () => waiting,
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

/** Migrations that run while the service runs and were not applied yet. */
export async function listWaiting(
  db: Handle,
  files: readonly MigrationFile[],
): Promise<readonly MigrationFile[]> {
  const mine = files.filter(({ text }) => runsWhileServing(text));
  const { rows } = await sql<{ name: string }>`select name from migrations
    where name = any(${mine.map(({ name }) => name)})`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  return mine.filter(({ name }) => !applied.has(name));
}

/** Returns false if another node is applying them. */
async function applyInTurn(
  connection: ClientConfig,
  files: readonly MigrationFile[],
  log: Log,
  signal: AbortSignal,
): Promise<boolean> {
  const client = new DatabaseClient({
    ...connection,
    application_name: 'tocsin migrate while serving',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  client.on('error', () => undefined);
  // The database cancels the statement of a connection that is closed.
  const leave = () => breakConnection(client);
  signal.addEventListener('abort', leave);
  try {
    await client.connect();
    signal.throwIfAborted();
    await takeTime(client);
    if (!(await holdServingMigrations(client))) return false;
    for (const file of files) await applyOne(client, file, log);
    return true;
  } finally {
    signal.removeEventListener('abort', leave);
    if (!signal.aborted) await closeConnection(client);
  }
}

/** Allows unlimited time but no parallel workers, and lets the database notice if this process ends. */
async function takeTime(client: Client): Promise<void> {
  await client.query(`set statement_timeout = 0; set lock_timeout = 0; set idle_session_timeout = 0;
    set max_parallel_maintenance_workers = 0;
    set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3`);
  // Not every platform supports it. Without it, the database finishes the statement before it notices.
  await client.query(`set client_connection_check_interval = '1s'`).catch(() => undefined);
}

async function applyOne(client: Client, file: MigrationFile, log: Log): Promise<void> {
  // Another node may have applied it since we looked.
  const { rowCount } = await client.query('select from migrations where name = $1', [file.name]);
  if (rowCount !== 0) return;
  const began = performance.now();
  log.info({ migration: file.name }, 'started a migration while serving');
  for (const statement of statementsOf(file.text)) await run(client, statement, log);
  await client.query(
    'insert into migrations (name, checksum, beside_older) values ($1, $2, true) on conflict (name) do nothing',
    [file.name, file.checksum],
  );
  const seconds = Math.round((performance.now() - began) / 1_000);
  log.info({ migration: file.name, seconds }, 'a migration was applied while serving');
}

async function run(client: Client, statement: string, log: Log): Promise<void> {
  const [, index] = /^create (?:unique )?index concurrently if not exists (\w+)/i.exec(statement) ?? [];
  if (index) await dropUnfinished(client, index);
  try {
    await client.query(statement);
  } catch (error) {
    if (!isAboutNothing(statement, error)) throw error;
    log.info({ err: error, statement }, 'skipped a migration, because a later one removed its subject');
  }
}

/**
 * Drops the invalid index that an interrupted build left behind: it slows down writes, no query uses it, and its name
 * is taken.
 */
async function dropUnfinished(client: Client, index: string): Promise<void> {
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  );
  if (rowCount !== 0) await client.query(`drop index concurrently ${index}`);
}

/**
 * The table, column or constraint does not exist: after an upgrade over many releases, later migrations have already
 * run.
 */
function isAboutNothing(statement: string, error: unknown): boolean {
  const gone = ['42P01', '42703', ...(/^alter table\b/i.test(statement) ? ['42704'] : [])];
  return error instanceof DatabaseError && gone.includes(error.code ?? '');
}
