import type { Clock } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { errorText } from '../../kit/error-text.ts';
import type { Log } from '../../kit/log.ts';
import type { Sealing } from '../../kit/sealing.ts';
import type { SavedSessions } from '../../sessions/require-session.ts';
import { listOpenSessions } from '../../sessions/store.ts';
import { listAllOncalls, listDirectory } from '../read-store.ts';
import { readSavedList, removeLeftDrafts, SavedListFault, writeSavedList } from './file.ts';
import { AHEAD, type Found, listOf, MOST, type SavedList, sessionsOf } from './list.ts';

/** The saved on-call list of this node. */
export type SavedLists = {
  /** The newest list; null when none was saved yet. */
  current(): SavedList | null;
  /** Reads the file of an earlier process. Reports and ignores a file that cannot be used. */
  load(): Promise<void>;
  /**
   * Reads the list from the database and replaces the file. If the file cannot be written, keeps the list in memory and
   * logs the failure once.
   */
  save(db: Database, clock: Clock): Promise<void>;
  sessions: SavedSessions;
};

export type SavedListSettings = { dataDir: string; sealing: Sealing; log: Log };

export function createSavedLists({ dataDir, sealing, log }: SavedListSettings): SavedLists {
  let current: SavedList | null = null;
  const reported = new Set<string>();
  const reportOnce = (message: string, about: object) => {
    if (!reported.has(message)) log.warn(about, message);
    reported.add(message);
  };
  return {
    current: () => current,
    async load() {
      await removeLeftDrafts(dataDir);
      current = await readSavedList(dataDir, sealing).catch((error: unknown) => {
        if (!(error instanceof SavedListFault)) throw error;
        log.warn({ why: error.message }, 'the saved on-call list cannot be used and is ignored');
        return null;
      });
    },
    async save(db, clock) {
      const list = await gather(db, clock);
      current = list;
      if (list.shortened)
        reportOnce(
          `the saved on-call list reached its maximum size (${MOST.oncalls} shifts, ${MOST.schedules} schedules) and is shortened`,
          { until: list.until },
        );
      await writeSavedList(dataDir, sealing, list).then(
        () => reported.delete(NOT_WRITTEN),
        (error: unknown) => reportOnce(NOT_WRITTEN, { err: errorText(error), dataDir }),
      );
    },
    sessions: sessionsOf(() => current),
  };
}

const NOT_WRITTEN =
  'the on-call list cannot be saved in DATA_DIR and is lost when this process ends; give its user write access';

/** All parts of the list as of one moment, so that they fit together. */
async function gather(db: Database, clock: Clock): Promise<SavedList> {
  const at = await clock.now(db);
  const range = { start: at, end: at.add(AHEAD) };
  const found: Found = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => ({
      schedules: await listDirectory(tx, MOST.schedules + 1),
      oncalls: await listAllOncalls(tx, range, MOST.oncalls + 1),
      sessions: await listOpenSessions(tx, clock, MOST.sessions),
    }));
  return listOf(found, at);
}
