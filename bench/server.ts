import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientConfig } from 'pg';
import { superuserTo } from '../packages/embedded-postgres/connection.ts';
import { embeddedConnection } from '../packages/embedded-postgres/visit.ts';
import { freePort } from '../testing/free-port.ts';
import { serviceProgram } from '../testing/service-program.ts';

const root = new URL('../', import.meta.url).pathname;
/** The V8 flags of `npm start`. */
export const v8Flags = readFileSync(join(root, 'bin/v8-flags'), 'utf8').trim().split(' ');

/** A server as `npm start` runs it, on a durable embedded database of its own. */
export type RunningServer = {
  url: string;
  pid: number;
  key: string;
  dataDir: string;
  connection: ClientConfig;
  /** A connection that may do more than the role of the service, such as insert rows without the triggers. */
  superuser: ClientConfig;
  /** Runs a subcommand on its database and returns the output. */
  command(...args: string[]): Promise<string>;
  /** Resident memory of the service's process, in MiB. */
  memory(): Promise<number>;
  stop(): Promise<void>;
};

/** Starts a server with an empty database and applies `organization` to it. */
export async function startServer(
  organization: string,
  env: Record<string, string> = {},
  role = 'all',
): Promise<RunningServer> {
  const directory = await mkdtemp(join(tmpdir(), 'tocsin-bench-'));
  // As root, PostgreSQL runs under another account, which needs access; otherwise the data would be created elsewhere
  // and not removed.
  await chmod(directory, 0o755);
  const dataDir = join(directory, 'data');
  const port = await freePort();
  const uploadPort = await freePort();
  const settings = {
    ...process.env,
    PORT: String(port),
    UPLOAD_PORT: String(uploadPort),
    DATA_DIR: dataDir,
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    METRICS_TOKEN: 'bench',
    LOG_LEVEL: 'warn',
    DRAIN_SECONDS: '0',
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_BURST: '10000000',
    ...env,
  };
  const child = spawn(process.execPath, [...v8Flags, serviceProgram(), 'serve', '--role', role], {
    cwd: root,
    env: settings,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await healthy(url, child);
  await writeFile(join(directory, 'acme.yaml'), organization);
  await tocsin(['apply', join(directory, 'acme.yaml')], settings);
  const key = (
    await tocsin(['key', 'create', '--user', 'ada@example.com', '--name', 'bench', '--full'], settings)
  ).trim();
  const connection = await embeddedConnection(dataDir);
  if (!connection || !child.pid) throw new Error('the server runs without its database');
  return {
    url,
    pid: child.pid,
    key,
    dataDir,
    connection: { ...connection },
    superuser: { ...superuserTo(join(dataDir, 'postgres'), connection.host) },
    command: async (...args) => (await tocsin(args, settings)).trim(),
    memory: () => residentMiB(child.pid ?? 0),
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function healthy(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null)
      throw new Error(`the server ended with ${child.exitCode} before it was ready`);
    const response = await fetch(`${url}/healthz`).catch(() => null);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The headers with which benchmarks read the metrics. */
export const METRICS_HEADERS = { authorization: 'Bearer bench' };

/** Runs the command line and returns its output. */
export async function tocsin(args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(process.execPath, [serviceProgram(), ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error(`tocsin ${args.join(' ')} ended with ${code}`);
  return out;
}

async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}
