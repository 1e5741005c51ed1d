import { isDatabaseAway } from '../db/away.ts';
import type { Handle, Tx } from '../db/database.ts';
import { keepIf } from '../db/savepoint.ts';
import { instantText } from '../kit/instant.ts';
import { isReachable, type Notifiable, readReach } from '../people/contact-store.ts';
import type { Means } from '../people/reachability.ts';
import { teamMemberIds } from '../people/team-store.ts';
import { type OnCallPerson, type TeamOnCall, teamCourse, teamOnCall } from '../schedules/oncall.ts';
import type { Escalation } from './escalation.ts';

export type PagedTeam = { organizationId: string; teamId: string };

/** An escalation, and how its people are notified, as far as that was read with it. */
export type ReadEscalation = Escalation & { notifiable: readonly Notifiable[] };

/** The people whom a team's page would notify at this time, in which order, and which of them can be reached. */
export async function readEscalation(
  db: Handle,
  means: Means,
  { organizationId, teamId }: PagedTeam,
  at: Temporal.Instant,
): Promise<ReadEscalation> {
  return escalationOf(db, means, teamId, await teamOnCall(db, organizationId, teamId, at));
}

/** The same, from people on call that were already read. Reads the members of the team if none of these people can be reached. */
export async function escalationOf(
  db: Handle,
  means: Means,
  teamId: string,
  oncall: TeamOnCall,
): Promise<ReadEscalation> {
  const people = oncall.stages.flatMap((stage) => stage.people);
  const notifiable = [...oncall.backstops, ...people].map((one) => one.notifiable);
  const reachable = new Set(notifiable.filter((one) => isReachable(one, means)).map(({ userId }) => userId));
  const backstops = oncall.backstops.map(({ userId, scheduleId, scheduleName }) => ({
    userId,
    reachable: reachable.has(userId),
    why: { reason: 'backstop', schedule: scheduleName, schedule_id: scheduleId },
  }));
  const stages = oncall.stages.map((stage) => ({
    stage: stage.stage,
    escalateAfterMs: stage.escalateAfterMs,
    people: stage.people.map((person) => ({
      userId: person.userId,
      away: person.away !== null,
      reachable: reachable.has(person.userId),
      why: whyOnCall(person),
    })),
  }));
  const members = reachable.size > 0 ? [] : await reachableMembers(db, means, teamId);
  const rounds = oncall.rounds === null ? {} : { rounds: oncall.rounds };
  return { stages, backstops, members, ...rounds, notifiable };
}

/**
 * The recipients of the step `members`. Of schedules, it reads only rounds and delays, because a damaged schedule may be
 * the reason for the step.
 */
export async function membersAlone(db: Handle, means: Means, teamId: string): Promise<ReadEscalation> {
  const { stages, rounds } = await teamCourse(db, teamId);
  const members = await reachableMembers(db, means, teamId);
  return {
    stages: stages.map((stage) => ({ ...stage, people: [] })),
    backstops: [],
    members,
    ...(rounds === null ? {} : { rounds }),
    notifiable: [],
  };
}

/** The escalation of a team; if its schedules cannot be read, its members, whom the step that needs them notifies instead. */
export async function readEscalationOrMembers(
  tx: Tx,
  means: Means,
  team: PagedTeam,
  at: Temporal.Instant,
): Promise<Escalation> {
  let escalation: Escalation | null = null;
  try {
    await keepIf(tx, async (inside) => {
      escalation = await readEscalation(inside, means, team, at);
      return true;
    });
  } catch (error) {
    // The step that needs the schedules reads them again, and logs why it fails.
    if (isDatabaseAway(error)) throw error;
  }
  return escalation ?? membersAlone(tx, means, team.teamId);
}

/** Members of a team who can be reached now. */
async function reachableMembers(db: Handle, means: Means, teamId: string): Promise<string[]> {
  const members = await teamMemberIds(db, teamId);
  const reach = await readReach(db, members, means);
  return members.filter((userId) => reach.get(userId)?.reachable);
}

function whyOnCall(person: OnCallPerson): Record<string, unknown> {
  const why = {
    reason: 'on call',
    schedule: person.scheduleName,
    schedule_id: person.scheduleId,
    shift_id: person.shiftId,
    until: instantText(person.shiftEndsAt),
  };
  return person.away ? { ...why, away: person.away.name, away_until: instantText(person.away.until) } : why;
}
