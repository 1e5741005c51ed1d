import { type Read, readInteger } from '../kit/setting.ts';

/** How many days what is over is kept. */
export type Retention = {
  /** Pages with all that belongs to them, and their requests. */
  pages: number;
  moments: number;
  /** Requests of moments and webhook calls, pages that were refused, problems that are over, processes that ended. */
  requests: number;
  /** The log of what people changed. */
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
/** Plans share out what was carried within 366 days, and reports of as many look at 40 days around them. */
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
