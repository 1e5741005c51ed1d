import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { bringForward, signOfLife, takeSignsAhead } from './store.ts';

/** Looks of one node may overlap. A larger step back means that the clock was set. */
const BACK_MS = 1_000;
/** If the time is further ahead than our monotonic clock by this much, the clock was set or this process was paused. */
const LEAP_MS = 5_000;
/** Longer than any call to a provider, so that every lease held when the time leapt has been released. */
const SETTLED_MS = 15_000;
/** Only rows written within this time can have been written with the new time. */
const FRESH_MS = 5_000;

/**
 * Follows changes of the database's clock, which is the only source of time. If it is set back by an hour, all waiting
 * work would be an hour late; if it is set forward by an hour, every lease would look expired.
 */
export type ClockSteps = {
  /**
   * Takes the database's time and when it was requested, by this process's monotonic clock. Returns true when the time went
   * back, so that due work has to be looked for again.
   */
  follow(now: Temporal.Instant, requestedMs: number): Promise<boolean>;
  /** False for a while after the time leapt, when an expired lease does not mean that its node is dead. */
  leasesCount(): boolean;
};

export function createClockSteps(
  { db, clock, log, nodeId }: { db: Database; clock: Clock; log: Log; nodeId(): number },
  steady: () => number = () => performance.now(),
): ClockSteps {
  let last: { wall: number; requested: number; answered: number; moved: number } | null = null;
  let leaptAt = Number.NEGATIVE_INFINITY;

  /** `expected`: the time if the clock had not been set; 0 when this node has not looked before. */
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
        "the database's clock was set back; all waiting work keeps its remaining time",
      );
      return true;
    });
  }

  return {
    async follow(now, requestedMs) {
      const look = {
        wall: now.epochMilliseconds,
        requested: requestedMs,
        answered: steady(),
        moved: clock.movedMs,
      };
      const before = last;
      if (!before) {
        const wentBack = await goBack(0, 0);
        last = look;
        return wentBack;
      }
      // The bounds of the time that passed between the two looks.
      const [shortest, longest] = [look.requested - before.answered, look.answered - before.requested];
      const atLeast = before.wall + look.moved - before.moved;
      const aheadMs = look.wall - (atLeast + longest);
      if (aheadMs > LEAP_MS) {
        leaptAt = look.answered;
        log.warn(
          { aheadSeconds: Math.round(aheadMs / 1_000) },
          "the clock jumped: the database's clock was set, or this process was paused",
        );
        // If the clock is corrected within seconds, this sign of life shows that it went back.
        await signOfLife(db, clock, nodeId());
      }
      const wentBack = atLeast - look.wall > BACK_MS && (await goBack(atLeast + shortest, longest));
      // Only now, so that the next look tries again with the same values if this failed.
      last = look;
      return wentBack;
    },
    leasesCount: () => steady() - leaptAt > SETTLED_MS,
  };
}
