import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import { nodeIsRunning } from '../db/servers.ts';
import { utcText } from '../db/utc-text.ts';
import type { SystemHealth } from './api-contract.ts';

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
