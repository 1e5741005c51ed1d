import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import { type ClientBase, Pool, type PoolConfig } from 'pg';
import { EmptiedPool, followConnections } from './connection.ts';
import { refuseReadOnly } from './identity.ts';
import { type OnFailure, PooledClient, PreparingClient } from './prepared.ts';
import type { Primary } from './primary.ts';
import type { DB } from './schema.ts';
import { teachDriver } from './temporal.ts';

export type Database = Kysely<DB>;
/** What a store function takes first: the database, or the transaction that the caller has opened. */
export type Handle = Kysely<DB> | Transaction<DB>;
export type { Transaction } from 'kysely';
export type Tx = Transaction<DB>;

export type PoolSettings = {
  connection: Pick<PoolConfig, 'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'>;
  max: number;
  /** Seen in pg_stat_activity: tells which part of which process holds a connection. */
  name: string;
  /** Longest time that one statement may take. */
  statementTimeoutMs?: number;
  onError?: (error: Error) => void;
  /** Keeps connections that nobody uses: opening one costs more than a page may take. */
  keepIdle?: boolean;
  /**
   * Rows are found by an index, always. For a pool whose statements ask for rows by their keys: those that it plans
   * while a table is empty would read all of it, and be kept when it has grown.
   */
  byIndex?: boolean;
  /** A pooler in between shares sessions: nothing may be kept in one. Limits are then the role's own. */
  pooled?: boolean;
  /** Follows the server that takes writes from one host to another; without it, one that takes none is only refused. */
  primary?: Primary;
};

/** No connection gets older than that: what a load balancer or a changed name leads to is found out by itself. */
const GREATEST_AGE_SECONDS = 15 * 60;

/**
 * One pool of connections. Everything has a deadline: the driver's own defaults wait for ever for a connection,
 * for an answer and for a peer that vanished.
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
    // Only what `together` runs makes use of it: all else waits for its answer before it asks again.
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
  // Without a listener an idle connection that breaks would end the process.
  pool.on('error', (error, client) => {
    if (error instanceof EmptiedPool) return;
    primary?.failed(client, error);
    settings.onError?.(error);
  });
  // The same holds for one that is lent out, of which the pool takes no notice; its borrower learns of it by the next
  // statement.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** What is answered 200 is on disk, even where the operator's server says "committed" before it is. */
async function insistOnDurability(client: ClientBase): Promise<void> {
  await client.query(
    `select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`,
  );
}

/** Before PostgreSQL 18, a plan that cannot do without seems expensive enough to be compiled first. */
const BY_INDEX = ' -c enable_seqscan=off -c jit=off';

function sessionSettings(statementTimeoutMs: number, byIndex = false): PoolConfig {
  return {
    // Whatever the server's own zone is: years near the first would be told as years before it elsewhere.
    options: `-c TimeZone=UTC${byIndex ? BY_INDEX : ''}`,
    statement_timeout: statementTimeoutMs,
    lock_timeout: Math.min(5_000, statementTimeoutMs),
    idle_in_transaction_session_timeout: 15_000,
  };
}

/** Opens connections ahead of their first use, so that the first page does not wait for them. */
export async function warmPool(pool: Pool, connections: number): Promise<void> {
  const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()));
  for (const client of clients) client.release();
}

export function createDatabase(pool: Pool): Database {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}

/** The same on one connection that somebody else opened and closes. */
export function databaseOn(client: ClientBase): Database {
  const query = client.query.bind(client);
  const lent = { query, release: () => undefined };
  const pool = { connect: async () => lent, end: async () => undefined };
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool: pool as unknown as Pool }) });
}
