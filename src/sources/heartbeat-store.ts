import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import { nodeIsRunning } from '../db/servers.ts';
import { CALLING_SOURCE, type CallingSource } from '../webhooks/call-store.ts';

/** Records a call of a heartbeat. Returns when the next one is due; null if the source has no interval. */
export async function noteBeat(db: Handle, clock: Clock, id: string): Promise<Temporal.Instant | null> {
  const { rows } = await sql<{ dueAt: Temporal.Instant }>`
    update page_sources set last_beat_at = ${clock.sql} where id = ${id} and interval_minutes is not null
    returning last_beat_at + interval_minutes * interval '1 minute' as "dueAt"`.execute(db);
  return rows[0]?.dueAt ?? null;
}

/** The SQL condition for a webhook `w` that accepts calls at the time `at`. */
function isLive(at: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(w.revoked_at is null and (w.expires_at is null or w.expires_at > ${at}))`;
}

/** The SQL condition for a heartbeat of this name, `w` with `s`, in the team of the source `caller`. */
function isOfTeam(clock: Clock, name: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(w.team_id = caller.team_id and w.pages and ${isLive(clock.sql)} and lower(w.name) = lower(${name})
    and s.id = w.id and s.interval_minutes is not null)`;
}

/**
 * Records a call of the heartbeat with this name in the team of a source. Without a name: the one with the name of the
 * source, followed by “heartbeat”. Returns false if there is none.
 */
export async function noteNamedBeat(
  db: Handle,
  clock: Clock,
  sourceId: string,
  name: string | null,
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    with beaten as (
      update page_sources s set last_beat_at = ${clock.sql}
      from webhooks caller, webhooks w
      where caller.id = ${sourceId} and ${isOfTeam(clock, sql`coalesce(${name}, caller.name || ' heartbeat')`)}
      returning s.id
    )
    update webhooks set last_used_at = greatest(last_used_at, ${clock.sql}) where id in (select id from beaten)
    returning id`.execute(db);
  return rows.length > 0;
}

export type NamedHeartbeat = {
  name: string;
  intervalMinutes: number;
  lastCallAt: Temporal.Instant | null;
  late: boolean;
  team: { id: string; name: string };
};

/** The heartbeats in the team of a source, by name, at most `limit`; with a name, only that one. */
export async function teamHeartbeats(
  db: Handle,
  clock: Clock,
  sourceId: string,
  { name, limit }: { name: string | null; limit: number },
): Promise<NamedHeartbeat[]> {
  const { rows } = await sql<NamedHeartbeat>`
    select w.name, s.interval_minutes as "intervalMinutes", s.last_beat_at as "lastCallAt", s.late_since is not null as late,
      jsonb_build_object('id', t.id, 'name', t.name) as team
    from webhooks caller join webhooks w on w.team_id = caller.team_id
    join page_sources s on s.id = w.id and ${isOfTeam(clock, sql`coalesce(${name}, w.name)`)}
    join teams t on t.id = w.team_id
    where caller.id = ${sourceId} order by lower(w.name) limit ${limit}`.execute(db);
  return rows;
}

export type TurnedHeartbeat = {
  organizationId: string;
  teamId: string;
  sourceId: string;
  source: CallingSource;
  intervalMinutes: number;
  lastCallAt: Temporal.Instant;
  /** True: it is late since `dueAt`. False: it was late and has called again. */
  late: boolean;
  dueAt: Temporal.Instant;
};

/**
 * Locks heartbeats that became late, or that called after they were late, in the order of their ids. Only time in which
 * calls were accepted counts: a heartbeat has its whole interval from its last call or from the start of the service,
 * and nothing becomes late after a node that accepts calls was last seen.
 */
export async function takeTurned(
  tx: Tx,
  at: Temporal.Instant,
  afterId: string,
  limit: number,
): Promise<TurnedHeartbeat[]> {
  const { rows } = await sql<TurnedHeartbeat>`
    select w.organization_id as "organizationId", w.team_id as "teamId", s.id as "sourceId",
      ${CALLING_SOURCE} as source,
      s.interval_minutes as "intervalMinutes", s.last_beat_at as "lastCallAt", s.late_since is null as late, due.at as "dueAt"
    from page_sources s
    join webhooks w on w.id = s.id and ${isLive(sql`${at}`)}
    cross join accepting a
    cross join lateral (select greatest(s.last_beat_at, a.since) + s.interval_minutes * interval '1 minute' as at) due
    where s.interval_minutes is not null and s.last_beat_at is not null and s.id > ${afterId}
      and case when s.late_since is null then due.at <= a.seen_at else s.last_beat_at > s.late_since end
    order by s.id limit ${limit} for no key update of s skip locked`.execute(tx);
  return rows;
}

export async function markLate(tx: Tx, at: Temporal.Instant, ids: readonly string[]): Promise<void> {
  await sql`update page_sources set late_since = ${at} where id = any(${ids}::text[])`.execute(tx);
}

export async function markBack(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`update page_sources set late_since = null where id = any(${ids}::text[])`.execute(tx);
}

/** A node that accepts calls is seen at least this often while it runs. */
const SEEN_WITHIN = sql`interval '10 seconds'`;

/**
 * Records that this node accepts calls. The start of the time in which the service has accepted calls is reset if there
 * may have been a gap: this node was not `continuing`, and no other node that accepts calls is alive, or none was seen
 * for a while.
 */
export async function keepAccepting(
  db: Handle,
  clock: Clock,
  { node, continuing }: { node: number; continuing: boolean },
): Promise<void> {
  const alone = sql`not exists (
    select from nodes n
    where n.role <> 'worker' and n.stopped_at is null and n.id <> ${node} and ${nodeIsRunning('n.id')})`;
  const began = continuing ? sql`false` : sql`(known.seen_at < ${clock.sql} - ${SEEN_WITHIN} or ${alone})`;
  await sql`
    insert into accepting as known (since, seen_at) values (${clock.sql}, ${clock.sql})
    on conflict (one) do update set seen_at = ${clock.sql},
      since = case when ${began} then ${clock.sql} else least(known.since, ${clock.sql}) end`.execute(db);
}
