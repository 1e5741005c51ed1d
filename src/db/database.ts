import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import { type ClientBase, Pool, type PoolConfig } from 'pg';
import { followConnections } from './connection.ts';
import { PooledClient, PreparingClient } from './prepared.ts';
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
};

/**
 * One pool of connections. Everything has a deadline: the driver's own defaults wait for ever for a connection,
 * for an answer and for a peer that vanished.
 */
export function createPool(settings: PoolSettings): Pool {
  teachDriver();
  const statementTimeoutMs = settings.statementTimeoutMs ?? 10_000;
  const pool = new Pool({
    ...settings.connection,
    Client: settings.pooled ? PooledClient : PreparingClient,
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
  // Without a listener an idle connection that breaks would end the process.
  pool.on('error', (error) => settings.onError?.(error));
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
    onConnect: insistOnDurability,
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
