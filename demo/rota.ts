import { instantText } from '../src/kit/instant.ts';
import type { Escalation } from '../src/pages/escalation.ts';
import type { Method } from '../src/people/contract.ts';
import type { ExampleShift } from './example-store.ts';
import type { TeamSlug } from './people.ts';

export type ExampleStage = {
  teamId: string;
  stage: number;
  escalateAfterMs: number;
  schedule: string;
  backstopUserId: string | null;
};

export type Member = { userId: string; handle: string; timeZone: string; methods: Method[] };

/** The data from which the stories of the example are generated. */
export type Scene = {
  organizationId: string;
  now: Temporal.Instant;
  teams: { id: string; slug: TeamSlug; memberIds: string[] }[];
  members: ReadonlyMap<string, Member>;
  stages: readonly ExampleStage[];
  /** Sorted by their start. */
  shifts: readonly ExampleShift[];
};

/** The escalation of the team at that time, as `readEscalation` returns it for now. */
export function ladderAt({ stages, shifts }: Scene, teamId: string, at: Temporal.Instant): Escalation {
  const own = stages.filter((stage) => stage.teamId === teamId);
  const current = shifts.filter((shift) => shift.teamId === teamId && covers(shift, at));
  return {
    stages: own
      .toSorted((a, b) => a.stage - b.stage)
      .map(({ stage, escalateAfterMs }) => ({
        stage,
        escalateAfterMs,
        people: current
          .filter((shift) => shift.stage === stage)
          .map((shift) => ({ userId: shift.userId, away: false, reachable: true, why: whyOnCall(shift) })),
      })),
    backstops: own.flatMap(({ backstopUserId, schedule }) =>
      backstopUserId
        ? [{ userId: backstopUserId, reachable: true, why: { reason: 'backstop', schedule } }]
        : [],
    ),
    members: [],
  };
}

function covers({ from, to }: ExampleShift, at: Temporal.Instant): boolean {
  return Temporal.Instant.compare(from, at) <= 0 && Temporal.Instant.compare(to, at) > 0;
}

function whyOnCall({ schedule, id, to }: ExampleShift): Record<string, unknown> {
  return {
    reason: 'on call',
    schedule,
    shift_id: id,
    until: instantText(to),
  };
}
