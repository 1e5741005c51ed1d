import { type RawBuilder, sql } from 'kysely';
import type { Client } from 'pg';
import { LOCK } from '../db/advisory-locks.ts';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import type { Identity } from '../db/identity.ts';
import { nodeIsRunning } from '../db/servers.ts';
import { utcText } from '../db/utc-text.ts';
import { CHANNELS, type ChannelName } from '../notifications/channels/contract.ts';
import { forgetNode } from '../notifications/dashboards/store.ts';
import { LEASE_MS } from '../notifications/store.ts';
import { noteProblem } from '../problems/store.ts';
import type { Alarm } from './alarms.ts';
import type { SystemHealth } from './api-contract.ts';

/** NOTIFY channel for “there is work”, used by processes without a worker. */
const HINT = 'tocsin_work';
/** NOTIFY channel for notifications that a dashboard connected to another process has shown. */
const CONFIRMED = 'tocsin_confirmed';
/** NOTIFY channel for beats that dashboards connected to other processes have answered. */
const HEARD = 'tocsin_heard';
/** NOTIFY channel for the rooms that changed, for open dashboards. */
const CHANGED = 'tocsin_changed';
/** NOTIFY channel for providers that were set up in the dashboard. */
const PROVIDERS = 'tocsin_providers';

/** Registers a process, and returns its number. */
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
    .values({ ...node, pages_for_sources: true, started_at: clock.sql, seen_at: clock.sql })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** The public URL of the newest process that serves the dashboard; running processes come before those that ended. */
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

