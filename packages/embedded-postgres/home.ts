import {
  chmodSync,
  chownSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { runningAsRoot } from './account.ts';
import { isFullDisk } from './explain.ts';
import { EmbeddedPostgresFault } from './fault.ts';

/** The files that the embedded database keeps in DATA_DIR. All paths are absolute. */
export interface Home {
  readonly dataDir: string;
  /** The cluster, or a link to it. */
  readonly cluster: string;
  /** Where PostgreSQL's own messages go. */
  readonly log: string;
  /** Held by the one server of this DATA_DIR as long as it lives. */
  readonly serverLock: string;
  /** The process number of that server, for people. */
  readonly serverPid: string;
  /** Held while somebody starts or stops PostgreSQL, so that decisions about it never overlap. */
  readonly startLock: string;
  /** Held, shared, by every command that uses the database without being the server. */
  readonly visitorLock: string;
  /** Where the socket lives, if its path is short enough for one. */
  readonly run: string;
}

function homeIn(dataDir: string): Home {
  const directory = resolve(dataDir);
  return {
    dataDir: directory,
    cluster: join(directory, 'postgres'),
    log: join(directory, 'postgres.log'),
    serverLock: join(directory, 'server.lock'),
    serverPid: join(directory, 'server.pid'),
    startLock: join(directory, 'postgres.lock'),
    visitorLock: join(directory, 'visitors.lock'),
    run: join(directory, 'postgres-run'),
  };
}

/**
 * Makes DATA_DIR and the empty files in it that are locked later.
 * @throws EmbeddedPostgresFault when the directory cannot be made or written
 */
export function openHome(dataDir: string): Home {
  const home = homeIn(dataDir);
  try {
    const created = mkdirSync(home.dataDir, { recursive: true });
    if (created) chmodSync(home.dataDir, runningAsRoot() ? 0o711 : 0o700);
    for (const file of [home.serverLock, home.startLock, home.visitorLock, home.log]) touch(file);
    return home;
  } catch (error) {
    throw homeFault(home, error);
  }
}

/** Existing ones stay closed: closing a file would end the locks that this process has on it. */
function touch(file: string): void {
  if (lookAt(file)) return;
  closeSync(openSync(file, 'a', 0o600));
  giveToOwner(file);
}

/** Files that root makes in somebody's DATA_DIR belong to that person, so that they can use them without root, too. */
export function giveToOwner(file: string): void {
  if (!runningAsRoot()) return;
  const { uid, gid } = statSync(dirname(file));
  chownSync(file, uid, gid);
}

/** Says what a failure of the file system means for DATA_DIR; every other error stays what it is. */
export function homeFault(home: Home, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof EmbeddedPostgresFault) return error;
  if (isFullDisk(error.message)) {
    return new EmbeddedPostgresFault(
      `The disk that holds DATA_DIR (${home.dataDir}) is full. Free some space; nothing that was accepted is lost.`,
    );
  }
  if ('spawnargs' in error) {
    return new EmbeddedPostgresFault(
      `PostgreSQL's programs cannot be run (${error.message}). Is their file system mounted with noexec?`,
    );
  }
  if (!('syscall' in error && 'path' in error)) return error;
  return new EmbeddedPostgresFault(
    `DATA_DIR (${home.dataDir}) cannot be used: ${error.message}. ` +
      'Let DATA_DIR name a directory that this user may create and write, or run as the user that owns it.',
  );
}

/** What is at this path itself, links not followed; undefined when nothing is. */
export function lookAt(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
