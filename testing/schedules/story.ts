import type { TestContext } from 'node:test';
import { databaseClock, MovableClock } from '../../src/db/clock.ts';
import { createDatabase, createPool, type Database } from '../../src/db/database.ts';
import { newId } from '../../src/kit/typeid.ts';
import { type PlanSummary, planSchedule, upsertSchedule } from '../../src/planning/actions.ts';
import { withSolvedPlans } from '../../src/planning/solved-plans.ts';
import type { Solver } from '../../src/planning/threads/solver.ts';
import type { LayerDefinition, ScheduleDefinition, StageDefinition } from '../../src/schedules/definition.ts';
import { type Pattern, parsePattern } from '../../src/schedules/pattern.ts';
import { testDatabase } from '../database.ts';
import { solverForTests } from '../planning/solver.ts';

type Hook = Pick<TestContext, 'after'>;

/** The properties of a schedule that a test sets; all others have defaults. People are named by their handles. */
export type ScheduleStory = Partial<
  Omit<ScheduleDefinition, 'pattern' | 'stages' | 'overrides' | 'backstopUserId'>
> & {
  shifts?: unknown;
  stages: (Omit<Partial<StageDefinition>, 'layers'> & { members?: string[]; layers?: LayerStory[] })[];
  backstop?: string;
  overrides?: { stage?: number; who: string; from: string; to: string }[];
};

/** A layer without its own shifts or zone has those of the schedule. */
export type LayerStory = { members: string[]; shifts?: unknown; timeZone?: string; seats?: number };

/** A database of its own with an organization, its team and some people. */
export type Rota = {
  db: Database;
  url: string;
  clock: MovableClock;
  solver: Solver;
  organizationId: string;
  teamId: string;
  /** Ids by handle. */
  people: Record<string, string>;
  /** The handle of a user, for messages of assertions. */
  handle(userId: string | null): string | null;
  /** Saves and plans a schedule in one transaction, as `apply` does. */
  save(story: ScheduleStory): Promise<{ id: string; changes: string[]; plan: PlanSummary }>;
  plan(scheduleId: string): Promise<PlanSummary>;
  away(who: string, from: string, to: string, type?: AwayType): Promise<string>;
  disable(who: string): Promise<void>;
  /** The rows of a schedule: stage, person, planned person, from and to. */
  shifts(scheduleId: string): Promise<ShiftStory[]>;
};
type AwayType = 'hard_unavailable' | 'soft_unavailable' | 'requested';
export type ShiftStory = {
  id: string;
  stage: number;
  seat: number;
  who: string | null;
  planned: string | null;
  from: string;
  to: string;
};

/** `now`: the initial time of the clock, as an ISO timestamp. */
export async function startRota(t: Hook, now: string, handles = ['ada', 'alan', 'grace']): Promise<Rota> {
  const database = await testDatabase();
  const pool = createPool({ connection: { connectionString: database.url }, max: 8, name: 'rota test' });
  const db = createDatabase(pool);
  t.after(async () => {
    await db.destroy();
    await database.drop();
  });
  const clock = new MovableClock();
  await clock.travelTo(db, Temporal.Instant.from(now));
  const organizationId = await insertOrganization(db);
  const teamId = await insertTeam(db, organizationId);
  const people: Record<string, string> = {};
  for (const handle of handles) people[handle] = await insertPerson(db, organizationId, handle);
  const idOf = (handle: string) => people[handle] ?? handle;
  const handle = (userId: string | null) => handles.find((known) => people[known] === userId) ?? userId;
  const solver = solverForTests();
  return {
    db,
    url: database.url,
    clock,
    solver,
    organizationId,
    teamId,
    people,
    handle,
    save: (story) =>
      withSolvedPlans({ db, clock, solver }, async (tx, at, plans) => {
        const saved = await upsertSchedule(tx, at, organizationId, definitionOf(story, teamId, idOf));
        return { ...saved, plan: await planSchedule(tx, at, saved.id, plans) };
      }),
    plan: (scheduleId) =>
      withSolvedPlans({ db, clock, solver }, (tx, at, plans) => planSchedule(tx, at, scheduleId, plans)),
    away: (who, from, to, type = 'hard_unavailable') =>
      insertAway(db, organizationId, idOf(who), from, to, type),
    async disable(who) {
      const at = await clock.now(db);
      await db.updateTable('users').set({ disabled_at: at }).where('id', '=', idOf(who)).execute();
    },
    async shifts(scheduleId) {
      const rows = await db
        .selectFrom('shifts')
        .selectAll()
        .where('schedule_id', '=', scheduleId)
        .orderBy('stage')
        .orderBy('seat')
        .orderBy('starts_at')
        .execute();
      return rows.map(({ id, stage, seat, user_id, planned_user_id, starts_at, ends_at }) => ({
        id,
        stage,
        seat,
        who: handle(user_id),
        planned: handle(planned_user_id),
        from: starts_at.toString(),
        to: ends_at.toString(),
      }));
    },
  };
}

