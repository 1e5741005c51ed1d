import type { Client, ClientConfig } from 'pg';
import { closeConnection } from './connection.ts';
import { DatabaseClient } from './hosts.ts';

/**
 * How to reach the database. `direct` is set if `connection` leads through a pooler such as PgBouncer in transaction
 * mode: then locks and LISTEN, which outlast a transaction, use `direct`, and everything else does without session
 * state.
 */
export type Connections = { connection: ClientConfig; direct: ClientConfig | null };

export class PoolerFault extends Error {
  override name = 'PoolerFault';
}

/**
 * Refuses a pooler that shares sessions unless `DATABASE_DIRECT_URL` is set: a node would lose its lock, and other
 * nodes would take over from running ones. @throws PoolerFault with the setting to change
 */
export async function refusePooler(connection: ClientConfig): Promise<void> {
  const first = await connect(connection);
  const second = await connect(connection).catch(async (error: unknown) => {
    await closeConnection(first);
    throw error;
  });
  try {
    const behind = await sessionOf(first);
    // PostgreSQL sends its process id at the start of a connection; a pooler sends its own.
    if (toldProcess(first) === behind) return;
    // If the second connection gets the session that the first one released, sessions are shared.
    await second.query('begin');
    const shared = (await sessionOf(second)) === behind;
    await second.query('rollback');
    if (shared) throw sharedSessions();
  } finally {
    await Promise.all([closeConnection(first), closeConnection(second)]);
  }
}

/**
 * Refuses asynchronous commit behind a pooler, because a connection cannot switch it off there, as it does elsewhere.
 * @throws PoolerFault with the setting to change
 */
export async function refuseForgetful(direct: ClientConfig): Promise<void> {
  const client = await connect(direct);
  try {
    const { rows } = await client.query<{ synchronous_commit: string }>('show synchronous_commit');
    if (rows[0]?.synchronous_commit !== 'off') return;
  } finally {
    await closeConnection(client);
  }
  throw new PoolerFault(
    'synchronous_commit is off in this database, and behind a pooler Tocsin cannot switch it on: set it to on in postgresql.conf or for the role.',
  );
}

async function connect(connection: ClientConfig): Promise<Client> {
  const client = new DatabaseClient({
    ...connection,
    application_name: 'tocsin start',
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function sessionOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

/** The driver keeps it for cancelling queries, without a public name. */
function toldProcess(client: Client): number | null {
  return (client as unknown as { processID?: number | null }).processID ?? null;
}

function sharedSessions(): PoolerFault {
  return new PoolerFault(
    'DATABASE_URL leads to a pooler that shares sessions (PgBouncer in transaction mode), through which locks and notifications ' +
      'do not last: set DATABASE_DIRECT_URL to PostgreSQL itself as well, or the pooler to pool_mode = session.',
  );
}
