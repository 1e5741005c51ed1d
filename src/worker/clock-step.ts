import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { bringForward, takeSignsAhead } from './clock-step-store.ts';
import { signOfLife } from './watch-store.ts';

/** Looks of one node may overlap; what is further back than that is a step. */
const BACK_MS = 1_000;
/** Further than that ahead of our own steady clock, the time was set, or this process stood still. */
const LEAP_MS = 5_000;
/** Longer than any call to a provider lasts: whoever held a lease when the time leapt has let go of it by then. */
const SETTLED_MS = 15_000;
/** Signs of life are written every few seconds, looks happen more often: nothing older is of the new reckoning. */
const FRESH_MS = 5_000;

/**
 * Follows the database's clock when it is set. Time comes from it alone, so waits are instants of it: an hour back would
 * make everything that waits come an hour late, an hour forward makes each lease look as if its node had slept.
 */
export type ClockSteps = {
  /**
   * Takes the time that a look was answered with, and when it was asked, by this process's steady clock. True when the time
   * had gone back: what is due has to be looked for again.
   */
  follow(now: Temporal.Instant, askedMs: number): Promise<boolean>;
  /** False for a while after the time leapt: that a lease has passed shows nothing about its node then. */
  leasesCount(): boolean;
};

export function createClockSteps(
  { db, clock, log, nodeId }: { db: Database; clock: Clock; log: Log; nodeId(): number },
  steady: () => number = () => performance.now(),
): ClockSteps {
  let last: { wall: number; asked: number; answered: number; moved: number } | null = null;
  let leaptAt = Number.NEGATIVE_INFINITY;

  /** `expected`: the time that it would be, had nobody set the clock; 0 when this node has not looked before. */
  async function goBack(expected: number, sinceLookMs: number): Promise<boolean> {
    return db.transaction().execute(async (tx) => {
      const signs = await takeSignsAhead(tx, clock);
      if (!signs) return false;
      const now = signs.now.epochMilliseconds;
      const backMs = Math.max(signs.latest.epochMilliseconds, expected) - now;
      const freshMs = Math.min(sinceLookMs, FRESH_MS) + BACK_MS;
      const rows = await bringForward(tx, clock, { backMs, freshMs });
      log.warn(
        { backSeconds: Math.round(backMs / 1_000), rows },
        "the database's clock was set back; everything that waits keeps its remaining time",
      );
      return true;
    });
  }

  return {
    async follow(now, askedMs) {
      const look = { wall: now.epochMilliseconds, asked: askedMs, answered: steady(), moved: clock.movedMs };
      const before = last;
      if (!before) {
        const wentBack = await goBack(0, 0);
        last = look;
        return wentBack;
      }
      // What passed between the looks, by the database, lies between these two.
      const [shortest, longest] = [look.asked - before.answered, look.answered - before.asked];
      const atLeast = before.wall + look.moved - before.moved;
      const aheadMs = look.wall - (atLeast + longest);
      if (aheadMs > LEAP_MS) {
        leaptAt = look.answered;
        log.warn(
          { aheadSeconds: Math.round(aheadMs / 1_000) },
          'the time leapt: the clock of the database was set, or this process stood still',
        );
        // Should it be set right within seconds, this is what shows that it went back.
        await signOfLife(db, clock, nodeId());
      }
      const wentBack = atLeast - look.wall > BACK_MS && (await goBack(atLeast + shortest, longest));
      // Only now: when following failed, the next look tries it with the same knowledge.
      last = look;
      return wentBack;
    },
    leasesCount: () => steady() - leaptAt > SETTLED_MS,
  };
}
