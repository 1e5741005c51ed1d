import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import {
  type Account,
  postgresAccount,
  runningAsRoot,
  spawnAs,
} from '../packages/embedded-postgres/account.ts';
import { type Binaries, binariesFor } from '../packages/embedded-postgres/binaries.ts';
import { INITDB_OPTIONS } from '../packages/embedded-postgres/initialise.ts';
import { freePort } from './free-port.ts';
import { directoryInMemory } from './memory.ts';
import { passedOn } from './passed-on.ts';
import { PATIENCE_MS } from './patience.ts';

/** A PostgreSQL for tests on a free port of the loopback address. It is fast and not durable (fsync is off). */
export interface TestPostgres {
  /** URL of the superuser and the database `postgres`. */
  readonly adminUrl: string;
  readonly process: ChildProcess;
  /** Stops it and removes its directory. */
  stop(): Promise<void>;
}

/** Runs `work` with a PostgreSQL of its own, which is removed afterwards. */
export async function withTestPostgres<T>(work: (adminUrl: string) => Promise<T>): Promise<T> {
  const server = await startTestPostgres();
  try {
    return await work(server.adminUrl);
  } finally {
    await server.stop();
  }
}

/**
 * Starts a PostgreSQL in a temporary directory. With `directory` it runs there and outlives this process until stopped.
 */
export async function startTestPostgres(directory?: string): Promise<TestPostgres> {
  const home = directory ?? mkdtempSync(join(tmpdir(), 'tocsin-test-'));
  mkdirSync(home, { recursive: true });
  chmodSync(home, 0o711);
  const account = postgresAccount();
  const binaries = binariesFor(account, home);
  const memory = directoryInMemory();
  if (memory) symlinkSync(memory, join(home, 'data'));
  const password = initialise(binaries, account, home);
  const { server, port } = await startOnFreePort(binaries, account, home, directory !== undefined);
  return {
    adminUrl: `postgres://tocsin:${password}@127.0.0.1:${port}/postgres`,
    process: server,
    stop: async () => {
      await stopProcess(server);
      for (const path of memory ? [home, memory] : [home])
        rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Creates a cluster in `home`/data and returns the password of its superuser `tocsin`. */
export function initialise(binaries: Binaries, account: Account, home: string): string {
  const password = randomBytes(16).toString('hex');
  const passwordFile = join(home, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  mkdirSync(join(home, 'data'), { mode: 0o700, recursive: true });
  if (runningAsRoot())
    for (const path of ['password', 'data']) chownSync(join(home, path), account.uid, account.gid);
  const place = ['-D', join(home, 'data'), `--pwfile=${passwordFile}`];
  // Each of the thousands of connections of a run would otherwise derive its key with 4,096 rounds.
  const cheap = ['--no-sync', '--set', 'scram_iterations=1'];
  const result = spawnSync(binaries.initdb, [...place, ...cheap, ...INITDB_OPTIONS], {
    ...spawnAs(account),
    cwd: home,
    env: { ...passedOn(), LC_ALL: 'C' },
    encoding: 'utf8',
  });
  if (result.status !== 0) throw new Error(`initdb failed for the test database: ${result.stderr}`);
  return password;
}

async function startOnFreePort(binaries: Binaries, account: Account, home: string, detached: boolean) {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const server = launch(binaries, account, home, port, detached);
    if (await becomesReady(server, home)) return { server, port };
    const log = readFileSync(join(home, 'postgres.log'), 'utf8');
    // Another program may have taken the port in the meantime.
    if (attempt === 5 || !log.includes('Address already in use')) {
      throw new Error(`the test database did not start: ${log}`);
    }
  }
}

/** Starts the postmaster of the cluster in `home`/data; the settings extend or override the defaults. */
export function launch(
  binaries: Binaries,
  account: Account,
  home: string,
  port: number,
  detached: boolean,
  extra: Record<string, string | number> = {},
) {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '64MB',
    fsync: 'off',
    synchronous_commit: 'on',
    full_page_writes: 'off',
    jit: 'off',
    timezone: 'UTC',
    ...extra,
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openSync(join(home, 'postgres.log'), 'w');
  const server = spawn(binaries.postgres, ['-D', join(home, 'data'), ...options], {
    ...spawnAs(account),
    cwd: home,
    env: { ...passedOn(), LC_ALL: 'C' },
    stdio: ['ignore', log, log],
    detached,
  });
  closeSync(log);
  return server;
}

/** PostgreSQL writes its status into the eighth line of its pid file. */
async function becomesReady(server: ChildProcess, home: string): Promise<boolean> {
  while (server.exitCode === null && server.signalCode === null) {
    if (
      readIfThere(join(home, 'data', 'postmaster.pid'))
        .split('\n')[7]
        ?.trim() === 'ready'
    )
      return true;
    await delay(10);
  }
  return false;
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

async function stopProcess(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  // Immediate shutdown: the data of tests needs no checkpoint.
  server.kill('SIGQUIT');
  await ended;
}

/** Runs one statement on a new connection. */
export async function runOn(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PATIENCE_MS });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}
