import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely';
import { type ClientBase, Pool, type PoolConfig } from 'pg';
import { EmptiedPool, followConnections } from './connection.ts';
import { refuseReadOnly } from './identity.ts';
import { type OnFailure, PooledClient, PreparingClient } from './prepared.ts';
import type { Primary } from './primary.ts';
import type { DB } from './schema.ts';
import { teachDriver } from './temporal.ts';

export type Database = Kysely<DB>;
/** The first parameter of store functions: the database, or the caller's transaction. */
export type Handle = Kysely<DB> | Transaction<DB>;
export type { Transaction } from 'kysely';
export type Tx = Transaction<DB>;

export type PoolSettings = {
  connection: Pick<PoolConfig, 'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'>;
  max: number;
  /** Shown in pg_stat_activity, to identify the process and the part of it that hold a connection. */
  name: string;
  /** Time limit for each statement. */
  statementTimeoutMs?: number;
  onError?: (error: Error) => void;
  /** Keeps unused connections open, because opening one takes longer than a page may take. */
  keepIdle?: boolean;
  /**
   * Always look up rows by their keys. For a pool whose statements need few rows: a plan made while a table is small
   * would read the whole table, or its whole index to join it, and would still be used after the table has grown.
   */
  byIndex?: boolean;
  /**
   * The connection goes through a pooler that shares sessions, so no session state may be kept. The limits of the role
   * apply instead.
   */
  pooled?: boolean;
  /**
   * Follows the server that accepts writes from host to host. Without it, a server that accepts no writes is only
   * refused.
   */
  primary?: Primary;
};

/** Connections are closed at this age, so that changes of a load balancer or of DNS take effect without a restart. */
const GREATEST_AGE_SECONDS = 15 * 60;

/**
 * Creates a connection pool. Every operation has a deadline, because the driver's defaults wait forever for a
 * connection, for an answer, and for a peer that vanished.
 */
export function createPool(settings: PoolSettings): Pool {
  teachDriver();
  const { primary } = settings;
  const statementTimeoutMs = settings.statementTimeoutMs ?? 10_000;
  const onFailure: OnFailure = (client, error) => primary?.failed(client, error);
  const pool = new Pool({
    ...settings.connection,
    ...{ onFailure },
    Client: settings.pooled ? PooledClient : PreparingClient,
    onConnect: async (client) => {
      if (!settings.pooled) await insistOnDurability(client);
      await (primary ? primary.check(client) : refuseReadOnly(client));
    },
    maxLifetimeSeconds: GREATEST_AGE_SECONDS,
    max: settings.max,
    application_name: settings.name,
    ...(settings.pooled ? {} : sessionSettings(statementTimeoutMs, settings.byIndex)),
    // Only `together` uses this; every other caller waits for an answer before it sends the next statement.
    pipeline: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: statementTimeoutMs + 2_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    idleTimeoutMillis: settings.keepIdle ? 0 : 60_000,
    allowExitOnIdle: true,
  });
  followConnections(pool);
  primary?.follow(pool);
  // Without a listener, an idle connection that breaks would end the process.
  pool.on('error', (error, client) => {
    if (error instanceof EmptiedPool) return;
    primary?.failed(client, error);
    settings.onError?.(error);
  });
  // The same for connections in use, which the pool does not watch. Their user gets the error from its next statement.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** What is answered with 200 must be on disk, even if the server's default is asynchronous commit. */
async function insistOnDurability(client: ClientBase): Promise<void> {
  await client.query(
    `select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`,
  );
}

/**
 * Joins are nested loops, each of which reads one row of an index. Before PostgreSQL 18, a plan that must use a disabled scan looks so
 * expensive that it would be compiled first.
 */
const BY_INDEX = ' -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off';

function sessionSettings(statementTimeoutMs: number, byIndex = false): PoolConfig {
  return {
    // Independent of the server's zone, in which dates near year 1 could become dates BC.
    options: `-c TimeZone=UTC${byIndex ? BY_INDEX : ''}`,
    statement_timeout: statementTimeoutMs,
    lock_timeout: Math.min(5_000, statementTimeoutMs),
    idle_in_transaction_session_timeout: 15_000,
  };
}

/**
 * Opens all connections of a pool in advance, so that the first page does not wait for them. Each is released at once, because the
 * work that uses the pool already needs them.
 */
export async function warmPool(pool: Pool): Promise<void> {
  const opened = Array.from({ length: pool.options.max }, async () => (await pool.connect()).release());
  await Promise.all(opened);
}

/** `pool` is a pool or a lane of one. */
export function createDatabase(pool: PostgresPool): Database {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}

/** The same API on a single connection that somebody else opens and closes. */
export function databaseOn(client: ClientBase): Database {
  const query = client.query.bind(client);
  const lent = { query, release: () => undefined };
  const pool = { connect: async () => lent, end: async () => undefined };
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool: pool as unknown as Pool }) });
}
