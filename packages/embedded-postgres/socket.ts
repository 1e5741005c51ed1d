import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Account, canEnter, runningAsRoot } from './account.ts';
import { EmbeddedPostgresFault } from './fault.ts';
import type { Home } from './home.ts';
import type { Location } from './location.ts';
import { SOCKET_PORT } from './settings.ts';

/** The system cuts off longer ones: 104 bytes on macOS, 108 on Linux, with the closing zero. */
const LONGEST_PATH_BYTES = 100;

/** PostgreSQL's name for the socket in that directory. */
export function socketIn(directory: string): string {
  return join(directory, `.s.PGSQL.${SOCKET_PORT}`);
}

/**
 * A directory for the socket that only its owner may enter: beside the cluster, or a new one in the system's temporary
 * directory when that path would be too long for a socket.
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

/** Removes what `makeSocketDirectory` made elsewhere; its directory beside the cluster stays for the next start. */
export function removeSocketDirectory(directory: string): void {
  const parent = dirname(directory);
  if (parent === tmpdir() || parent === '/tmp') rmSync(directory, { recursive: true, force: true });
}

/** Whether somebody listens there, be it in another container that shares the directory. */
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
