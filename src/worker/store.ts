import { sql } from 'kysely';
import type { Client } from 'pg';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';

/** First half of the advisory lock that a living node holds; the second is its number. */
export const NODE_LOCK = 7303;

/** Channel on which a process without a worker says that it accepted something. */
const HINT = 'tocsin_work';
/** Channel on which a process says that a dashboard, connected to another one, showed a notification. */
const CONFIRMED = 'tocsin_confirmed';
/** Channel on which a process says that dashboards, connected to others, answered a beat. */
const HEARD = 'tocsin_heard';
/** Channel on which a process says what changed for open dashboards. */
const CHANGED = 'tocsin_changed';

export async function insertNode(
  db: Database,
  clock: Clock,
  node: {
    role: 'all' | 'api' | 'worker';
    host: string;
    pid: number;
    version: string;
    public_url: string | null;
  },
): Promise<number> {
  const row = await db
    .insertInto('nodes')
    .values({ ...node, started_at: clock.sql, seen_at: clock.sql })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Where the newest process that serves the dashboard says that links lead; one that runs before all that have ended. */
export async function findPublicUrl(db: Handle): Promise<string | null> {
  const row = await db
    .selectFrom('nodes')
    .select('public_url')
    .where('role', '<>', 'worker')
    .where('public_url', 'is not', null)
    .orderBy(sql`stopped_at is null`, 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.public_url ?? null;
}

export async function isRegistered(db: Database, id: number): Promise<boolean> {
  const row = await db.selectFrom('nodes').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

export async function endNode(db: Database, clock: Clock, id: number): Promise<void> {
  await db.updateTable('nodes').set({ stopped_at: clock.sql }).where('id', '=', id).execute();
  await db.deleteFrom('open_dashboards').where('node', '=', id).execute();
}

/**
 * Shows a node to be alive for as long as this session lasts. False when another session shows it: one of the same node
 * that the database has not given up yet.
 */
export async function holdNodeLock(session: Client, id: number): Promise<boolean> {
  // No statement may ever time this session out: the lock is worth as much as the session. But when the node's machine
  // vanishes without a word, the database should notice within seconds, not after the two hours of TCP's own.
  await session.query(`set idle_session_timeout = 0; set statement_timeout = 0;
    set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3`);
  const { rows } = await session.query<{ held: boolean }>('select pg_try_advisory_lock($1, $2) as held', [
    NODE_LOCK,
    id,
  ]);
  return rows[0]?.held ?? false;
}

export type NodeNews = {
  /** Another node says that there is work. */
  onHint(): void;
  /** Another node was told that this person's dashboard showed this delivery. */
  onConfirmed(deliveryId: string, userId: string): void;
  /** Another node was told that a dashboard of this person answered a beat on this stream. */
  onHeard(streamId: string, userId: string): void;
  /** Something changed in these rooms of an organization. */
  onChanged(organizationId: string, rooms: string[]): void;
};

/** What `notifyWorkers`, `notifyConfirmed`, `notifyHeard` and `notifyChanged` send, on any node, arrives here. */
export async function listenToNodes(session: Client, news: NodeNews): Promise<void> {
  session.on('notification', ({ channel, payload }) => {
    const [first, second] = (payload ?? '').split(' ');
    if (channel === HINT) news.onHint();
    else if (first && second && channel === CONFIRMED) news.onConfirmed(first, second);
    else if (first && second && channel === HEARD)
      for (const id of second.split(',')) news.onHeard(id, first);
    else if (first && second) news.onChanged(first, second.split(','));
  });
  await session.query(`listen ${HINT}; listen ${CONFIRMED}; listen ${HEARD}; listen ${CHANGED}`);
}

/** Whether a node's lock is free, which means that its process is gone. Takes it until the end of the transaction. */
export async function nodeIsGone(tx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql<{
    gone: boolean;
  }>`select pg_try_advisory_xact_lock(${NODE_LOCK}, ${id}) as gone`.execute(tx);
  return rows[0]?.gone ?? false;
}

/** Whether the server takes no writes, as the former primary and every standby. */
export async function isReadOnly(db: Handle): Promise<boolean> {
  const { rows } = await sql<{ readOnly: boolean }>`select ${READ_ONLY} as "readOnly"`.execute(db);
  return rows[0]?.readOnly ?? false;
}

const READ_ONLY = sql`(pg_is_in_recovery() or current_setting('transaction_read_only') = 'on')`;

export type DueWork = {
  /** None of it can be done: the server takes no writes. */
  readOnly: boolean;

  steps: boolean;
  deliveries: boolean;
  notifications: boolean;
  leases: boolean;
  /** The time of this look. */
  now: Temporal.Instant;
};

/** One look at everything that may be due; most of the time nothing is. */
export async function findDueWork(db: Handle, clock: Clock, node: number): Promise<DueWork> {
  const { rows } = await sql<DueWork>`
    select exists (select from page_steps where state = 'due' and due_at <= ${clock.sql})
        or exists (select from pages where state = 'acknowledged' and remind_at <= ${clock.sql}) as steps,
      exists (select from deliveries where state in ('waiting', 'retrying') and due_at <= ${clock.sql}) as deliveries,
      exists (select from received_notifications where state = 'queued' and due_at <= ${clock.sql}) as notifications,
      exists (select from deliveries where state = 'sending' and (lease_owner <> ${node} or lease_until < ${clock.sql})) as leases,
      ${READ_ONLY} as "readOnly",
      ${clock.sql} as now`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the database did not say what is due');
  return row;
}

export type Lag = {
  stepSeconds: number;
  deliverySeconds: number;
  callSeconds: number;
  requests: Record<string, number>;
};

/** How late the oldest due work is, in seconds; 0 when nothing waits. */
export async function readLag(db: Handle, clock: Clock): Promise<Omit<Lag, 'requests'>> {
  const late = (table: 'page_steps' | 'deliveries' | 'received_notifications', states: string[]) => sql`
    coalesce((select extract(epoch from ${clock.sql} - min(due_at)) from ${sql.table(table)}
      where state in (${sql.join(states.map((state) => sql.lit(state)))}) and due_at <= ${clock.sql}), 0)::double precision`;
  const { rows } = await sql<Omit<Lag, 'requests'>>`
    select ${late('page_steps', ['due'])} as "stepSeconds", ${late('deliveries', ['waiting', 'retrying'])} as "deliverySeconds",
      ${late('received_notifications', ['queued'])} as "callSeconds"`.execute(db);
  return rows[0] ?? { stepSeconds: 0, deliverySeconds: 0, callSeconds: 0 };
}

export async function notifyWorkers(db: Database): Promise<void> {
  await sql`select pg_notify(${HINT}, '')`.execute(db);
}

/** Tells all nodes; the one that waits for it goes on. */
export async function notifyConfirmed(db: Database, deliveryId: string, userId: string): Promise<void> {
  await sql`select pg_notify(${CONFIRMED}, ${`${deliveryId} ${userId}`})`.execute(db);
}

/** Tells all nodes, by person, on which streams dashboards answered a beat; one transaction for all of them. */
export async function notifyHeard(
  db: Database,
  heard: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<void> {
  const words = [...heard].map(([userId, streamIds]) => `${userId} ${[...streamIds].join(',')}`);
  await sql`select pg_notify(${HEARD}, word) from unnest(${words}::text[]) as word`.execute(db);
}

/** Tells all nodes, this one included, in which rooms of an organization something changed. */
export async function notifyChanged(
  db: Database,
  organizationId: string,
  rooms: readonly string[],
): Promise<void> {
  await sql`select pg_notify(${CHANGED}, ${`${organizationId} ${rooms.join(',')}`})`.execute(db);
}
