import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { EmbeddedPostgresFault } from './fault.ts';

/** The system user that PostgreSQL runs as. It refuses to run as root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
  /** Absent for a user that the system has no name for. */
  readonly name?: string;
}

/** What `spawn` needs to run a program as somebody else; empty when it is ourselves. */
export function spawnAs(account: Account): { uid?: number; gid?: number } {
  return runningAsRoot() ? { uid: account.uid, gid: account.gid } : {};
}

export function runningAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Who runs PostgreSQL here: ourselves, or as root an unprivileged system user, `tocsin` by preference, which is made
 * when the system lets us.
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

/** The user with this name in /etc/passwd, root excepted. */
function accountNamed(name: string): Account | undefined {
  return knownAccounts().find((account) => account.name === name && account.uid !== 0);
}

/** The user with these numbers, with a name if /etc/passwd has one. */
export function accountWith(uid: number, gid: number): Account {
  return { ...knownAccounts().find((account) => account.uid === uid), uid, gid };
}

/** Its own group, and those that /etc/group has it in. */
export function groupsOf({ gid, name }: Account): number[] {
  const others = linesOf('/etc/group').filter(
    ([, , , members = '']) => name && members.split(',').includes(name),
  );
  return [...new Set([gid, ...others.map(([, , id]) => Number(id))])];
}

/** The home directories of everybody else whom the system knows. */
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

/** The lines of such a file, cut at the colons; none where it cannot be read. */
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

/** Asks the kernel, as that user, so that groups and access lists count as they do in earnest. */
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
