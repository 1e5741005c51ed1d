/**
 * Runs inside a system that was booted for it: installs the package, starts the unit, pages, kills the service, and
 * stops it. Writes a `Probed` to /probed.json. It may use only Node.js itself, because it runs with the package's own
 * copy.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Times in seconds, and the errors with the end of the journal; null if there are none. */
export type Probed = {
  ready: number;
  page: number;
  readyAfterKill: number;
  stopped: number;
  user: string;
  error: string | null;
};

const WITHIN_MS = 120_000;
const port = process.argv[2];
const probed: Probed = { ready: 0, page: 0, readyAfterKill: 0, stopped: 0, user: '', error: null };

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

/** A command of the package, as in docs/installing.md. */
function tocsin(...args: string[]): string {
  return run('runuser', '-u', 'tocsin', '--', 'env', 'DATA_DIR=/var/lib/tocsin/data', 'tocsin', ...args);
}

function property(name: string): string {
  return run('systemctl', 'show', '--value', `--property=${name}`, 'tocsin');
}

async function untilReady(): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  while (performance.now() < deadline) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await delay(100);
  }
  throw new Error(`the service was not ready within ${WITHIN_MS / 1_000} s`);
}

async function page(): Promise<void> {
  tocsin('apply', '/acme.yaml');
  const key = tocsin('key', 'create', '--user', 'ada@example.com', '--name', 'unit', '--full');
  const answer = await fetch(`http://127.0.0.1:${port}/page/person`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ recipient: 'ada@example.com', title: 'Unit', text: 'x', urgency: 'high' }),
  });
  if (answer.status !== 200)
    throw new Error(`the page was answered with ${answer.status}: ${await answer.text()}`);
}

async function seconds(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}

try {
  run('systemctl', 'start', 'tocsin');
  probed.ready = await seconds(untilReady);
  probed.user = run('stat', '--format=%U', `/proc/${property('MainPID')}`);
  probed.page = await seconds(page);
  const former = property('MainPID');
  process.kill(Number(former), 'SIGKILL');
  probed.readyAfterKill = await seconds(async () => {
    while (['0', former].includes(property('MainPID'))) await delay(50);
    await untilReady();
  });
  probed.stopped = await seconds(() => run('systemctl', 'stop', 'tocsin'));
  const result = property('Result');
  if (result !== 'success') throw new Error(`systemctl stop ended with the result ${result}`);
} catch (error) {
  const { message, stderr = '' } = error as Error & { stderr?: string };
  probed.error = `${message} ${stderr}\n${run('journalctl', '--no-pager', '--lines=40', '--unit=tocsin')}`;
}
writeFileSync('/probed.json', JSON.stringify(probed));
