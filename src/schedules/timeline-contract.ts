import { type Static, Type } from 'typebox';
import { Repeats } from '../availability/api-contract.ts';
import { AvailabilityType } from '../availability/contract.ts';
import { UncoveredTimes } from '../calendars/api-contract.ts';
import { endpoint } from '../kit/endpoint-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { Person } from '../people/contract.ts';

/** What timelines and calendars show. Times are ISO 8601 in UTC; shifts are not cut to the range. */

export const TimelineQuery = Type.Object({
  from: Type.String({ format: 'instant' }),
  to: Type.String({ format: 'instant' }),
});
export type TimelineQuery = Static<typeof TimelineQuery>;

const PersonShiftsQuery = Type.Object({
  ...TimelineQuery.properties,
  person: Type.Optional(Type.String({ maxLength: 100 })),
});
export type PersonShiftsQuery = Static<typeof PersonShiftsQuery>;

export const PersonShift = Type.Object({
  id: Type.String(),
  schedule: Type.Object({
    id: Type.String(),
    name: Type.String(),
    time_zone: Type.String(),
  }),
  team: Type.Object({
    id: Type.String(),
    name: Type.String(),
    slug: Type.String(),
  }),
  stage: Type.Number(),
  seat: Type.Integer(),
  starts_at: Type.String(TIME),
  ends_at: Type.String(TIME),
});
export type PersonShift = Static<typeof PersonShift>;

const PersonShifts = Type.Object({
  now: Type.String(TIME),
  shifts: Type.Array(PersonShift),
});
export type PersonShifts = Static<typeof PersonShifts>;

const ShiftTime = Type.Object({
  id: Type.String(),
  starts_at: Type.String(TIME),
});
export type ShiftTime = Static<typeof ShiftTime>;

export const TimelineLoad = Type.Object({
  person_id: Type.String(),
  hours: Type.Number({ description: 'The hours on call; simultaneous shifts count twice.' }),
  nights: Type.Number({
    description:
      'The number of nights (22:00 to 06:00) and weekends of which the person is on call for at least half, in the schedule’s time zone.',
  }),
  weekends: Type.Number(),
});
export type TimelineLoad = Static<typeof TimelineLoad>;

export const TimelineShift = Type.Object({
  id: Type.String(),
  stage: Type.Number(),
  seat: Type.Integer({ description: 'The number of the seat, from 1.' }),
  starts_at: Type.String(TIME),
  ends_at: Type.String(TIME),
  person: Type.Union([Person, Type.Null()], { description: 'The person on call; null for a gap.' }),
  away: Type.Boolean({ description: 'Whether the person is absent for some of the shift.' }),
  planned: Type.Union(
    [
      Type.Object({
        person: Type.Union([Person, Type.Null()]),
        starts_at: Type.String(TIME),
        ends_at: Type.String(TIME),
      }),
      Type.Null(),
    ],
    { description: 'The shift as planned; null if only an override put the person on call.' },
  ),
  override: Type.Union([
    Type.Object({
      id: Type.String(),
      created_by: Type.Union([Person, Type.Null()]),
      created_at: Type.String(TIME),
    }),
    Type.Null(),
  ]),
  created_at: Type.String(TIME),
  updated_at: Type.String(TIME),
});
export type TimelineShift = Static<typeof TimelineShift>;

export const TimelineRecord = Type.Object({
  id: Type.String(),
  person: Person,
  type: AvailabilityType,
  name: Type.String(),
  starts_at: Type.String(TIME),
  ends_at: Type.String(TIME),
  repeats: Type.Union([Repeats, Type.Null()], {
    description: 'The rule by which it repeats; null if it does not.',
  }),
});
export type TimelineRecord = Static<typeof TimelineRecord>;

export const ScheduleTimeline = Type.Object({
  now: Type.String({ ...TIME, description: 'The current time of the service.' }),
  planned_until: Type.Union([Type.String(TIME), Type.Null()], {
    description: 'The time until which shifts are planned; null before the first plan.',
  }),
  shifts: Type.Array(TimelineShift, {
    description:
      'The shifts by start, stage and seat. Time without a shift is uncovered by design; a shift without a person is a gap.',
  }),
  load: Type.Array(TimelineLoad, {
    description: 'The load of each person within `from` and `to`, in no particular order.',
  }),
  records: Type.Array(TimelineRecord, {
    description: 'The absences and preferences of the members and the backstop.',
  }),
});
export type ScheduleTimeline = Static<typeof ScheduleTimeline>;

export const timelineApi = {
  ofSchedule: endpoint('GET /api/schedules/:id/shifts', {
    summary: 'Show the timeline of a schedule',
    description: 'Returns the time between `from` and `to`, at most 366 days.',
    query: TimelineQuery,
    response: ScheduleTimeline,
  }),
  startOfShift: endpoint('GET /api/schedules/:id/shifts/:shiftId', {
    summary: 'Find out when a shift begins',
    description: 'Returns the start of the shift, so that a link to it can open the timeline at that time.',
    response: ShiftTime,
  }),
  ofPerson: endpoint('GET /api/shifts', {
    summary: 'List the shifts of a person in all enabled schedules',
    description: 'Lists the shifts of `person` or, by default, your own.',
    query: PersonShiftsQuery,
    response: PersonShifts,
  }),
  uncovered: endpoint('GET /api/schedules/:id/uncovered', {
    summary: 'List the times without anybody on call by design',
    query: TimelineQuery,
    response: UncoveredTimes,
  }),
};