/** Whether the database knows this node. */
export async function isRegistered(db: Database, id: number): Promise<boolean> {
  const row = await db.selectFrom('nodes').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

export async function endNode(db: Database, clock: Clock, id: number): Promise<void> {
  await db.updateTable('nodes').set({ stopped_at: clock.sql }).where('id', '=', id).execute();
  await forgetNode(db, id);
}

/**
 * Takes the lock that shows that a node is alive, for as long as this session lasts. Returns false when another session holds
 * it: an old connection of the same node that the database has not dropped yet.
 */
export async function holdNodeLock(session: Client, id: number): Promise<boolean> {
  // The session must not time out while the node is alive. If its machine disappears, keepalives let the database notice
  // within seconds instead of TCP's two hours.
  await session.query(`set idle_session_timeout = 0; set statement_timeout = 0;
    set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3`);
  const { rows } = await session.query<{ held: boolean }>('select pg_try_advisory_lock($1, $2) as held', [
    LOCK.node,
    id,
  ]);
  return rows[0]?.held ?? false;
}

export type NodeListener = {
  /** There is work for one node, or for all when it is null. */
  onHint(node: number | null): void;
  /** This person's dashboard showed this delivery, and another node got the confirmation. */
  onConfirmed(deliveryId: string, userId: string): void;
  /** A dashboard of this person answered a beat on this stream, and another node got the answer. */
  onHeard(streamId: string, userId: string): void;
  /** Something changed in these rooms of an organization. */
  onChanged(organizationId: string, rooms: string[]): void;
  /** Somebody set up, changed or removed a provider in the dashboard. */
  onProviders(): void;
};

/** Receives what `notifyWorkers`, `notifyConfirmed`, `notifyHeard`, `notifyChanged` and `notifyProviders` send on any node. */
export async function listenToNodes(session: Client, listener: NodeListener): Promise<void> {
  session.on('notification', ({ channel, payload }) => {
    const [first, second] = (payload ?? '').split(' ');
    if (channel === PROVIDERS) listener.onProviders();
    else if (channel === HINT) listener.onHint(first ? Number(first) : null);
    else if (first && second && channel === CONFIRMED) listener.onConfirmed(first, second);
    else if (first && second && channel === HEARD)
      for (const id of second.split(',')) listener.onHeard(id, first);
    else if (first && second) listener.onChanged(first, second.split(','));
  });
  await session.query(
    `listen ${HINT}; listen ${CONFIRMED}; listen ${HEARD}; listen ${CHANGED}; listen ${PROVIDERS}`,
  );
}

/** Whether a node's process is gone, which means that its lock is free. Holds the lock until the end of the transaction. */
export async function nodeIsGone(tx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql<{
    gone: boolean;
  }>`select pg_try_advisory_xact_lock(${LOCK.node}, ${id}) as gone`.execute(tx);
  return rows[0]?.gone ?? false;
}

/** Whether the server accepts no writes, like a former primary or a standby. */
export async function isReadOnly(db: Handle): Promise<boolean> {
  const { rows } = await sql<{ readOnly: boolean }>`select ${READ_ONLY} as "readOnly"`.execute(db);
  return rows[0]?.readOnly ?? false;
}

const READ_ONLY = sql`(pg_is_in_recovery() or current_setting('transaction_read_only') = 'on')`;

export type DueWork = {
  /** The server accepts no writes, so that no work can be done. */
  readOnly: boolean;

  steps: boolean;
  /** Steps that have failed before. */
  failedSteps: boolean;
  /** Acknowledgements that time out and snoozes that end. */
  reminders: boolean;
  /** Pages of sources whose wait is over. */
  waitingPages: boolean;
  deliveries: boolean;
  /** Channels with all-clears that are due. */
  allClears: ChannelName[];
  notifications: boolean;
  leases: boolean;
  /** The database's time. */
  now: Temporal.Instant;
};

/** Looks for every kind of due work in one query. */
export async function findDueWork(db: Handle, clock: Clock, node: number): Promise<DueWork> {
  const { rows } = await sql<DueWork>`
    select exists (select from page_steps where state = 'due' and due_at <= ${clock.sql}) as steps,
      exists (select from page_steps where state = 'due' and attempts > 0 and due_at <= ${clock.sql}) as "failedSteps",
      exists (select from pages where state = 'acknowledged' and remind_at <= ${clock.sql}) as reminders,
      exists (select from waiting_pages where due_at <= ${clock.sql}) as "waitingPages",
      exists (select from deliveries where state in ('waiting', 'retrying') and due_at <= ${clock.sql}) as deliveries,
      array(select channel from unnest(${CHANNELS}::text[]) as channel where exists (select from all_clears f
        where f.state = 'waiting' and f.channel = channel.channel and f.due_at <= ${clock.sql})) as "allClears",
      exists (select from received_notifications where state = 'queued' and due_at <= ${clock.sql}) as notifications,
      exists (select from deliveries where state = 'sending' and (lease_owner <> ${node} or lease_until < ${clock.sql}))
        or exists (select from received_notifications where state = 'queued' and pages and claimed_by <> ${node}) as leases,
      ${READ_ONLY} as "readOnly",
      ${clock.sql} as now`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The query for due work returned no row.');
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

/** The numbers of the nodes that run steps and send notifications. */
export async function runningWorkers(db: Handle): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select n.id from nodes n
    where n.stopped_at is null and n.role <> 'api' and ${nodeIsRunning('n.id')} order by n.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Wakes one worker; all when `node` is null. Workers of older releases are woken in any case. */
export async function notifyWorkers(db: Database, node: number | null): Promise<void> {
  await sql`select pg_notify(${HINT}, ${node === null ? '' : String(node)})`.execute(db);
}

/** Confirms a delivery to all nodes; the one that waits for it continues. */
export async function notifyConfirmed(db: Database, deliveryId: string, userId: string): Promise<void> {
  await sql`select pg_notify(${CONFIRMED}, ${`${deliveryId} ${userId}`})`.execute(db);
}

/** Sends the streams on which dashboards answered a beat to all nodes, by person, in one transaction. */
export async function notifyHeard(
  db: Database,
  heard: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<void> {
  const payloads = [...heard].map(([userId, streamIds]) => `${userId} ${[...streamIds].join(',')}`);
  await sql`select pg_notify(${HEARD}, payload) from unnest(${payloads}::text[]) as payload`.execute(db);
}

/** Sends the changed rooms of an organization to all nodes, including this one. */
export async function notifyChanged(
  db: Database,
  organizationId: string,
  rooms: readonly string[],
): Promise<void> {
  await sql`select pg_notify(${CHANGED}, ${`${organizationId} ${rooms.join(',')}`})`.execute(db);
}

/** Makes all nodes read the providers of the dashboard again. */
export async function notifyProviders(db: Database): Promise<void> {
  await sql`select pg_notify(${PROVIDERS}, '')`.execute(db);
}

/**
 * Records that the service uses this copy of the data. After another copy, due work may have been done before and its record
 * lost, so its notifications are marked as possible repeats. Returns the number of these steps and deliveries; null when a node
 * has recorded this copy before.
 */
export async function noteTimeline(
  db: Database,
  clock: Clock,
  { system, timeline }: Identity,
): Promise<number | null> {
  if (system === null || timeline === null) return null;
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ follows: boolean }>`
      insert into database_timelines (system, timeline, seen_at) values (${system}, ${timeline}, ${clock.sql})
      on conflict do nothing
      returning exists (select from database_timelines) as follows`.execute(tx);
    if (!rows[0]?.follows) return null;
    return markDue(tx, clock.sql);
  });
}

/**
 * Marks work that may have happened already as a possible repeat: steps that are due at `at`, an SQL expression, and
 * notifications that were about to be sent. Returns how many.
 */
export async function markDue(db: Handle, at: RawBuilder<unknown>): Promise<number> {
  const steps = await sql`
    update page_steps set may_repeat = true where state = 'due' and due_at <= ${at}`.execute(db);
  const deliveries = await sql`
    update deliveries set repeat = true where state in ('waiting', 'retrying') and due_at <= ${at}`.execute(
    db,
  );
  return Number(steps.numAffectedRows ?? 0n) + Number(deliveries.numAffectedRows ?? 0n);
}

