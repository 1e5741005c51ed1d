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
  /** The log of PostgreSQL. */
  readonly log: string;
  /** Held by the only server of this DATA_DIR while it runs. */
  readonly serverLock: string;
  /** The process id of that server, for people. */
  readonly serverPid: string;
  /** Held while a process starts or stops PostgreSQL, so that only one at a time decides about it. */
  readonly startLock: string;
  /** Held, shared, by every command that uses the database and is not the server. */
  readonly visitorLock: string;
  /** The directory of the socket, unless its path is too long for one. */
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
 * Creates DATA_DIR, and the empty files in it that are locked later.
 * @throws EmbeddedPostgresFault when the directory cannot be created or written
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

/** Does not open existing files, because closing a file would release this process's locks on it. */
function touch(file: string): void {
  if (lookAt(file)) return;
  closeSync(openSync(file, 'a', 0o600));
  giveToOwner(file);
}

/** Files that root creates in DATA_DIR get its owner, so that the owner can use them without root. */
export function giveToOwner(file: string): void {
  if (!runningAsRoot()) return;
  const { uid, gid } = statSync(dirname(file));
  chownSync(file, uid, gid);
}

/** Explains a file system error as a fault of DATA_DIR; returns every other error unchanged. */
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

/** The file at this path, without following links; undefined when there is none. */
export function lookAt(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
