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

const root = new URL('../', import.meta.url).pathname;
/** As `npm start` runs it. */
export const v8Flags = readFileSync(join(root, 'bin/v8-flags'), 'utf8').trim().split(' ');

/** A server as `npm start` runs it, on an embedded database of its own with everything durable. */
export type RunningServer = {
  url: string;
  pid: number;
  key: string;
  connection: ClientConfig;
  /** For what the service's own role may not do, such as writing rows past the triggers. */
  superuser: ClientConfig;
  /** Runs a command of the command line on its database; what it printed. */
  command(...args: string[]): Promise<string>;
  /** Resident memory of our own process, in MiB. */
  memory(): Promise<number>;
  stop(): Promise<void>;
};

/** Starts a server on fresh data and applies `organization` to it. */
export async function startServer(
  organization: string,
  env: Record<string, string> = {},
  role = 'all',
): Promise<RunningServer> {
  const directory = await mkdtemp(join(tmpdir(), 'tocsin-bench-'));
  // Started by root, PostgreSQL runs as somebody else: shut out, it would keep its data where nobody removes them.
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
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_BURST: '10000000',
    ...env,
  };
  const child = spawn(process.execPath, [...v8Flags, 'src/main.ts', 'serve', '--role', role], {
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

/** Who asks a server of a benchmark for its metrics. */
export const METRICS_HEADERS = { authorization: 'Bearer bench' };

/** Runs the command line and returns what it printed. */
export async function tocsin(args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(process.execPath, ['src/main.ts', ...args], {
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
