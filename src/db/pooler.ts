import type { Client, ClientConfig } from 'pg';
import { closeConnection } from './connection.ts';
import { DatabaseClient } from './hosts.ts';

/**
 * Where the database is. `direct` is set when a pooler stands in `connection`'s way, such as PgBouncer in transaction mode:
 * what has to last longer than a transaction (locks, LISTEN) goes past it, and the rest does without what it cannot carry.
 */
export type Place = { connection: ClientConfig; direct: ClientConfig | null };

export class PoolerFault extends Error {
  override name = 'PoolerFault';
}

/**
 * Refuses a pooler that hands out another session for each transaction where nobody has said that there is one: a node's
 * lock would be somebody else's, and nodes would take over from those that live.
 * @throws PoolerFault with what to set
 */
export async function refusePooler(connection: ClientConfig): Promise<void> {
  const first = await connect(connection);
  const second = await connect(connection).catch(async (error: unknown) => {
    await closeConnection(first);
    throw error;
  });
  try {
    const behind = await sessionOf(first);
    // PostgreSQL tells a connection its process in the greeting; a pooler makes one up.
    if (toldProcess(first) === behind) return;
    // What the first one has given back, the second one gets: sessions are shared.
    await second.query('begin');
    const shared = (await sessionOf(second)) === behind;
    await second.query('rollback');
    if (shared) throw sharedSessions();
  } finally {
    await Promise.all([closeConnection(first), closeConnection(second)]);
  }
}

/**
 * Refuses a database that says "committed" before it is on disk. Elsewhere each connection insists on it itself; through a
 * pooler none can.
 * @throws PoolerFault with what to set
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

/** The driver keeps it for cancelling, and has no public name for it. */
function toldProcess(client: Client): number | null {
  return (client as unknown as { processID?: number | null }).processID ?? null;
}

function sharedSessions(): PoolerFault {
  return new PoolerFault(
    'DATABASE_URL leads to a pooler that shares sessions (PgBouncer in transaction mode), through which locks and notifications ' +
      'do not last: set DATABASE_DIRECT_URL to PostgreSQL itself as well, or the pooler to pool_mode = session.',
  );
}
