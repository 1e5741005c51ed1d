import { sql } from 'kysely';
import type { Handle, Tx } from '../../db/database.ts';
import type { Language } from '../../language/contract.ts';
import type { Role } from '../contract.ts';
import type { ClockChoice, PersonSummary } from '../person-contract.ts';
import { clockOf } from '../store.ts';

export type PersonRow = {
  id: string;
  name: string;
  email: string;
  username: string;
  role: Role;
  timeZone: string;
  sleepFrom: number | null;
  sleepUntil: number | null;
  clock: ClockChoice;
  language: Language | null;
  disabledAt: Temporal.Instant | null;
  createdAt: Temporal.Instant;
  dashboardOpen: boolean;
  teams: PersonSummary['teams'];
};

/** All people of the organization, disabled ones last, or the one with this id. */
export async function listPeople(
  db: Handle,
  organizationId: string,
  id: string | null,
): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`
    select u.id, u.name, u.email, u.username, u.role, u.time_zone as "timeZone", u.sleep_from as "sleepFrom",
      u.sleep_until as "sleepUntil", ${clockOf()} as clock, u.language, u.disabled_at as "disabledAt", u.created_at as "createdAt",
      exists (select from open_dashboards o where o.user_id = u.id) as "dashboardOpen",
      coalesce((select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug, 'role', m.role) order by t.name)
        from team_members m join teams t on t.id = m.team_id where m.user_id = u.id), '[]') as teams
    from users u
    where u.organization_id = ${organizationId} and (${id}::text is null or u.id = ${id})
    order by u.disabled_at is not null, lower(u.name), u.id`.execute(db);
  return rows;
}

export type OnCallRow = {
  userId: string;
  scheduleId: string;
  schedule: string;
  stage: number;
  until: Temporal.Instant;
};

/** Who is on call now, in every enabled schedule of the organization. */
export async function listOnCallNow(
  db: Handle,
  organizationId: string,
  at: Temporal.Instant,
): Promise<OnCallRow[]> {
  const { rows } = await sql<OnCallRow>`
    select h.user_id as "userId", s.id as "scheduleId", s.name as schedule, h.stage, h.ends_at as until
    from schedules s join shifts h on h.schedule_id = s.id
    where s.organization_id = ${organizationId} and s.enabled and h.user_id is not null
      and tstzrange(h.starts_at, h.ends_at) @> ${at}::timestamptz
    order by h.stage, s.name`.execute(db);
  return rows;
}

export type ShiftRow = {
  id: string;
  scheduleId: string;
  schedule: string;
  stage: number;
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
};

/** A person's current and future shifts, the soonest first. */
export async function listShiftsAhead(
  db: Handle,
  organizationId: string,
  userId: string,
  at: Temporal.Instant,
  limit: number,
): Promise<ShiftRow[]> {
  const { rows } = await sql<ShiftRow>`
    select h.id, s.id as "scheduleId", s.name as schedule, h.stage, h.starts_at as "startsAt", h.ends_at as "endsAt"
    from shifts h join schedules s on s.id = h.schedule_id and s.enabled
    where h.organization_id = ${organizationId} and h.user_id = ${userId} and h.ends_at > ${at}
    order by h.starts_at, h.stage limit ${limit}`.execute(db);
  return rows;
}

/** What people may change about themselves, and admins about others. */
export type PersonChange = {
  name?: string | undefined;
  username?: string | undefined;
  timeZone?: string | undefined;
  role?: Role | undefined;
  sleep?: { from: number; until: number } | undefined;
  clock?: ClockChoice | undefined;
  language?: Language | null | undefined;
};

export async function updatePerson(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  id: string,
  { name, username, timeZone, role, sleep, clock, language }: PersonChange,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      updated_at: at,
      ...(name === undefined ? {} : { name }),
      ...(username === undefined ? {} : { username }),
      ...(timeZone === undefined ? {} : { time_zone: timeZone }),
      ...(role === undefined ? {} : { role }),
      ...(sleep === undefined ? {} : { sleep_from: sleep.from, sleep_until: sleep.until }),
      ...(language === undefined ? {} : { language }),
      ...(clock === undefined ? {} : { twelve_hour_clock: clock === 'device' ? null : clock === '12' }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** Whether another person of the organization has this username. */
export async function usernameIsTaken(
  db: Handle,
  organizationId: string,
  username: string,
  exceptId: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from users where organization_id = ${organizationId} and lower(username) = lower(${username})
      and id <> ${exceptId}`.execute(db);
  return rows.length > 0;
}

/** A person, with the row locked, and how many other owners there are. Null if they are not in the organization. */
export async function lockPerson(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<{ name: string; email: string; role: Role; disabled: boolean; otherOwners: number } | null> {
  // Locks all owners, because if two leave at the same time, they must not both see the other one as remaining.
  const { rows } = await sql<{ id: string; name: string; email: string; role: Role; disabled: boolean }>`
    select id, name, email, role, disabled_at is not null as disabled from users
    where organization_id = ${organizationId} and (id = ${id} or role = 'owner') order by id for update`.execute(
    tx,
  );
  const person = rows.find((row) => row.id === id);
  if (!person) return null;
  const others = rows.filter((row) => row.id !== id && row.role === 'owner' && !row.disabled);
  const { name, email, role, disabled } = person;
  return { name, email, role, disabled, otherOwners: others.length };
}

export async function countOtherOwners(db: Handle, organizationId: string, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from users
    where organization_id = ${organizationId} and role = 'owner' and disabled_at is null and id <> ${id}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
