import type { Handle } from '../db/database.ts';
import { type OnCallPerson, teamOnCall } from '../schedules/oncall.ts';
import type { Ladder } from './escalation.ts';
import { reachableMembers } from './store.ts';

/** Whom a team's page can reach at this moment. */
export async function readLadder(
  db: Handle,
  organizationId: string,
  teamId: string,
  at: Temporal.Instant,
): Promise<Ladder> {
  const oncall = await teamOnCall(db, organizationId, teamId, at);
  const backstops = oncall.backstops.map((backstop) => ({
    userId: backstop.userId,
    why: { reason: 'backstop', schedule: backstop.scheduleName },
  }));
  const stages = oncall.stages.map((stage) => ({
    stage: stage.stage,
    escalateAfterMs: stage.escalateAfterMs,
    people: stage.people.map((person) => ({
      userId: person.userId,
      away: person.away !== null,
      why: whyOnCall(person),
    })),
  }));
  const empty = backstops.length === 0 && stages.every((stage) => stage.people.length === 0);
  return { stages, backstops, members: empty ? await reachableMembers(db, teamId) : [] };
}

function whyOnCall(person: OnCallPerson): Record<string, unknown> {
  const why = {
    reason: 'on call',
    schedule: person.scheduleName,
    shift_id: person.shiftId,
    until: wire(person.shiftEndsAt),
  };
  return person.away ? { ...why, away: person.away.name, away_until: wire(person.away.until) } : why;
}

function wire(at: Temporal.Instant): string {
  return at.toString({ fractionalSecondDigits: 3 });
}
