import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { Person } from '../people/contract.ts';
import { Oncall, OncallUser } from './contract.ts';

const StageNow = Type.Object({
  stage: Type.Number(),
  now: Type.Array(
    Type.Object({
      person: Person,
      starts_at: Type.String(TIME),
      ends_at: Type.String(TIME),
      away: Type.Boolean(),
      shadows: Type.Array(Person, {
        description: 'The people who are on call to learn from this person now, and are not paged.',
      }),
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
    description: 'Whether anybody on call, or else the backstop, can be reached now.',
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

/** The on-call list of 14 days that a node saved for the time when the database is away. */
export const SavedOnCall = Type.Object({
  saved_at: Type.String(TIME),
  until: Type.String({
    ...TIME,
    description: 'The time until which the list is complete: it has all shifts that begin before.',
  }),
  shortened: Type.Boolean({
    description: 'Whether the list ends before the 14 days are over, because it reached its largest size.',
  }),
  schedules: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      team: Type.String(),
      backstop: Type.Union([OncallUser, Type.Null()]),
      oncalls: Type.Array(Oncall),
    }),
  ),
});
export type SavedOnCall = Static<typeof SavedOnCall>;

export const onCallApi = {
  now: endpoint('GET /api/on-call', {
    summary: 'Show who is on call in every team, and your next shifts',
    response: Type.Object({ teams: Type.Array(TeamNow), yours: Type.Array(OwnShift) }),
  }),
  offline: endpoint('GET /api/on-call/offline', {
    summary: 'Show what a device keeps for the time without a network',
    description: `Returns the on-call list of the next 14 days with contact methods, of your teams and of the schedules in which you
      are on call: at most 50 schedules and 1,000 shifts.`,
    response: SavedOnCall,
  }),
  saved: endpoint('GET /api/saved-on-call', {
    summary: 'Show the saved on-call list',
    description: `Returns who is on call in the next 14 days, with contact methods, as this node saved it within the last minute
      in which it reached the database. Also answers while the database is away, for sessions that were open then.`,
    response: SavedOnCall,
  }),
};
