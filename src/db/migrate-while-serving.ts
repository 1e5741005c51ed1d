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
/** What fails again and again, such as for want of room, reads a large table each time: less and less often. */
const MOST_PATIENCE = 32;

export type WhileServing = {
  /** What is not applied yet, as of the last look; another node may be at it. */
  waiting(): readonly string[];
  /** Ends what is under way; the next start begins it anew. */
  stop(): Promise<void>;
};

/**
 * Applies what `migrate` left: indexes are built, and constraints checked, while pages are accepted and sent. One node
 * does it, the others look whether it is done and take over when that node is gone. What was begun and not ended is begun
 * anew. Stops by itself when nothing is left, which is at once for most starts.
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

/** What the service applies while it runs and has not applied yet. */
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

/** False when another node is at it. */
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
  // The database ends what it does for a connection that is gone.
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

/** As long as it takes and with one processor at the most; but not for a process that is gone. */
async function takeTime(client: Client): Promise<void> {
  await client.query(`set statement_timeout = 0; set lock_timeout = 0; set idle_session_timeout = 0;
    set max_parallel_maintenance_workers = 0;
    set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3`);
  // Not every system can; there it ends what it was at, and finds out then.
  await client.query(`set client_connection_check_interval = '1s'`).catch(() => undefined);
}

async function applyOne(client: Client, file: MigrationFile, log: Log): Promise<void> {
  // Another node may have been quicker between our look and our turn.
  const { rowCount } = await client.query('select from migrations where name = $1', [file.name]);
  if (rowCount !== 0) return;
  const began = performance.now();
  log.info({ migration: file.name }, 'a migration begins while serving');
  for (const statement of statementsOf(file.text)) await run(client, statement, log);
  await client.query(
    'insert into migrations (name, checksum, beside_older) values ($1, $2, true) on conflict (name) do nothing',
    [file.name, file.checksum],
  );
  const seconds = Math.round((performance.now() - began) / 1_000);
  log.info({ migration: file.name, seconds }, 'a migration was applied while serving');
}

async function run(client: Client, statement: string, log: Log): Promise<void> {
  const [, index] = /^create index concurrently if not exists (\w+)/i.exec(statement) ?? [];
  if (index) await dropUnfinished(client, index);
  try {
    await client.query(statement);
  } catch (error) {
    if (!isAboutNothing(statement, error)) throw error;
    log.info({ err: error, statement }, 'a later migration took away what this one is about; passed over');
  }
}

/** Whoever builds an index and dies leaves one behind that costs writes, serves nobody and stands in our way. */
async function dropUnfinished(client: Client, index: string): Promise<void> {
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  );
  if (rowCount !== 0) await client.query(`drop index concurrently ${index}`);
}

/** No such table, column or constraint: those who come from far behind have later migrations before them. */
function isAboutNothing(statement: string, error: unknown): boolean {
  const gone = ['42P01', '42703', ...(/^alter table\b/i.test(statement) ? ['42704'] : [])];
  return error instanceof DatabaseError && gone.includes(error.code ?? '');
}
