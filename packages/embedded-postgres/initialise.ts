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

/** The same on every machine: text is UTF-8 and sorted by PostgreSQL itself, whatever locales the system has. */
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
  /** Waits until all of it is on disk. */
  readonly sync: boolean;
}

/**
 * Makes the cluster. It is built under another name and renamed when it is complete, so a start that was killed half-way
 * leaves nothing that could be mistaken for a database; `removeUnfinished` clears it away.
 * @throws EmbeddedPostgresFault when initdb fails, and the signal's reason when it aborts
 */
export async function makeCluster(
  home: Home,
  site: Site,
  binaries: Binaries,
  options: InitdbOptions,
): Promise<void> {
  const draft = join(home.dataDir, `${DRAFT_PREFIX}${randomBytes(4).toString('hex')}`);
  const target = join(site.parent, 'postgres');
  // The link comes first: should we be killed, it tells what to clear away. It becomes valid, and final, by a rename.
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

/** Clears away what interrupted first starts left behind. Only for the holder of the start lock. */
export async function removeUnfinished(home: Home): Promise<void> {
  for (const name of readdirSync(home.dataDir)) {
    if (!name.startsWith(DRAFT_PREFIX)) continue;
    const draft = join(home.dataDir, name);
    if (lookAt(draft)?.isSymbolicLink()) {
      // Its target's parent was made for this one cluster alone.
      await removeTree(dirname(readlinkSync(draft)));
      unlinkSync(draft);
    } else await removeTree(draft);
  }
}

/** An initdb that outlived its starter may be writing and tidying in there; it fails soon, for want of its files. */
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
      // Its progress goes nowhere, but through a pipe: that breaks, and ends it, when we are killed.
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
  // Inside the cluster, so that the two are never apart: not after a crash, not in a backup.
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

/** initdb runs PostgreSQL several times; all of them go. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