/** When the timeout of an acknowledgement was last set: by the acknowledgement, an extension or a snooze. */
const REMINDER_SET = `coalesce((
  select e.at from page_events e where e.page_id = pages.id and e.kind in ('acknowledged', 'extended', 'snoozed')
  order by e.id desc limit 1), acknowledged_at)`;

/** The longest delay between two attempts at a provider. */
const LONGEST_RETRY_SECONDS = 60;

/**
 * Signs of life from the future, which were written before the database's clock was set back; null when there are none. They
 * are corrected in the same transaction, so that only one of several nodes follows the step.
 */
export async function takeSignsAhead(
  tx: Tx,
  clock: Clock,
): Promise<{ latest: Temporal.Instant; now: Temporal.Instant } | null> {
  const { rows } = await sql<{ latest: Temporal.Instant | null; now: Temporal.Instant }>`
    with ahead as (
      select id, seen_at from nodes where seen_at > ${clock.sql} + interval '1 second' order by id for update
    ), corrected as (
      update nodes set seen_at = ${clock.sql} where id in (select id from ahead)
    )
    select max(seen_at) as latest, ${clock.sql} as now from ahead`.execute(tx);
  const row = rows[0];
  return row?.latest ? { latest: row.latest, now: row.now } : null;
}

/**
 * Moves everything that waits forward, after the clock was set back by `backMs`, so that it keeps its remaining time. Rows of
 * the last `freshMs` already use the new time. Leases and retries are only limited to their longest duration. Returns the
 * number of rows moved.
 */
export async function bringForward(
  tx: Tx,
  clock: Clock,
  { backMs, freshMs }: { backMs: number; freshMs: number },
): Promise<number> {
  const back = sql`${backMs}::double precision * interval '1 millisecond'`;
  const fresh = (at: string) =>
    sql`${sql.raw(at)} between ${clock.sql} - ${freshMs}::double precision * interval '1 millisecond' and ${clock.sql}`;
  const results = [
    // A step is scheduled when the one before it runs, the first one when the page is raised, and the one after a reminder or an
    // action with the event of that. The end of a page was put off with the time before if it comes after a notification that was
    // sent with that time.
    await sql`
      update page_steps s set due_at = s.due_at - ${back} from pages p
      where s.state = 'due' and s.due_at > ${clock.sql} and p.id = s.page_id
        and (not ${fresh(`coalesce((select max(b.done_at) from page_steps b where b.page_id = s.page_id), p.created_at)`)}
          or not ${fresh(`(select e.at from page_events e where e.page_id = s.page_id order by e.id desc limit 1)`)}
          or s.kind = 'expire' and exists (
            select from deliveries d where d.page_id = s.page_id and d.sent_at > ${clock.sql} and d.sent_at < s.due_at))`.execute(
      tx,
    ),
    await sql`
      update pages set remind_at = remind_at - ${back}
      where state = 'acknowledged' and remind_at > ${clock.sql} and not ${fresh(REMINDER_SET)}`.execute(tx),
    await sql`
      update deliveries set due_at = due_at - ${back}
      where state = 'waiting' and due_at > ${clock.sql} and not ${fresh('created_at')}`.execute(tx),
    await sql`
      update deliveries set due_at = ${clock.sql} + ${LONGEST_RETRY_SECONDS}::integer * interval '1 second'
      where state = 'retrying' and due_at > ${clock.sql} + ${LONGEST_RETRY_SECONDS}::integer * interval '1 second'`.execute(
      tx,
    ),
    await sql`
      update deliveries set lease_until = ${clock.sql} + ${LEASE_MS}::integer * interval '1 millisecond'
      where state = 'sending' and lease_until > ${clock.sql} + ${LEASE_MS}::integer * interval '1 millisecond'`.execute(
      tx,
    ),
    // A page that was late ends only when the last one whom it notified has had time to answer.
    await sql`
      update deliveries d set sent_at = d.sent_at - ${back} from pages p
      where p.state = 'notifying' and d.page_id = p.id and d.sent_at > ${clock.sql}`.execute(tx),
    // A silence lasts for some minutes. Other windows begin and end at a time of day.
    await sql`
      update maintenance_windows set starts_at = starts_at - ${back}, ends_at = ends_at - ${back},
        first_starts_at = first_starts_at - ${back}, first_ends_at = first_ends_at - ${back}
      where silence and over_at is null and ends_at > ${clock.sql} and not ${fresh('created_at')}`.execute(
      tx,
    ),
    // Those that a window or the hours of their source hold until a time of day wait again when they are due.
    await sql`
      update waiting_pages set due_at = due_at - ${back}
      where due_at > ${clock.sql} and not ${fresh('created_at')}`.execute(tx),
    await sql`
      update received_notifications set due_at = due_at - ${back}
      where state = 'queued' and due_at > ${clock.sql}`.execute(tx),
    await sql`
      update page_sources set last_beat_at = last_beat_at - ${back}, late_since = late_since - ${back}
      where interval_minutes is not null and last_beat_at > ${clock.sql}`.execute(tx),
    await sql`
      update messages set due_at = due_at - ${back}, expires_at = expires_at - ${back},
        lease_until = lease_until - ${back}
      where state in ('waiting', 'sending') and greatest(due_at, lease_until) > ${clock.sql}
        and not ${fresh('created_at')}`.execute(tx),
    await sql`
      update all_clears set due_at = due_at - ${back}, expires_at = expires_at - ${back}
      where state = 'waiting' and greatest(due_at, expires_at) > ${clock.sql} and not ${fresh('created_at')}`.execute(
      tx,
    ),
  ];
  return results.reduce((sum, { numAffectedRows }) => sum + Number(numAffectedRows ?? 0n), 0);
}

