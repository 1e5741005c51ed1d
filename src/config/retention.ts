import { type Read, readInteger } from '../kit/setting.ts';

/** How long records are kept after their end, in days. */
export type Retention = {
  /** Pages with everything that belongs to them, including their requests. */
  pages: number;
  moments: number;
  /** Requests of moments and webhook calls, refused pages, closed problems, and processes that have ended. */
  requests: number;
  /** The audit log of changes by people. */
  audit: number;
  /** Shifts, overrides, covers, swaps, plans, absences and holidays. */
  schedules: number;
};

export const RETENTION_NAMES = [
  'PAGE_RETENTION_DAYS',
  'MOMENT_RETENTION_DAYS',
  'REQUEST_RETENTION_DAYS',
  'AUDIT_RETENTION_DAYS',
  'SCHEDULE_RETENTION_DAYS',
] as const;
type Name = (typeof RETENTION_NAMES)[number];

/** A hundred years. */
const LONGEST = 36_500;
/** The planner balances load over 366 days, and reports cover as many days and read 40 days around them. */
const LEAST_OF_SCHEDULES = 410;

export function readRetention(read: Read<Name>): Retention {
  return {
    pages: readInteger('PAGE_RETENTION_DAYS', read, 400, 7, LONGEST),
    moments: readInteger('MOMENT_RETENTION_DAYS', read, 400, 7, LONGEST),
    requests: readInteger('REQUEST_RETENTION_DAYS', read, 90, 7, LONGEST),
    audit: readInteger('AUDIT_RETENTION_DAYS', read, 730, 30, LONGEST),
    schedules: readInteger('SCHEDULE_RETENTION_DAYS', read, 730, LEAST_OF_SCHEDULES, LONGEST),
  };
}
