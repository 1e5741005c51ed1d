import type { Handle } from '../db/database.ts';
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
};
export type TeamStage = { stage: number; escalateAfterMs: number; people: OnCallPerson[] };
type TeamBackstop = { userId: string; scheduleId: string; scheduleName: string };
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
  const rows = await onCallRows(db, organizationId, teamId, at);
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
  const { shiftId, shiftUserId, shiftEndsAt } = row;
  if (shiftId === null || shiftUserId === null || shiftEndsAt === null) return null;
  const scheduleId = row.linkedScheduleId ?? row.scheduleId;
  const scheduleName = row.linkedScheduleName ?? row.scheduleName;
  return { userId: shiftUserId, scheduleId, scheduleName, shiftId, shiftEndsAt, away: awayOf(row) };
}

function awayOf(row: OnCallRow): OnCallPerson['away'] {
  const { awayId, awayName, awayUntil } = row;
  if (awayId === null || awayUntil === null) return null;
  return { availabilityId: awayId, name: awayName ?? '', until: awayUntil };
}

function backstopsOf(rows: readonly OnCallRow[]): TeamBackstop[] {
  const backstops = new Map<string, TeamBackstop>();
  for (const { backstopUserId, scheduleId, scheduleName } of rows) {
    if (backstopUserId === null || backstops.has(backstopUserId)) continue;
    backstops.set(backstopUserId, { userId: backstopUserId, scheduleId, scheduleName });
  }
  return [...backstops.values()];
}
