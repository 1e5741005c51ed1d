import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import { nodeIsRunning } from '../db/servers.ts';
import { utcText } from '../db/utc-text.ts';
import { noteProblem } from '../problems/store.ts';
import type { Alarm } from './alarms.ts';
import type { SystemHealth } from './api-contract.ts';

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

/** Closes the open alarms of these kinds. */
export async function closeAlarms(db: Handle, clock: Clock, kinds: readonly string[]): Promise<void> {
  await sql`
    update problems set closed_at = ${clock.sql}
    where closed_at is null and organization_id is null and subject = any(${kinds.map((kind) => SUBJECT + kind)}::text[])`.execute(
    db,
  );
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

export async function describeDatabase(db: Handle): Promise<{ version: string; bytes: number }> {
  const { rows } = await sql<{ version: string; bytes: number }>`
    select current_setting('server_version') as version,
      pg_database_size(current_database())::double precision as bytes`.execute(db);
  return rows[0] ?? { version: 'unknown', bytes: 0 };
}
