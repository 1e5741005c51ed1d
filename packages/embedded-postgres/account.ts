import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { EmbeddedPostgresFault } from './fault.ts';

/** The system user that PostgreSQL runs as. It refuses to run as root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
  /** Left out if the system has no name for the user. */
  readonly name?: string;
}

/** Options for `spawn` to run a program as another user; empty if it is the current user. */
export function spawnAs(account: Account): { uid?: number; gid?: number } {
  return runningAsRoot() ? { uid: account.uid, gid: account.gid } : {};
}

export function runningAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The user who runs PostgreSQL: the current one, or for root an unprivileged system user, preferably `tocsin`, which is
 * created if possible.
 */
export function postgresAccount(): Account {
  if (!runningAsRoot()) return { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1, ...ownName() };
  const account =
    accountNamed('tocsin') ?? makeAccount() ?? accountNamed('postgres') ?? accountNamed('nobody');
  if (account) return account;
  throw new EmbeddedPostgresFault(
    'PostgreSQL does not run as root and this system has no unprivileged user for it. ' +
      'Create one named tocsin (useradd --system tocsin), or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

function ownName(): { name?: string } {
  try {
    return { name: userInfo().username };
  } catch {
    return {};
  }
}

/** The user with this name in /etc/passwd, except root. */
function accountNamed(name: string): Account | undefined {
  return knownAccounts().find((account) => account.name === name && account.uid !== 0);
}

/** The user with these ids, with a name if /etc/passwd has one. */
export function accountWith(uid: number, gid: number): Account {
  return { ...knownAccounts().find((account) => account.uid === uid), uid, gid };
}

/** The user's own group, and those that list the user in /etc/group. */
export function groupsOf({ gid, name }: Account): number[] {
  const others = linesOf('/etc/group').filter(
    ([, , , members = '']) => name && members.split(',').includes(name),
  );
  return [...new Set([gid, ...others.map(([, , id]) => Number(id))])];
}

/** The home directories of all other users of the system. */
export function homesOfOthers({ uid }: Account): string[] {
  return linesOf('/etc/passwd')
    .filter((fields) => Number(fields[2]) !== uid)
    .flatMap((fields) => fields[5] || []);
}

function knownAccounts(): Account[] {
  return linesOf('/etc/passwd').map(([name, , uid, gid]) => ({
    name: name ?? '',
    uid: Number(uid),
    gid: Number(gid),
  }));
}

/** The lines of a file such as /etc/passwd, split at the colons; none if it cannot be read. */
function linesOf(file: string): string[][] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.map((line) => line.split(':')).filter((fields) => fields.length >= 4);
  } catch {
    return [];
  }
}

function makeAccount(): Account | undefined {
  const options = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'];
  spawnSync('/usr/sbin/useradd', [...options, '--shell', '/usr/sbin/nologin', 'tocsin'], { stdio: 'ignore' });
  return accountNamed('tocsin');
}

/** Tests access as that user, so that the kernel applies groups and access lists. */
export function canEnter(account: Account, directory: string): boolean {
  return succeeds(account, '/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory]);
}

/** Whether that user may run the program and read its libraries. */
export function canRun(account: Account, program: string): boolean {
  return succeeds(account, program, ['--version']);
}

function succeeds(account: Account, program: string, args: string[]): boolean {
  return spawnSync(program, args, { cwd: '/', stdio: 'ignore', ...spawnAs(account) }).status === 0;
}
