import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, lchownSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Account,
  accountWith,
  canEnter,
  groupsOf,
  homesOfOthers,
  postgresAccount,
  runningAsRoot,
  spawnAs,
} from '../../packages/embedded-postgres/account.ts';
import { EmbeddedPostgresFault } from '../../packages/embedded-postgres/fault.ts';
import { openHome } from '../../packages/embedded-postgres/home.ts';
import { existingCluster } from '../../packages/embedded-postgres/location.ts';
import { LIFEBOAT_PLACES } from '../config/lifeboat.ts';
import type { Config } from '../config.ts';
import type { Log } from '../kit/log.ts';

type Settings = Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseDirectUrl' | 'tls'>;

/**
 * Drops root privileges for good: becomes the owner of the embedded database, otherwise of DATA_DIR, otherwise the
 * system's user for the service. Call it when all ports are open. If that user could not run the service, the process
 * stays root and logs why.
 */
export function giveRootUp(settings: Settings, log: Log): void {
  if (!runningAsRoot()) return;
  try {
    const account = accountFor(settings);
    const name = account.name ?? `user ${account.uid}`;
    const obstacle = obstacleTo(account, settings);
    if (obstacle) {
      log.warn(
        { user: name },
        `the service continues as root, because ${obstacle}; see “The user that it runs as” in docs/operations.md`,
      );
      return;
    }
    for (const directory of [settings.dataDir, ...lifeboatsIn(settings.dataDir)])
      giveDataDir(account, directory);
    become(account);
    log.info({ user: name }, 'changed from root to an unprivileged user');
  } catch (error) {
    log.warn({ err: error }, 'the service continues as root, because it could not switch to another user');
  }
}

function accountFor({ dataDir, databaseUrl }: Settings): Account {
  const cluster = databaseUrl === null ? existingCluster(openHome(dataDir)) : undefined;
  if (cluster) return cluster.account;
  const { uid, gid } = statSync(dataDir);
  return uid === 0 ? postgresAccount() : accountWith(uid, gid);
}

/** Why this user could not run the service, as the end of a sentence; null if nothing prevents it. */
function obstacleTo(account: Account, settings: Settings): string | null {
  const { dataDir, tls } = settings;
  const name = account.name ?? `user ${account.uid}`;
  const databaseUrls = [settings.databaseUrl, settings.databaseDirectUrl].filter((url) => url !== null);
  if (databaseUrls.some((url) => !hasPassword(url)))
    return 'DATABASE_URL has no password: the database may identify the service by its system user';
  const owner = statSync(dataDir).uid;
  if (owner !== 0 && owner !== account.uid) return `DATA_DIR ${dataDir} does not belong to ${name}`;
  if (owner === 0 && isShared(account, dataDir))
    return `DATA_DIR ${dataDir} holds more than the service's data, and cannot be given to ${name}`;
  if (!canEnter(account, dataDir)) return `${name} may not enter DATA_DIR ${dataDir}`;
  const files = [...(tls ? [tls.certFile, tls.keyFile] : []), ...databaseUrls.flatMap(filesIn)];
  const unreadable = firstUnreadable(account, [...programFiles(), ...files]);
  return unreadable === null ? null : `${name} may not read ${unreadable}`;
}

function hasPassword(url: string): boolean {
  return /^[^/]*\/\/[^@/]*:[^@/]+@/.test(url) || /[?&]password=./.test(url);
}

/** Files in a connection URL, which the driver reads for each connection. */
function filesIn(url: string): string[] {
  const query = new URLSearchParams(url.split('?')[1] ?? '');
  return ['sslcert', 'sslkey', 'sslrootcert']
    .flatMap((name) => query.getAll(name))
    .filter((path) => path !== 'system');
}

/**
 * Whether the folder is used for other things, too: everybody can write to it, or it contains a home directory or this
 * program.
 */
function isShared(account: Account, dataDir: string): boolean {
  const real = realpathSync(dataDir);
  const below = (path: string) => path === real || path.startsWith(`${real === '/' ? '' : real}/`);
  const isOpen = (statSync(real).mode & 0o002) !== 0;
  return isOpen || below(realpathSync(ROOT)) || homesOfOthers(account).some(below);
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Files that are read while the service runs, including threads and libraries that are loaded late. */
function programFiles(): string[] {
  const packages = dirname(dirname(createRequire(import.meta.url).resolve('pg/package.json')));
  const libraries = readdirSync(packages).filter((name) => !name.startsWith('.'));
  return [
    ...['package.json', 'src', 'packages', 'demo', 'migrations', 'web'].map((name) => join(ROOT, name)),
    fileURLToPath(import.meta.url),
    ...libraries.map((name) => join(packages, name)),
  ];
}

/** Tests access as that user, so that the kernel applies groups and access lists. */
function firstUnreadable(account: Account, paths: readonly string[]): string | null {
  const script = 'for path; do [ -r "$path" ] || { printf %s "$path"; exit 1; }; done';
  const { status, stdout } = spawnSync('/bin/sh', ['-c', script, 'sh', ...paths], {
    ...spawnAs(account),
    cwd: '/',
    encoding: 'utf8',
  });
  if (status === 0) return null;
  return stdout || (paths[0] ?? '');
}

/** Changes the owner of the files that root created in DATA_DIR; other files keep theirs. */
function giveDataDir(account: Account, dataDir: string): void {
  for (const name of OURS) {
    const path = join(dataDir, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    // A hard link could be a second name of one of root's files elsewhere, and changing its owner would give that file
    // away.
    const plain = found?.isDirectory() || (found?.isFile() && found.nlink === 1);
    if (plain && found?.uid === 0) lchownSync(path, account.uid, account.gid);
  }
  if (statSync(dataDir).uid === 0) chownSync(dataDir, account.uid, account.gid);
}

const OURS = [
  ...['secret.key', 'secret.key.next', 'vapid.json', 'welcome-link', 'demo-link', 'spool', 'snapshots'],
  ...['server.lock', 'server.pid', 'postgres.lock', 'visitors.lock', 'postgres.log'],
];

/** The directories of lifeboats, each with a database of its own. */
function lifeboatsIn(dataDir: string): string[] {
  return LIFEBOAT_PLACES.map((name) => join(dataDir, name)).filter((path) => existsSync(path));
}

function become(account: Account): void {
  process.setgroups?.(groupsOf(account));
  process.setgid?.(account.gid);
  process.setuid?.(account.uid);
  if (runningAsRoot())
    throw new EmbeddedPostgresFault('The system did not allow the service to switch to another user.');
}
