import type { Handle } from '../db/database.ts';
import { instantText } from '../kit/instant.ts';
import { readReach } from '../people/contact-store.ts';
import type { Means } from '../people/reachability.ts';
import { type OnCallPerson, teamOnCall } from '../schedules/oncall.ts';
import { roundsOfTeam } from '../schedules/read-store.ts';
import type { Escalation } from './escalation.ts';
import { teamMemberIds } from './store.ts';

export type PagedTeam = { organizationId: string; teamId: string };

/** The people whom a team's page would notify at this time, in which order, and which of them can be reached. */
export async function readEscalation(
  db: Handle,
  means: Means,
  { organizationId, teamId }: PagedTeam,
  at: Temporal.Instant,
): Promise<Escalation> {
  const oncall = await teamOnCall(db, organizationId, teamId, at);
  const ids = [...oncall.backstops, ...oncall.stages.flatMap(({ people }) => people)].map(
    ({ userId }) => userId,
  );
  const reach = await readReach(db, ids, means);
  const reachable = (userId: string) => reach.get(userId)?.reachable ?? false;
  const backstops = oncall.backstops.map(({ userId, scheduleName }) => ({
    userId,
    reachable: reachable(userId),
    why: { reason: 'backstop', schedule: scheduleName },
  }));
  const stages = oncall.stages.map((stage) => ({
    stage: stage.stage,
    escalateAfterMs: stage.escalateAfterMs,
    people: stage.people.map((person) => ({
      userId: person.userId,
      away: person.away !== null,
      reachable: reachable(person.userId),
      why: whyOnCall(person),
    })),
  }));
  const members = ids.some(reachable) ? [] : await reachableMembers(db, means, teamId);
  return { stages, backstops, members, ...(oncall.rounds === null ? {} : { rounds: oncall.rounds }) };
}

/**
 * The recipients of the step `members`. Of schedules, it reads only their rounds, because a damaged schedule may be the
 * reason for the step.
 */
export async function membersAlone(db: Handle, means: Means, teamId: string): Promise<Escalation> {
  const rounds = await roundsOfTeam(db, teamId);
  const members = await reachableMembers(db, means, teamId);
  return { stages: [], backstops: [], members, ...(rounds === null ? {} : { rounds }) };
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
    shift_id: person.shiftId,
    until: instantText(person.shiftEndsAt),
  };
  return person.away ? { ...why, away: person.away.name, away_until: instantText(person.away.until) } : why;
}
