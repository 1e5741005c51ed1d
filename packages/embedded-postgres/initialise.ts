import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type Account, runningAsRoot, spawnAs } from './account.ts';
import type { Binaries } from './binaries.ts';
import { PASSWORD_FILE } from './connection.ts';
import { explainFailedStart } from './explain.ts';
import { EmbeddedPostgresFault } from './fault.ts';
import { type Home, lookAt } from './home.ts';
import { makeOpen, type Site } from './location.ts';

/** The same on every machine: UTF-8 text, sorted by PostgreSQL itself, independent of the system's locales. */
export const INITDB_OPTIONS = [
  '--username=tocsin',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  '--data-checksums',
  '--no-instructions',
];

export interface InitdbOptions {
  readonly signal: AbortSignal | undefined;
  /** Waits until everything is on disk. */
  readonly sync: boolean;
}

/**
 * Creates the cluster under a temporary name and renames it when it is complete, so that an interrupted start leaves
 * nothing that looks like a database; `removeUnfinished` removes the rest.
 * @throws EmbeddedPostgresFault when initdb fails; when the signal aborts, its reason
 */
export async function makeCluster(
  home: Home,
  site: Site,
  binaries: Binaries,
  options: InitdbOptions,
): Promise<void> {
  const draft = join(home.dataDir, `${DRAFT_PREFIX}${randomBytes(4).toString('hex')}`);
  const target = join(site.parent, 'postgres');
  // Create the link first, so that it shows what to remove if this process is killed. Renaming it makes it valid.
  if (site.relocated) {
    symlinkSync(target, draft);
    makeOpen(site.parent);
  }
  const workshop = site.relocated ? join(site.parent, 'unfinished') : draft;
  try {
    mkdirSync(workshop, { mode: 0o700 });
    give(workshop, site.account);
    await runInitdb(binaries, site.account, workshop, home, options);
    renameSync(join(workshop, 'cluster'), target);
    rmSync(workshop, { recursive: true, force: true });
    if (site.relocated) renameSync(draft, home.cluster);
    syncDirectory(dirname(target));
    syncDirectory(home.dataDir);
  } catch (error) {
    await removeUnfinished(home);
    throw error;
  }
}

const DRAFT_PREFIX = 'postgres.unfinished-';

/** Removes what interrupted first starts left behind. Only for the holder of the start lock. */
export async function removeUnfinished(home: Home): Promise<void> {
  for (const name of readdirSync(home.dataDir)) {
    if (!name.startsWith(DRAFT_PREFIX)) continue;
    const draft = join(home.dataDir, name);
    if (lookAt(draft)?.isSymbolicLink()) {
      // The parent directory of its target was created for this cluster only.
      await removeTree(dirname(readlinkSync(draft)));
      unlinkSync(draft);
    } else await removeTree(draft);
  }
}

/** An initdb that outlived its parent may still write to the directory. It fails soon, because its files are gone. */
async function removeTree(directory: string): Promise<void> {
  for (let attempt = 1; attempt <= 100 && lookAt(directory); attempt++) {
    if (attempt > 1) await delay(50);
    try {
      rmSync(directory, { recursive: true, force: true });
    } catch (error) {
      if (attempt === 100) throw error;
    }
  }
}

async function runInitdb(
  binaries: Binaries,
  account: Account,
  workshop: string,
  home: Home,
  { signal, sync }: InitdbOptions,
): Promise<void> {
  const cluster = join(workshop, 'cluster');
  const passwordFile = join(workshop, 'password');
  writePassword(passwordFile, account);
  signal?.throwIfAborted();
  const initdb = spawn(
    binaries.initdb,
    ['-D', cluster, `--pwfile=${passwordFile}`, ...INITDB_OPTIONS, ...(sync ? [] : ['--no-sync'])],
    {
      ...spawnAs(account),
      cwd: workshop,
      env: { LC_ALL: 'C', TZ: 'UTC' },
      // Output goes to a pipe and is ignored, because a broken pipe ends initdb when this process is killed.
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  );
  initdb.stdout.resume();
  const complaints = text(initdb.stderr);
  const abort = () => killGroup(initdb.pid);
  signal?.addEventListener('abort', abort);
  const [code] = await once(initdb, 'close').finally(() => signal?.removeEventListener('abort', abort));
  signal?.throwIfAborted();
  if (code !== 0) {
    throw new EmbeddedPostgresFault(
      explainFailedStart(await complaints, { directory: workshop, log: home.log }),
    );
  }
  // In the cluster's directory, so that a crash or a backup cannot separate them.
  renameSync(passwordFile, join(cluster, PASSWORD_FILE));
}

function writePassword(file: string, account: Account): void {
  const handle = openSync(file, 'wx', 0o600);
  writeFileSync(handle, randomBytes(24).toString('base64url'));
  fsyncSync(handle);
  closeSync(handle);
  chmodSync(file, 0o600);
  give(file, account);
}

function give(path: string, account: Account): void {
  if (runningAsRoot()) chownSync(path, account.uid, account.gid);
}

/** Kills the whole process group, because initdb runs PostgreSQL several times. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already exited.
  }
}

function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
