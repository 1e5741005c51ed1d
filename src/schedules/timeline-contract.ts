import { type Static, Type } from 'typebox';
import type { AvailabilityType } from '../availability/contract.ts';
import type { Person } from '../people/contract.ts';

/**
 * GET /api/schedules/:id/shifts?from=…&to=… → `ScheduleTimeline`: everything that a timeline shows from `from` up to
 * `to`, at most 366 days. Times are ISO 8601 in UTC; shifts are not cut to the range.
 * GET /api/schedules/:id/shifts/:shiftId → `ShiftTime`: when a shift begins, so that a link to it can open the timeline
 * there.
 * GET /api/shifts?from=…&to=…&person=… → `PersonShifts`: the shifts of a person in all enabled schedules; default: the
 * viewer's.
 */
export const TimelineQuery = Type.Object({
  from: Type.String({ format: 'instant' }),
  to: Type.String({ format: 'instant' }),
});
export type TimelineQuery = Static<typeof TimelineQuery>;

export const PersonShiftsQuery = Type.Object({
  ...TimelineQuery.properties,
  person: Type.Optional(Type.String({ maxLength: 100 })),
});
export type PersonShiftsQuery = Static<typeof PersonShiftsQuery>;

export type PersonShifts = { now: string; shifts: PersonShift[] };
export type PersonShift = {
  id: string;
  schedule: { id: string; name: string; time_zone: string };
  team: { id: string; name: string; slug: string };
  stage: number;
  seat: number;
  starts_at: string;
  ends_at: string;
};

export type ShiftTime = { id: string; starts_at: string };

export type ScheduleTimeline = {
  /** The time of the service. */
  now: string;
  /** Shifts are planned until then; null before the first plan. */
  planned_until: string | null;
  /** By start, stage and seat. Time without a shift is uncovered by design; a shift without a person is a gap. */
  shifts: TimelineShift[];
  /** The load of each person within `from` and `to`, in no particular order. */
  load: TimelineLoad[];
  /** Absences and preferences of the members and the backstop. */
  records: TimelineRecord[];
};

export type TimelineLoad = {
  person_id: string;
  /** Hours on call; simultaneous shifts count twice. */
  hours: number;
  /** Nights (22:00 to 06:00) and weekends with at least half on call, in the schedule's time zone; each counts once. */
  nights: number;
  weekends: number;
};

export type TimelineShift = {
  id: string;
  stage: number;
  /** From 1. */
  seat: number;
  starts_at: string;
  ends_at: string;
  /** Null for a gap. */
  person: Person | null;
  /** The person is absent for some of the shift. */
  away: boolean;
  /** The shift as planned; null if only an override put the person on call. */
  planned: { person: Person | null; starts_at: string; ends_at: string } | null;
  override: { id: string; created_by: Person | null; created_at: string } | null;
  created_at: string;
  updated_at: string;
};

export type TimelineRecord = {
  id: string;
  person: Person;
  type: AvailabilityType;
  name: string;
  starts_at: string;
  ends_at: string;
};
