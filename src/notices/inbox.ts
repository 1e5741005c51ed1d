import type { Handle } from '../db/database.ts';
import { instantText } from '../kit/instant.ts';
import type { NoticeView } from './api-contract.ts';
import { latestNotice, noticesAfter, type StoredNotice } from './store.ts';

/** Notices may be committed out of order, so each look goes back to where the fourth look before it ended. */
const OVERLAP_LOOKS = 4;

export type NewNotices = {
  /** Notices of these people since the last look, oldest first. */
  look(db: Handle, userIds: readonly string[]): Promise<StoredNotice[]>;
  /** Forgets where the last look ended; the next look starts from the latest notice. */
  reset(): void;
};

/** Finds new notices by polling, so that code that queues notices need not announce them. */
export function createNewNotices(): NewNotices {
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

export function presentNotice({
  id,
  kind,
  subject,
  text,
  path,
  readAt,
  createdAt,
}: StoredNotice): NoticeView {
  return { id, kind, subject, text, path, read: readAt !== null, created_at: instantText(createdAt) };
}
