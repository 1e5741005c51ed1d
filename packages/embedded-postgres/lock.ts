import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresFault, errorText } from './fault.ts';

/** A lock that this process holds. The kernel releases it when the process ends for any reason. */
export interface HeldLock {
  release(): void;
}

type Mode = 'exclusive' | 'shared';

/**
 * Locks a file. Returns undefined if another process holds a conflicting lock.
 *
 * Node.js has no `flock`, but SQLite's locks on an empty database file do the same: the kernel holds them on every
 * platform, without stale lock files and without process ids that may have been reused.
 */
export function tryLock(path: string, mode: Mode = 'exclusive'): HeldLock | undefined {
  const file = open(path);
  try {
    // Otherwise the first lock writes a journal next to the file, which fails on a full disk.
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

/** Like `tryLock`, but tries until `waitMs` have passed or the signal aborts. */
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
