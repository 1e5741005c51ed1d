import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import type { CoverState } from './api-contract.ts';
import { COVER, type StoredCover } from './cover-store.ts';

type Viewer = { organizationId: string; userId: string };

/** A schedule for presenting covers, and whether the viewer is a manager of its team. */
export type ScheduleHead = {
  id: string;
  name: string;
  timeZone: string;
  restMs: number;
  team: { id: string; name: string; slug: string };
  manager: boolean;
};

export async function scheduleHeads(
  db: Handle,
  viewer: Viewer,
  ids: readonly string[],
): Promise<Map<string, ScheduleHead>> {
  const { rows } = await sql<ScheduleHead>`
    select s.id, s.name, s.time_zone as "timeZone", (s.rest_hours * 3600000)::float8 as "restMs",
      jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug) as team,
      coalesce(m.role = 'manager', false) as manager
    from schedules s join teams t on t.id = s.team_id
    left join team_members m on m.team_id = t.id and m.user_id = ${viewer.userId}
    where s.organization_id = ${viewer.organizationId} and s.id = any(${[...new Set(ids)]}::text[])`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export type AbsenceHead = { id: string; name: string; startsAt: Temporal.Instant; endsAt: Temporal.Instant };

export async function absenceHeads(db: Handle, ids: readonly string[]): Promise<Map<string, AbsenceHead>> {
  const { rows } = await sql<AbsenceHead>`
    select id, name, starts_at as "startsAt", ends_at as "endsAt" from availabilities
    where id = any(${[...new Set(ids)]}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

export type CoverFilter = {
  scheduleId: string | null;
  from: Temporal.Instant;
  to: Temporal.Instant | null;
  states: readonly CoverState[] | null;
};

/** Covers of an organization that end after `from`, by start; at most 1,000. */
export async function listCovers(
  db: Handle,
  organizationId: string,
  { scheduleId, from, to, states }: CoverFilter,
): Promise<StoredCover[]> {
  const { rows } = await sql<StoredCover>`
    select ${COVER} from covers c
    where c.organization_id = ${organizationId} and (${scheduleId}::text is null or c.schedule_id = ${scheduleId})
      and c.ends_at > ${from} and (${to}::timestamptz is null or c.starts_at < ${to})
      and (${states}::text[] is null or c.state = any(${states}::text[]))
    order by c.starts_at, c.stage, c.seat, c.id limit 1000`.execute(db);
  return rows;
}

/** The id of the shift that a seat has at the start of a place; null if there is none. */
export async function shiftAt(
  db: Handle,
  place: { scheduleId: string; stage: number; seat: number; from: number },
): Promise<string | null> {
  const at = Temporal.Instant.fromEpochMilliseconds(place.from);
  const { rows } = await sql<{ id: string }>`
    select id from shifts where schedule_id = ${place.scheduleId} and stage = ${place.stage} and seat = ${place.seat}
      and tstzrange(starts_at, ends_at) @> ${at}::timestamptz`.execute(db);
  return rows[0]?.id ?? null;
}
