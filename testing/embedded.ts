import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { type Account, runningAsRoot } from '../packages/embedded-postgres/account.ts';
import type { EmbeddedConnection } from '../packages/embedded-postgres/connection.ts';
import { findPostmaster, stopPostmaster } from '../packages/embedded-postgres/postmaster.ts';

export interface EmbeddedServerOptions {
  /**
   * A `guest` disconnects at once; a `visitor` stays until SIGTERM; an `aborted visitor` hangs until SIGTERM aborts it.
   */
  role: 'server' | 'guest' | 'visitor' | 'aborted visitor';
  dataDir: string;
  systemDirectory?: string;
  settings?: Record<string, string>;
}

export type EmbeddedEvent =
  | { event: 'begun' }
  | { event: 'crashed' }
  | { event: 'ended' }
  | { event: 'log'; message: string }
  | { event: 'failed'; message: string }
  | { event: 'running'; connection: EmbeddedConnection };

type EventOf<Name extends EmbeddedEvent['event']> = Extract<EmbeddedEvent, { event: Name }>;

/** Faster, for tests that are not about the loss of power. */
export const FORGETFUL = { fsync: 'off' };

/** Puts files that a closed clone needs next to DATA_DIR instead of into /var/lib. */
export function testOptions(dataDir: string) {
  return { settings: FORGETFUL, systemDirectory: join(dirname(dataDir), 'system') };
}

/** An empty DATA_DIR in a directory of its own. Processes that still use it end with the test. */
export function temporaryDataDir(t: TestContext, owner?: Account): string {
  const parent = mkdtempSync(join(tmpdir(), 'tocsin-embedded-'));
  // Node creates it for this account only, but the PostgreSQL account needs to pass through.
  chmodSync(parent, 0o711);
  if (owner && runningAsRoot()) chownSync(parent, owner.uid, owner.gid);
  const dataDir = join(parent, 'data');
  t.after(async () => {
    await stopLeftover(dataDir);
    rmSync(parent, { recursive: true, force: true, maxRetries: 5 });
  });
  return dataDir;
}

export async function stopLeftover(dataDir: string): Promise<void> {
  const postmaster = findPostmaster(join(dataDir, 'postgres'));
  if (postmaster) await stopPostmaster(postmaster, [['SIGQUIT', 10_000]]);
}

export interface EmbeddedProgram {
  readonly process: ChildProcess;
  /** Events so far. */
  readonly told: EmbeddedEvent[];
  /** The next event of this name, or one that has already happened. @throws when the program ends without it */
  saw<Name extends EmbeddedEvent['event']>(name: Name, times?: number): Promise<EventOf<Name>>;
  /** Ends the process with SIGTERM and resolves to its exit code. */
  end(): Promise<number | null>;
  /** Resolves to its exit code when it ends by itself. */
  exit(): Promise<number | null>;
  /** Kills its whole process group, as a power failure would. */
  kill(): Promise<void>;
}

export interface Surroundings {
  account?: Account;
  node?: string;
  program?: string;
}

/** Runs a server or a command in a process that ends with the test. */
export function run(
  t: TestContext,
  options: EmbeddedServerOptions,
  around: Surroundings = {},
): EmbeddedProgram {
  const program = around.program ?? fileURLToPath(new URL('embedded-server.ts', import.meta.url));
  const { systemDirectory } = testOptions(options.dataDir);
  const child = spawn(
    around.node ?? process.execPath,
    [program, JSON.stringify({ systemDirectory, ...options })],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: '/',
      // A process group of its own, so that all of it can be killed.
      detached: true,
      ...(around.account && { uid: around.account.uid, gid: around.account.gid }),
    },
  );
  const news = new EventEmitter();
  const told: EmbeddedEvent[] = [];
  let closed = false;
  const ended = once(child, 'close').then(([code]) => {
    closed = true;
    news.emit('news');
    return code as number | null;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    told.push(JSON.parse(line) as EmbeddedEvent);
    news.emit('news');
  });
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null && child.pid)
      process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  t.after(kill);
  async function saw<Name extends EmbeddedEvent['event']>(name: Name, times = 1): Promise<EventOf<Name>> {
    for (;;) {
      const found = told.filter((event): event is EventOf<Name> => event.event === name)[times - 1];
      if (found) return found;
      if (closed) throw new Error(`the program ended without the event ${name}: ${JSON.stringify(told)}`);
      await once(news, 'news');
    }
  }
  const end = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { process: child, told, saw, end, exit: () => ended, kill };
}

/** Runs one statement on a new connection. */
export async function query(
  connection: EmbeddedConnection,
  statement: string,
): Promise<Record<string, unknown>[]> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 10_000 });
  // Tests kill the server while it is connected.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** The process id of the PostgreSQL that runs on this DATA_DIR, if any. */
export function postmasterOf(dataDir: string): number | undefined {
  return findPostmaster(join(dataDir, 'postgres'))?.identity.pid;
}

/** Polls until the answer is true. */
export async function until(question: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await question())) await delay(5);
}
