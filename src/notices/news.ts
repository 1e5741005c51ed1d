import type { Handle } from '../db/database.ts';
import { latestNotice, noticesAfter, type Told } from './inbox-store.ts';

/** A notice with a lower number may be committed later than one with a higher: looks go back as far as this. */
const OVERLAP_LOOKS = 4;

export type News = {
  /** Notices of these people that are new since the last look, the oldest first. */
  look(db: Handle, userIds: readonly string[]): Promise<Told[]>;
  /** Forgets where it was: nobody was interested for a while. */
  reset(): void;
};

/** Finds out what people were told by reading on: nobody who tells them has to say so. */
export function createNews(): News {
  let marks: number[] = [];
  let known = new Set<number>();

  return {
    async look(db, userIds) {
      const latest = await latestNotice(db);
      const [floor] = marks;
      marks = [...marks, latest].slice(-OVERLAP_LOOKS);
      if (floor === undefined || latest === floor) return [];
      const found = await noticesAfter(db, userIds, floor);
      const fresh = found.filter(({ id }) => !known.has(id));
      known = new Set(found.map(({ id }) => id));
      return fresh;
    },
    reset() {
      marks = [];
      known = new Set();
    },
  };
}