const SUBJECT = 'service:';

/** Writes a sign of life of this node. It fails when the database accepts no writes, which is its purpose. */
export async function signOfLife(db: Database, clock: Clock, node: number): Promise<void> {
  await db.updateTable('nodes').set({ seen_at: clock.sql }).where('id', '=', node).execute();
}

/** Opens the problem or counts it again. Returns when it was opened. */
export async function noteAlarm(tx: Tx, clock: Clock, alarm: Alarm): Promise<Temporal.Instant> {
  const subject = SUBJECT + alarm.code;
  await noteProblem(tx, clock, { ...alarm, organizationId: null, subject, count: 1 });
  const { first_at } = await tx
    .selectFrom('problems')
    .select('first_at')
    .where('subject', '=', subject)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return first_at;
}

/** Longer than the time between two looks of a node. */
const RENEWED_WITHIN = '15 seconds';

/**
 * Closes the open alarms of these kinds. Those of `ofOneMachine` may be about another node, and stay open while that one
 * renews them.
 */
export async function closeAlarms(
  db: Handle,
  clock: Clock,
  kinds: readonly string[],
  ofOneMachine: readonly string[],
): Promise<void> {
  const subjects = (some: readonly string[]) => sql`${some.map((kind) => SUBJECT + kind)}::text[]`;
  const window = sql`${sql.lit(RENEWED_WITHIN)}::interval`;
  await sql`
    update problems set closed_at = ${clock.sql}
    where closed_at is null and organization_id is null and subject = any(${subjects(kinds)})
      and (subject <> all(${subjects(ofOneMachine)})
        or last_at not between ${clock.sql} - ${window} and ${clock.sql} + ${window})`.execute(db);
}

/** The running lifeboat with the oldest copy, if that is older than a day. */
export async function findOldLifeboat(db: Handle): Promise<{ host: string; hours: number } | null> {
  const { rows } = await sql<{ host: string; hours: number }>`
    select host, floor(extract(epoch from now() - copied_at) / 3600)::integer as hours from lifeboats
    where seen_at > now() - interval '1 hour' and copied_at < now() - interval '24 hours'
    order by copied_at limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Nodes that are running or ended within a day, newest first. A running node holds its lock. */
export async function listNodes(db: Handle, since: Temporal.Instant): Promise<SystemHealth['nodes']> {
  const { rows } = await sql<SystemHealth['nodes'][number]>`
    select n.id, n.role, n.host, n.pid, n.version,
      ${utcText('n.started_at')} as started_at,
      ${nodeIsRunning('n.id')} as alive
    from nodes n
    where n.stopped_at is null and (n.started_at > ${since} or ${nodeIsRunning('n.id')})
    order by n.id desc limit 100`.execute(db);
  return rows;
}

/** The work still to do. */
export async function countWaiting(db: Handle): Promise<SystemHealth['waiting']> {
  const { rows } = await sql<SystemHealth['waiting']>`
    select (select count(*) from page_steps where state = 'due')::integer as steps,
      (select count(*) from deliveries where state in ('waiting', 'retrying'))::integer as deliveries,
      (select count(*) from received_notifications where state = 'queued')::integer as notifications`.execute(
    db,
  );
  return rows[0] ?? { steps: 0, deliveries: 0, notifications: 0 };
}

/** The version of the server, and the size of the database in bytes. */
export async function describeDatabase(db: Handle): Promise<{ version: string; bytes: number }> {
  const { rows } = await sql<{ version: string; bytes: number }>`
    select current_setting('server_version') as version,
      pg_database_size(current_database())::double precision as bytes`.execute(db);
  return rows[0] ?? { version: 'unknown', bytes: 0 };
}
