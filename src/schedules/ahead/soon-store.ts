import { sql } from 'kysely';
import type { Handle } from '../../db/database.ts';
import type { Person } from '../../people/contract.ts';
import { personJson } from '../../people/store.ts';
import { LONGEST_SHIFT } from '../longest-shift-contract.ts';

type Where = {
  organizationId: string;
  scheduleId: string;
  scheduleName: string;
  teamId: string;
  stage: number;
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
};
export type SoonGap = Where & { seat: number; backstopUserId: string | null };
export type SoonCover = Where & { id: string; userId: string; proposedUserIds: string[] };
export type SoonShift = Where & { userId: string };

const WHERE = sql`s.organization_id as "organizationId", s.id as "scheduleId", s.name as "scheduleName",
  s.team_id as "teamId"`;
const SHIFT = sql`h.stage, h.starts_at as "startsAt", h.ends_at as "endsAt"`;

/** Gaps of enabled schedules that are running or begin before `until`. */
export async function soonGaps(
  db: Handle,
  at: Temporal.Instant,
  until: Temporal.Instant,
): Promise<SoonGap[]> {
  const { rows } = await sql<SoonGap>`
    select ${WHERE}, ${SHIFT}, h.seat, b.id as "backstopUserId"
    from shifts h join schedules s on s.id = h.schedule_id and s.enabled
    left join users b on b.id = s.backstop_user_id and b.disabled_at is null
    where h.user_id is null and h.starts_at < ${until} and h.starts_at > ${at.subtract(LONGEST_SHIFT)}
      and h.ends_at > ${at}
    order by h.starts_at, h.id limit 5000`.execute(db);
  return rows;
}

/** Covers that nobody has taken, running or beginning before `until`. */
export async function soonCovers(
  db: Handle,
  at: Temporal.Instant,
  until: Temporal.Instant,
): Promise<SoonCover[]> {
  const { rows } = await sql<SoonCover>`
    select ${WHERE}, c.stage, c.starts_at as "startsAt", c.ends_at as "endsAt", c.id, c.user_id as "userId",
      array(select distinct move->>'gains' from jsonb_array_elements(coalesce(c.proposal->'moves', '[]')) move)
        as "proposedUserIds"
    from covers c join schedules s on s.id = c.schedule_id and s.enabled
    where c.state in ('open', 'proposed') and c.starts_at < ${until} and c.ends_at > ${at}
    order by c.starts_at, c.id limit 5000`.execute(db);
  return rows;
}

/** The first shift of each person that is running or begins before `until`. */
export async function nextShifts(
  db: Handle,
  at: Temporal.Instant,
  until: Temporal.Instant,
): Promise<SoonShift[]> {
  const { rows } = await sql<SoonShift>`
    select distinct on (h.user_id) h.user_id as "userId", ${WHERE}, ${SHIFT}
    from shifts h join schedules s on s.id = h.schedule_id and s.enabled
    join users u on u.id = h.user_id and u.disabled_at is null
    where h.starts_at < ${until} and h.starts_at > ${at.subtract(LONGEST_SHIFT)} and h.ends_at > ${at}
    order by h.user_id, h.starts_at, h.id`.execute(db);
  return rows;
}

/** Shifts that begin before `until`, unless they directly follow another one of the same person in that stage. */
export async function beginningShifts(
  db: Handle,
  at: Temporal.Instant,
  until: Temporal.Instant,
): Promise<SoonShift[]> {
  const { rows } = await sql<SoonShift>`
    select h.user_id as "userId", ${WHERE}, ${SHIFT}
    from shifts h join schedules s on s.id = h.schedule_id and s.enabled
    where h.starts_at > ${at} and h.starts_at <= ${until} and h.user_id is not null
      and not exists (select from shifts p where p.schedule_id = h.schedule_id and p.stage = h.stage
        and p.user_id = h.user_id and p.ends_at = h.starts_at
        and tstzrange(p.starts_at, p.ends_at) && tstzrange(h.starts_at - interval '1 second', h.starts_at))
    order by h.starts_at, h.id limit 5000`.execute(db);
  return rows;
}

/** A shift that has just started or ended. */
export type TurningShift = {
  type: 'shift.started' | 'shift.ended';
  id: string;
  organizationId: string;
  teamId: string;
  scheduleId: string;
  scheduleName: string;
  /** A decimal number as text. */
  stage: string;
  seat: number;
  /**
   * Equal for the same change of the same person, no matter which row has it: a repair replaces the rows of continuing
   * shifts.
   */
  key: string;
  person: Person;
  /** The planned person; null for nobody. */
  planned: Person | null;
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
};

/** The shifts of enabled schedules of these organizations that started or ended after `since`, up to `at`; at most 1,000. */
export async function turningShifts(
  db: Handle,
  organizationIds: readonly string[],
  since: Temporal.Instant,
  at: Temporal.Instant,
): Promise<TurningShift[]> {
  const { rows } = await sql<TurningShift>`
    select turned.type, h.id, h.organization_id as "organizationId", s.team_id as "teamId", s.id as "scheduleId",
      s.name as "scheduleName", h.stage::text as stage, h.seat, named.key, ${personJson('u')} as person,
      ${personJson('p')} as planned, h.starts_at as "startsAt", h.ends_at as "endsAt"
    from schedules s
    join shifts h on h.schedule_id = s.id
      and tstzrange(h.starts_at, h.ends_at) && tstzrange(${since}::timestamptz - interval '1 second', ${at}::timestamptz, '[]')
    cross join lateral (values ('shift.ended', h.ends_at), ('shift.started', h.starts_at)) as turned (type, at)
    cross join lateral (select concat_ws(' ', turned.type, s.id, h.stage, h.seat, h.user_id,
      extract(epoch from turned.at)) as key) as named
    join users u on u.id = h.user_id
    left join users p on p.id = h.planned_user_id
    where s.organization_id = any(${[...organizationIds]}::text[]) and s.enabled
      and turned.at > ${since} and turned.at <= ${at}
      and not exists (select from announced a where a.key = named.key)
    order by turned.at, turned.type, h.id limit 1000`.execute(db);
  return rows;
}