function definitionOf(
  story: ScheduleStory,
  teamId: string,
  idOf: (handle: string) => string,
): ScheduleDefinition {
  return {
    name: 'SRE',
    teamId,
    description: null,
    enabled: true,
    timeZone: 'Europe/Berlin',
    strategy: 'rotation',
    planAheadWeeks: 4,
    restHours: 0,
    cover: 'propose',
    ...story,
    backstopUserId: story.backstop === undefined ? null : idOf(story.backstop),
    pattern: patternOf(story.shifts ?? { every: 'week', handoff: 'Monday 09:00' }),
    stages: story.stages.map(({ members = [], layers, ...stage }, index) => ({
      stage: index + 1,
      escalateAfterSeconds: 300,
      seats: 1,
      ...stage,
      memberIds: members.map(idOf),
      ...(layers ? { layers: layers.map((layer, at) => layerOf(layer, at, idOf)) } : {}),
    })),
    overrides:
      story.overrides?.map(({ stage = 1, who, from, to }) => ({
        stage,
        userId: idOf(who),
        startsAt: Temporal.Instant.from(from),
        endsAt: Temporal.Instant.from(to),
      })) ?? null,
  };
}

function layerOf(layer: LayerStory, at: number, idOf: (handle: string) => string): LayerDefinition {
  return {
    name: `Layer ${at + 1}`,
    timeZone: layer.timeZone ?? null,
    pattern: layer.shifts === undefined ? null : patternOf(layer.shifts),
    seats: layer.seats ?? 1,
    memberIds: layer.members.map(idOf),
  };
}

function patternOf(shifts: unknown): Pattern {
  const parsed = parsePattern(shifts);
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
  return parsed.pattern;
}

const LONG_AGO = { created_at: Temporal.Instant.from('2025-01-01T00:00:00Z') };

export async function insertOrganization(db: Database): Promise<string> {
  const id = newId('organization');
  await db
    .insertInto('organizations')
    .values({ id, name: 'Acme', time_zone: 'UTC', ...LONG_AGO, updated_at: LONG_AGO.created_at })
    .execute();
  return id;
}

export async function insertTeam(db: Database, organizationId: string, slug = 'sre'): Promise<string> {
  const id = newId('team');
  const row = { id, organization_id: organizationId, name: `Team ${slug}`, slug };
  await db
    .insertInto('teams')
    .values({ ...row, ...LONG_AGO, updated_at: LONG_AGO.created_at })
    .execute();
  return id;
}

export async function insertPerson(db: Database, organizationId: string, handle: string): Promise<string> {
  const id = newId('organization_user');
  const name = handle[0]?.toUpperCase() + handle.slice(1);
  const row = { id, organization_id: organizationId, email: `${handle}@example.com`, name, username: handle };
  await db
    .insertInto('users')
    .values({ ...row, role: 'member', time_zone: 'UTC', ...LONG_AGO, updated_at: LONG_AGO.created_at })
    .execute();
  return id;
}

async function insertAway(
  db: Database,
  organizationId: string,
  userId: string,
  from: string,
  to: string,
  type: AwayType,
): Promise<string> {
  const id = newId('availability');
  const at = await databaseClock.now(db);
  await db
    .insertInto('availabilities')
    .values({
      id,
      organization_id: organizationId,
      user_id: userId,
      type,
      name: 'Holiday',
      starts_at: Temporal.Instant.from(from),
      ends_at: Temporal.Instant.from(to),
      created_at: at,
      updated_at: at,
    })
    .execute();
  return id;
}
