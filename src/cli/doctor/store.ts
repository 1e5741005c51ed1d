import { sql } from 'kysely';
import type { Clock } from '../../db/clock.ts';
import type { Handle } from '../../db/database.ts';
import { nodeIsRunning } from '../../db/servers.ts';
import { readLag } from '../../worker/store.ts';
import type { DatabaseFacts, QueueFacts, ReplicationFacts, RunningNode } from './database-findings.ts';
import type { LifeboatFacts } from './lifeboat-findings.ts';
import type { Duty } from './people-findings.ts';
import type { OrganizationFacts, ScheduleFacts } from './schedule-findings.ts';
import type { UpgradeFacts } from './upgrade-findings.ts';

/**
 * The settings of the database that decide whether what it has confirmed can be lost. Throws if it returns no row.
 */
export async function readDatabaseFacts(db: Handle): Promise<DatabaseFacts> {
  const { rows } = await sql<DatabaseFacts>`
    select current_setting('server_version_num')::int as "versionNumber", current_setting('server_version') as version,
      current_setting('fsync') as fsync, current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('full_page_writes') as "fullPageWrites"`.execute(db);
  const [facts] = rows;
  if (!facts) throw new Error('the database did not return its settings');
  return facts;
}

/** For every release: reads no table or column that the first one lacks. */
export async function readUpgradeFacts(db: Handle): Promise<UpgradeFacts> {
  const { rows: rights } = await sql<{ mayMigrate: boolean; hasNodes: boolean }>`
    select has_schema_privilege(current_schema(), 'create') and not exists (
        select from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
          and not pg_has_role(relowner, 'usage')) as "mayMigrate",
      to_regclass('nodes') is not null as "hasNodes"`.execute(db);
  const mayMigrate = rights[0]?.mayMigrate ?? false;
  if (!rights[0]?.hasNodes) return { running: [], last: null, mayMigrate };
  const { rows } = await sql<{ version: string; running: boolean }>`
    select n.version, ${nodeIsRunning('n.id')} as running from nodes n order by n.id`.execute(db);
  return {
    running: rows.filter(({ running }) => running).map(({ version }) => version),
    last: rows.at(-1)?.version ?? null,
    mayMigrate,
  };
}

/** The lifeboats that were seen within the last day. */
export async function readLifeboats(db: Handle): Promise<LifeboatFacts[]> {
  const { rows } = await sql<LifeboatFacts>`
    select host, state, extract(epoch from now() - copied_at)::double precision as "copyAgeSeconds",
      extract(epoch from now() - seen_at)::double precision as "seenSecondsAgo"
    from lifeboats where seen_at > now() - interval '1 day' order by host, id`.execute(db);
  return rows;
}

/** The standbys of the database. `synchronous` is null if the role may not see their state. */
export async function readReplicationFacts(db: Handle): Promise<ReplicationFacts> {
  const { rows } = await sql<ReplicationFacts>`
    select count(*)::integer as standbys,
      case when bool_or(sync_state is null) then null
        else (count(*) filter (where sync_state in ('sync', 'quorum')))::integer end as synchronous,
      current_setting('synchronous_standby_names') as names,
      current_setting('synchronous_commit') as "synchronousCommit"
    from pg_stat_replication`.execute(db);
  const [facts] = rows;
  if (!facts) throw new Error('the database did not return its replicas');
  return facts;
}

/** The database's current time, not that of the start of a transaction. */
export async function readWallClock(db: Handle): Promise<Temporal.Instant> {
  const { rows } = await sql<{ now: Temporal.Instant }>`select clock_timestamp() as now`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the database did not return the time');
  return row.now;
}

/** How late the oldest due work is, and the running nodes. */
export async function readQueueFacts(db: Handle, clock: Clock): Promise<QueueFacts> {
  const nodes = await sql<RunningNode>`
    select n.role, n.host, n.public_url as "publicUrl" from nodes n
    where n.stopped_at is null and ${nodeIsRunning('n.id')} order by n.id`.execute(db);
  return { ...(await readLag(db, clock)), nodes: nodes.rows };
}

/** Everybody with a shift of an enabled schedule that starts before `until`, and every backstop; soonest first. */
export async function readDuties(
  db: Handle,
  now: Temporal.Instant,
  until: Temporal.Instant,
): Promise<Duty[]> {
  const { rows } = await sql<Duty>`
    select u.id as "userId", u.name, u.email, s.name as schedule, d.stage,
      case when d.starts_at > ${now} then d.starts_at end as "from"
    from (
      select schedule_id, user_id, stage, starts_at from shifts
      where user_id is not null and tstzrange(starts_at, ends_at) && tstzrange(${now}, ${until})
      union all
      select id, backstop_user_id, null, null from schedules where backstop_user_id is not null
    ) d
    join schedules s on s.id = d.schedule_id and s.enabled
    join users u on u.id = d.user_id
    order by d.starts_at nulls last, s.name, d.stage`.execute(db);
  return rows;
}

/** All schedules by name, with their gaps from `now` to `until`. */
export async function readScheduleFacts(
  db: Handle,
  now: Temporal.Instant,
  until: Temporal.Instant,
): Promise<ScheduleFacts[]> {
  const schedules = await db
    .selectFrom('schedules as s')
    .leftJoin('users as b', (join) =>
      join.onRef('b.id', '=', 's.backstop_user_id').on('b.disabled_at', 'is', null),
    )
    .select(['s.id', 's.name', 's.enabled', 'b.email as backstop', 's.planned_until as plannedUntil'])
    .orderBy('s.name')
    .execute();
  const { rows: gaps } = await sql<ScheduleFacts['gaps'][number] & { scheduleId: string }>`
    select schedule_id as "scheduleId", stage, starts_at as "startsAt", ends_at as "endsAt" from shifts
    where user_id is null and tstzrange(starts_at, ends_at) && tstzrange(${now}, ${until})
    order by starts_at, stage`.execute(db);
  return schedules.map((schedule) => ({
    ...schedule,
    gaps: gaps.filter(({ scheduleId }) => scheduleId === schedule.id),
  }));
}

/** Organizations by name: how many owners can sign in, and the teams with members but without an enabled schedule. */
export async function readOrganizationFacts(db: Handle): Promise<OrganizationFacts[]> {
  const { rows } = await sql<OrganizationFacts>`
    select o.name,
      (select count(*) from users u where u.organization_id = o.id and u.role = 'owner' and u.disabled_at is null)::int as owners,
      array(select t.slug from teams t where t.organization_id = o.id
        and exists (select from team_members m where m.team_id = t.id)
        and not exists (select from schedules s where s.team_id = t.id and s.enabled) order by t.slug) as "teamsWithoutSchedule"
    from organizations o where not o.hidden order by o.name`.execute(db);
  return rows;
}
