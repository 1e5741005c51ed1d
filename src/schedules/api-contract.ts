import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { Person } from '../people/contract.ts';

const StageNow = Type.Object({
  stage: Type.Number(),
  now: Type.Array(
    Type.Object({
      person: Person,
      starts_at: Type.String(TIME),
      ends_at: Type.String(TIME),
      away: Type.Boolean(),
    }),
  ),
  next: Type.Union([
    Type.Object({
      person: Type.Union([Person, Type.Null()]),
      starts_at: Type.String(TIME),
    }),
    Type.Null(),
  ]),
});

/** Answers about who is on call. Times are ISO 8601 in UTC. */

export const ScheduleNow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  backstop: Type.Union([Person, Type.Null()]),
  stages: Type.Array(StageNow),
  gap: Type.Union(
    [
      Type.Object({
        stage: Type.Number(),
        starts_at: Type.String(TIME),
        ends_at: Type.String(TIME),
      }),
      Type.Null(),
    ],
    { description: 'The next gap within 14 days.' },
  ),
  reachable: Type.Enum(['on_call', 'backstop', 'nobody'], {
    type: 'string',
    description: 'Whether anybody on call can be reached now, or else the backstop.',
  }),
});
export type ScheduleNow = Static<typeof ScheduleNow>;

/** Who is on call in a team at one moment. */
export const TeamNow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  mine: Type.Boolean(),
  schedules: Type.Array(ScheduleNow),
});
export type TeamNow = Static<typeof TeamNow>;

export const OwnShift = Type.Object({
  schedule: Type.Object({
    id: Type.String(),
    name: Type.String(),
  }),
  team: Type.Object({
    id: Type.String(),
    name: Type.String(),
  }),
  stage: Type.Number(),
  starts_at: Type.String(TIME),
  ends_at: Type.String(TIME),
});
export type OwnShift = Static<typeof OwnShift>;

export const onCallApi = {
  now: endpoint('GET /api/on-call', {
    summary: 'Show who is on call in every team, and your next shifts',
    response: Type.Object({ teams: Type.Array(TeamNow), yours: Type.Array(OwnShift) }),
  }),
};
