import { sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import type { Interval } from '../kit/interval.ts';
import { type ApartGroup, apartOf, groupsApart } from '../schedules/apart.ts';
import type { OnlyWith } from '../schedules/companions.ts';
import { daysOf } from '../schedules/limits.ts';
import { timesNotPlanned } from '../schedules/person-times.ts';
import { epochMs, shiftsElsewhere } from '../schedules/plan-store.ts';
import type { Absence, Roster, RosterRules, Stint, Wish } from '../schedules/roster.ts';
import { type PlanRules, storedRules } from '../schedules/rules.ts';
import { rulesOfStrategy } from '../schedules/rules-of-strategy.ts';
import { namesOf } from '../schedules/store.ts';

/** The settings of a schedule that covers use. */
export type CoveredSchedule = {
  id: string;
  organizationId: string;
  teamId: string;
  name: string;
  timeZone: string;
  enabled: boolean;
  cover: 'propose' | 'apply';
  restMs: number;
};

const SCHEDULE = sql`id, organization_id as "organizationId", team_id as "teamId", name, time_zone as "timeZone", enabled,
  cover, (rest_hours * 3600000)::float8 as "restMs"`;

/** Locks schedules, always in the same order, so that only one transaction at a time changes their shifts. */
export async function lockSchedules(tx: Tx, ids: readonly string[]): Promise<CoveredSchedule[]> {
  const { rows } = await sql<CoveredSchedule>`
    select ${SCHEDULE} from schedules where id = any(${ids}::text[]) order by id for no key update`.execute(
    tx,
  );
  return rows;
}

/** The same without a lock, for reading only. */
export async function findSchedules(db: Handle, ids: readonly string[]): Promise<CoveredSchedule[]> {
  const { rows } = await sql<CoveredSchedule>`
    select ${SCHEDULE} from schedules where id = any(${ids}::text[]) order by id`.execute(db);
  return rows;
}

/** Earlier shifts count for rest, load and limits if they end after this, in days. */
const LOOKING_BACK = 35;
const MOST_LOOKING_BACK = 400;

/** How far back limits look. */
function daysBack({ limits, people = {} }: RosterRules): number {
  const all = [limits, ...Object.values(people).map((one) => ({ ...limits, ...one.limits }))];
  return Math.min(MOST_LOOKING_BACK, Math.max(LOOKING_BACK, ...all.map(daysOf)));
}

/** The roster of a schedule from `at` on, with recent shifts. */
export async function readRoster(
  db: Handle,
  schedule: Pick<CoveredSchedule, 'id' | 'organizationId' | 'restMs'>,
  at: Temporal.Instant,
): Promise<Roster> {
  const { rules, people: own, groups, onlyWith } = await rulesOf(db, schedule.id);
  const since = at.subtract({ hours: 24 * daysBack(rules) });
  const stints = await stintsSince(db, schedule.id, since);
  const stages = await stagesOf(db, schedule.id);
  const people = new Set([
    ...stages.flatMap(({ members }) => members),
    ...stints.flatMap(({ userId }) => userId ?? []),
  ]);
  const records = await recordsOf(db, [...people], at);
  const hard = records.filter(({ type }) => type === 'hard_unavailable');
  const wishes = records.filter(
    (record): record is typeof record & Wish => record.type !== 'hard_unavailable',
  );
  return {
    stints,
    members: new Map(stages.map(({ stage, members }) => [stage, members])),
    seats: new Map(stages.map(({ stage, seats }) => [stage, seats])),
    absences: Map.groupBy(hard, ({ userId }) => userId),
    wishes: Map.groupBy(wishes, ({ userId }) => userId),
    elsewhere: await shiftsElsewhere(db, schedule, [...people], { from: since, to: null }),
    restMs: schedule.restMs,
    apart: apartOf(groups),
    names: await namesOfPeople(db, schedule.organizationId, [
      ...groups.flatMap((group) => group.people),
      // Everybody might be left alone.
      ...(onlyWith.length > 0 ? [...people, ...onlyWith.flatMap((rule) => rule.with)] : []),
    ]),
    ...(onlyWith.length > 0 ? { onlyWith } : {}),
    notPlanned: timesNotPlanned(own, rules.timeZone, {
      from: at.epochMilliseconds,
      to: Math.max(at.epochMilliseconds, ...stints.map(({ to }) => to)),
    }),
    rules,
  };
}

async function rulesOf(
  db: Handle,
  scheduleId: string,
): Promise<{
  rules: RosterRules;
  people: NonNullable<PlanRules['people']>;
  groups: ApartGroup[];
  onlyWith: readonly OnlyWith[];
}> {
  const { strategy, planning, time_zone } = await db
    .selectFrom('schedules')
    .select(['strategy', 'planning', 'time_zone'])
    .where('id', '=', scheduleId)
    .executeTakeFirstOrThrow();
  const stored = storedRules(planning);
  const { limits, elsewhere, people, onlyWith } = rulesOfStrategy(strategy, stored);
  const { countElsewhereSince } = stored;
  const rules = { limits, elsewhere, countElsewhereSince, people, timeZone: time_zone };
  return { rules, people: stored.people ?? {}, groups: groupsApart(stored), onlyWith };
}

async function namesOfPeople(
  db: Handle,
  organizationId: string,
  people: readonly string[],
): Promise<Map<string, string>> {
  const ids = [...new Set(people)];
  return ids.length > 0 ? await namesOf(db, organizationId, ids) : new Map();
}

/** The roster with one more person, who may not be a member. */
export async function withPerson(
  db: Handle,
  roster: Roster,
  schedule: Pick<CoveredSchedule, 'id' | 'organizationId'>,
  userId: string,
  at: Temporal.Instant,
): Promise<Roster> {
  if (roster.absences.has(userId) || roster.elsewhere.has(userId)) return roster;
  const records = await recordsOf(db, [userId], at);
  const absences = records.filter(({ type }) => type === 'hard_unavailable');
  const since = at.subtract({ hours: 24 * daysBack(roster.rules) });
  const elsewhere = await shiftsElsewhere(db, schedule, [userId], { from: since, to: null });
  return {
    ...roster,
    absences: new Map([...roster.absences, [userId, absences]]),
    elsewhere: new Map([...roster.elsewhere, ...elsewhere]),
  };
}

async function stintsSince(db: Handle, scheduleId: string, since: Temporal.Instant): Promise<Stint[]> {
  const { rows } = await sql<Omit<Stint, 'shared'> & { shared: Interval | null }>`
    select stage, seat, user_id as "userId", ${epochMs('starts_at')} as "from", ${epochMs('ends_at')} as "to",
      ${epochMs('coalesce(planned_starts_at, starts_at)')} as shift, override_id is not null as stands,
      reason -> 'shared' as shared
    from shifts
    where schedule_id = ${scheduleId} and tstzrange(starts_at, ends_at) && tstzrange(${since}, null)
    order by starts_at, stage, seat`.execute(db);
  return rows.map(({ shared, ...stint }) => (shared ? { ...stint, shared } : stint));
}

async function stagesOf(
  db: Handle,
  scheduleId: string,
): Promise<{ stage: number; seats: number; members: string[] }[]> {
  const { rows } = await sql<{ stage: number; seats: number; members: string[] }>`
    select stage, seats, coalesce(array(
      select m.user_id::text from stage_members m join users u on u.id = m.user_id and u.disabled_at is null
      where m.schedule_id = s.schedule_id and m.stage = s.stage order by m.position, m.user_id), '{}') as members
    from schedule_stages s where schedule_id = ${scheduleId} and linked_schedule_id is null order by stage`.execute(
    db,
  );
  return rows;
}

type RecordRow = Absence & { userId: string; type: 'hard_unavailable' | Wish['type'] };

async function recordsOf(db: Handle, userIds: readonly string[], at: Temporal.Instant): Promise<RecordRow[]> {
  const { rows } = await sql<RecordRow>`
    select id, user_id as "userId", type, ${epochMs('starts_at')} as "from", ${epochMs('ends_at')} as "to"
    from availabilities where user_id = any(${userIds}::text[]) and ends_at > ${at}
    order by starts_at, id`.execute(db);
  return rows;
}

/** By stage: the number of seats, with those of all layers. */
export async function seatsOfStages(db: Handle, scheduleId: string): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('schedule_stages')
    .select(['stage', 'seats'])
    .where('schedule_id', '=', scheduleId)
    .where('linked_schedule_id', 'is', null)
    .execute();
  return new Map(rows.map(({ stage, seats }) => [stage, seats]));
}
