import type { Retention } from '../config/retention.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { forgetHandoffNotes } from '../handoffs/store.ts';
import type { Duty } from './duties.ts';
import {
  forgetAudit,
  forgetFormerShifts,
  forgetHolidays,
  forgetNodes,
  forgetProblems,
  forgetRevokedKeys,
  type Sweep,
  type Swept,
  sweepAvailabilities,
  sweepCovers,
  sweepMoments,
  sweepOverrides,
  sweepPages,
  sweepPlans,
  sweepRefusedPages,
  sweepRequests,
  sweepShifts,
  sweepSwaps,
} from './retention-store.ts';

const HOUR = 3_600_000;
/** The size of a batch, which is one short transaction; a page has about twenty rows. */
const PAGES = 100;
const ROWS = 1_000;

/** Removes rows older than their retention, in small batches. */
export function retentionDuties(services: { db: Database; clock: Clock; keep: Retention }): Duty[] {
  const { db, clock, keep } = services;
  const before = async (days: number) => (await clock.now(db)).subtract({ hours: 24 * days });
  const forget = (name: string, days: number, run: (at: Temporal.Instant) => Promise<number>): Duty => ({
    name,
    everyMs: HOUR,
    run: async () => (await run(await before(days))) >= ROWS,
  });
  const sweep = (name: string, days: number, look: Sweep, limit: number): Duty => ({
    name,
    everyMs: HOUR,
    run: sweeping(async (after) => look(db, await before(days), after, limit)),
  });
  return [
    sweep('forget old pages', keep.pages, sweepPages, PAGES),
    sweep('forget old moments', keep.moments, sweepMoments, ROWS),
    sweep('forget old requests', keep.requests, sweepRequests, ROWS),
    sweep('forget refused pages', keep.requests, sweepRefusedPages, ROWS),
    sweep('forget old shifts', keep.schedules, sweepShifts, ROWS),
    sweep('forget old overrides', keep.schedules, sweepOverrides, ROWS),
    sweep('forget old covers', keep.schedules, sweepCovers, ROWS),
    sweep('forget old swaps', keep.schedules, sweepSwaps, ROWS),
    sweep('forget old plans', keep.schedules, sweepPlans, ROWS),
    sweep('forget old availability', keep.schedules, sweepAvailabilities, ROWS),
    forget('forget old notes of hand-offs', keep.schedules, (at) => forgetHandoffNotes(db, at, ROWS)),
    forget('forget shifts of deleted schedules', keep.schedules, (at) => forgetFormerShifts(db, at, ROWS)),
    forget('forget old holidays', keep.schedules, (at) => forgetHolidays(db, at, ROWS)),
    forget('forget revoked keys', keep.audit, (at) => forgetRevokedKeys(db, at, ROWS)),
    forget('forget old audit entries', keep.audit, (at) => forgetAudit(db, at, ROWS)),
    forget('forget old problems', keep.requests, (at) => forgetProblems(db, at, ROWS)),
    forget('forget nodes that ended', keep.requests, (at) => forgetNodes(db, at, ROWS)),
  ];
}

/**
 * Continues where the last batch ended, because old rows that must stay would otherwise be read by every batch. Ids sort by time,
 * so that no index on a time is needed.
 */
function sweeping(look: (after: string) => Promise<Swept>): () => Promise<boolean> {
  let after = '';
  return async () => {
    const { upTo } = await look(after);
    after = upTo ?? '';
    return upTo !== null;
  };
}
