import type { Handle } from '../../db/database.ts';

/** A stage in which a person is on call now. */
export type OnCallNow = {
  userId: string;
  scheduleId: string;
  schedule: string;
  stage: number;
  until: Temporal.Instant;
};

export type ShiftAhead = {
  id: string;
  schedule: { id: string; name: string };
  team: { id: string; name: string };
  stage: number;
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
};

/** What the views of people need to know from the schedules, which answer it. */
export type ShiftsOfPeople = {
  /** Who is on call at this time in the enabled schedules of the organization, also in stages that are linked to others. */
  onCallAt(db: Handle, organizationId: string, at: Temporal.Instant): Promise<OnCallNow[]>;
  /** A person's current and future shifts, soonest first. */
  shiftsAhead(
    db: Handle,
    person: { organizationId: string; userId: string },
    at: Temporal.Instant,
    limit: number,
  ): Promise<ShiftAhead[]>;
};
