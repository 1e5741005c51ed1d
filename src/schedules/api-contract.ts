import type { Person } from '../people/contract.ts';

/** Answers about who is on call. Times are ISO 8601 in UTC. */

/** Who is on call in a team at one moment. */
export type TeamNow = { id: string; name: string; slug: string; mine: boolean; schedules: ScheduleNow[] };
export type ScheduleNow = {
  id: string;
  name: string;
  backstop: Person | null;
  stages: StageNow[];
  /** The next gap within 14 days. */
  gap: { stage: number; starts_at: string; ends_at: string } | null;
  /** Whether anybody on call can be reached now, or else the backstop. */
  reachable: 'on_call' | 'backstop' | 'nobody';
};
type StageNow = {
  stage: number;
  now: { person: Person; starts_at: string; ends_at: string; away: boolean }[];
  next: { person: Person | null; starts_at: string } | null;
};

export type OwnShift = {
  schedule: { id: string; name: string };
  team: { id: string; name: string };
  stage: number;
  starts_at: string;
  ends_at: string;
};
