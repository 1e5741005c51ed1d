import type { Handle } from '../db/database.ts';
import type { Notifiable } from '../people/contact-store.ts';
import { type CourseRow, courseRows, type OnCallRow, onCallRows } from './read-store.ts';

/**
 * The schedule is the one that the shift belongs to, even if a stage of another schedule is linked to it. `away`: a
 * `hard_unavailable` record contains the instant, despite the shift.
 */
export type OnCallPerson = {
  userId: string;
  scheduleId: string;
  scheduleName: string;
  shiftId: string;
  shiftEndsAt: Temporal.Instant;
  away: { availabilityId: string; name: string; until: Temporal.Instant } | null;
  /** How the person is notified. */
  notifiable: Notifiable;
};
export type TeamStage = { stage: number; escalateAfterMs: number; people: OnCallPerson[] };
type TeamBackstop = { userId: string; scheduleId: string; scheduleName: string; notifiable: Notifiable };
/** `stages` are in ascending order. `rounds`: the most of any schedule; null without an enabled schedule. */
export type TeamCourse = { stages: Omit<TeamStage, 'people'>[]; rounds: number | null };
export type TeamOnCall = { stages: TeamStage[]; backstops: TeamBackstop[]; rounds: TeamCourse['rounds'] };

/**
 * All stages of the team's enabled schedules, ascending, with the people whose shift contains `at` (start inclusive,
 * end exclusive), each person once a stage; empty stages included. Stages with the same number are merged, with the
 * shortest delay. Disabled users are neither on call nor a backstop.
 */
export async function teamOnCall(
  db: Handle,
  organizationId: string,
  teamId: string,
  at: Temporal.Instant,
): Promise<TeamOnCall> {
  return teamOnCallIn(await onCallRows(db, organizationId, teamId, at));
}

/** The same from the rows of one team. */
export function teamOnCallIn(rows: readonly OnCallRow[]): TeamOnCall {
  const { stages, rounds } = courseOf(rows);
  return {
    stages: stages.map((one) => ({ ...one, people: peopleOf(rows, one.stage) })),
    backstops: backstopsOf(rows),
    rounds,
  };
}

/** How a team's pages escalate, without its people. It reads no shifts. */
export async function teamCourse(db: Handle, teamId: string): Promise<TeamCourse> {
  return courseOf(await courseRows(db, teamId));
}

function courseOf(rows: readonly CourseRow[]): TeamCourse {
  const delays = new Map<number, number>();
  for (const { stage, escalateAfterSeconds } of rows) {
    if (stage === null || escalateAfterSeconds === null) continue;
    const delay = escalateAfterSeconds * 1_000;
    delays.set(stage, Math.min(delays.get(stage) ?? delay, delay));
  }
  const stages = [...delays].map(([stage, escalateAfterMs]) => ({ stage, escalateAfterMs }));
  const rounds = rows.length > 0 ? Math.max(...rows.map((row) => row.rounds)) : null;
  return { stages: stages.toSorted((a, b) => a.stage - b.stage), rounds };
}

/** Rows are ordered by stage, schedule and seat: of two shifts of one person in a stage, the first is used. */
function peopleOf(rows: readonly OnCallRow[], stage: number): OnCallPerson[] {
  const people = new Map<string, OnCallPerson>();
  for (const row of rows) {
    const person = row.stage === stage ? personOf(row) : null;
    if (person && !people.has(person.userId)) people.set(person.userId, person);
  }
  return [...people.values()];
}

function personOf(row: OnCallRow): OnCallPerson | null {
  const { shiftId, shiftUserId, shiftEndsAt, shiftUser: notifiable } = row;
  if (shiftId === null || shiftUserId === null || shiftEndsAt === null || notifiable === null) return null;
  const scheduleId = row.linkedScheduleId ?? row.scheduleId;
  const scheduleName = row.linkedScheduleName ?? row.scheduleName;
  const away = awayOf(row);
  return { userId: shiftUserId, scheduleId, scheduleName, shiftId, shiftEndsAt, away, notifiable };
}

function awayOf(row: OnCallRow): OnCallPerson['away'] {
  const { awayId, awayName, awayUntil } = row;
  if (awayId === null || awayUntil === null) return null;
  return { availabilityId: awayId, name: awayName ?? '', until: awayUntil };
}

function backstopsOf(rows: readonly OnCallRow[]): TeamBackstop[] {
  const backstops = new Map<string, TeamBackstop>();
  for (const { backstopUserId, scheduleId, scheduleName, backstop: notifiable } of rows) {
    if (backstopUserId === null || notifiable === null || backstops.has(backstopUserId)) continue;
    backstops.set(backstopUserId, { userId: backstopUserId, scheduleId, scheduleName, notifiable });
  }
  return [...backstops.values()];
}
