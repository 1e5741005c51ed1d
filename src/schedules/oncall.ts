import type { Handle } from '../db/database.ts';
import type { Notifiable } from '../people/contact-store.ts';
import { type OnCallRow, onCallRows } from './read-store.ts';

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
/** `rounds`: the most of any schedule; null without an enabled schedule. */
export type TeamOnCall = { stages: TeamStage[]; backstops: TeamBackstop[]; rounds: number | null };

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
  const rounds = rows.length > 0 ? Math.max(...rows.map((row) => row.rounds)) : null;
  return { stages: stagesOf(rows), backstops: backstopsOf(rows), rounds };
}

/** Rows are ordered by stage, schedule and seat: of two shifts of one person in a stage, the first is used. */
function stagesOf(rows: readonly OnCallRow[]): TeamStage[] {
  const stages = new Map<number, TeamStage>();
  for (const row of rows) {
    if (row.stage === null || row.escalateAfterSeconds === null) continue;
    const escalateAfterMs = row.escalateAfterSeconds * 1_000;
    const stage = stages.get(row.stage) ?? { stage: row.stage, escalateAfterMs, people: [] };
    stage.escalateAfterMs = Math.min(stage.escalateAfterMs, escalateAfterMs);
    const person = personOf(row);
    if (person && !stage.people.some(({ userId }) => userId === person.userId)) stage.people.push(person);
    stages.set(row.stage, stage);
  }
  return [...stages.values()].sort((a, b) => a.stage - b.stage);
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
