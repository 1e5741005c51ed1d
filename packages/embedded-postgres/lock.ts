import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresFault, errorText } from './fault.ts';

/** A lock that this process holds. The kernel drops it when the process ends, however it ends. */
export interface HeldLock {
  release(): void;
}

type Mode = 'exclusive' | 'shared';

/**
 * Takes a lock on a file, or returns undefined when another process holds one that excludes it.
 *
 * Node has no `flock`; the locks that its SQLite takes on an empty database file are the same thing: held by the
 * kernel, on every platform, with no stale files and no process numbers to mistake for another's.
 */
export function tryLock(path: string, mode: Mode = 'exclusive'): HeldLock | undefined {
  const file = open(path);
  try {
    // Otherwise the first lock of an empty file writes a journal beside it, for which a full disk has no room.
    file.exec('pragma journal_mode = memory');
    file.exec(mode === 'exclusive' ? 'begin exclusive' : 'begin; select count(*) from sqlite_schema');
  } catch (error) {
    file.close();
    if (isBusy(error)) return undefined;
    throw unlockable(path, error);
  }
  return { release: () => file.close() };
}

function open(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    throw unlockable(path, error);
  }
}

function unlockable(path: string, error: unknown): EmbeddedPostgresFault {
  return new EmbeddedPostgresFault(
    `${path} cannot be locked: ${errorText(error)}. It must lie on a local disk, and ` +
      'the user that runs this must be the owner of DATA_DIR or root.',
  );
}

/** Like `tryLock`, but asks again until `waitMs` have passed or the signal aborts. */
export async function waitForLock(
  path: string,
  options: { mode?: Mode; waitMs: number; signal?: AbortSignal | undefined },
): Promise<HeldLock | undefined> {
  const deadline = performance.now() + options.waitMs;
  for (;;) {
    const lock = tryLock(path, options.mode);
    if (lock || performance.now() >= deadline) return lock;
    await delay(20, undefined, { signal: options.signal });
  }
}

function isBusy(error: unknown): boolean {
  const sqliteBusy = 5;
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}
