import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Account, canEnter, runningAsRoot } from './account.ts';
import { EmbeddedPostgresFault } from './fault.ts';
import type { Home } from './home.ts';
import type { Location } from './location.ts';
import { SOCKET_PORT } from './settings.ts';

/** The system limits paths to 104 bytes on macOS and 108 on Linux, including the final zero byte. */
const LONGEST_PATH_BYTES = 100;

/** The path of PostgreSQL's socket in that directory. */
export function socketIn(directory: string): string {
  return join(directory, `.s.PGSQL.${SOCKET_PORT}`);
}

/**
 * Creates a directory for the socket that only its owner can enter: next to the cluster, or in the system's temporary
 * directory if that path is too long for a socket.
 */
export function makeSocketDirectory(home: Home, location: Location): string {
  const beside =
    dirname(location.directory) === home.dataDir ? home.run : join(dirname(location.directory), 'run');
  if (!fits(beside)) return makeTemporary(location.account);
  mkdirSync(beside, { recursive: true });
  protect(beside, location.account);
  return beside;
}

function fits(directory: string): boolean {
  return Buffer.byteLength(socketIn(directory)) <= LONGEST_PATH_BYTES;
}

const TEMPORARY_PREFIX = 'tocsin-';

function makeTemporary(account: Account): string {
  for (const parent of new Set([tmpdir(), '/tmp'])) {
    if (!fits(join(parent, `${TEMPORARY_PREFIX}XXXXXX`)) || !canEnter(account, parent)) continue;
    const directory = mkdtempSync(join(parent, TEMPORARY_PREFIX));
    protect(directory, account);
    return directory;
  }
  throw new EmbeddedPostgresFault(
    'The path of DATA_DIR is too long for the socket of the database, and no temporary directory has a shorter one. ' +
      'Set DATA_DIR to a path of at most 70 bytes.',
  );
}

function protect(directory: string, account: Account): void {
  if (runningAsRoot()) chownSync(directory, account.uid, account.gid);
  chmodSync(directory, 0o700);
}

/**
 * Removes a directory that `makeSocketDirectory` created elsewhere; the one next to the cluster stays for the next
 * start.
 */
export function removeSocketDirectory(directory: string): void {
  const parent = dirname(directory);
  if (parent === tmpdir() || parent === '/tmp') rmSync(directory, { recursive: true, force: true });
}

/** Whether a process listens there, even in another container that shares the directory. */
export function isListening(directory: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketIn(directory));
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
  });
}
