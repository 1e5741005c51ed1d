import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { webhookReceiver } from '../../testing/fakes/webhook-receiver.ts';
import { freePort } from '../../testing/free-port.ts';
import { attempt, buildah, run } from './commands.ts';
import { containerOf, imageOf } from './containers.ts';
import { emulationOf, HOST, type Platform } from './platform.ts';
import { UID } from './programs.ts';
import type { Report } from './report.ts';

/** Under emulation, a page takes seconds. */
const PAGE_WITHIN_MS = 60_000;

/** Starts the image as compose.yaml does, waits until a page has arrived, and stops it with SIGTERM. */
export async function tryImage(report: Report, platform: Platform): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-image-'));
  const source = containerOf(imageOf(platform), platform);
  const receiver = await webhookReceiver();
  const name = `tocsin-${process.pid}`;
  let container: ChildProcess | null = null;
  try {
    const [port, uploadPort] = [await freePort(), await freePort()];
    writeBundle(folder, buildah('mount', source), platform, { port, uploadPort });
    writeFileSync(join(folder, 'data', 'acme.yaml'), organization(receiver.url));
    const began = performance.now();
    const since = () => `${((performance.now() - began) / 1_000).toFixed(1)} s`;
    container = spawn('runc', ['run', '--bundle', folder, name], {
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    await ready(container);
    const start = since();
    const { status } = await fetch(`http://127.0.0.1:${port}/readyz`);
    if (status !== 200) throw new Error(`/readyz was answered with ${status}`);
    const inside = (...args: string[]) => run('runc', ['exec', name, '/usr/bin/tocsin', ...args]);
    inside('apply', '/data/acme.yaml');
    const key = inside('key', 'create', '--user', 'ada@example.com', '--name', 'image', '--full');
    const answer = await fetch(`http://127.0.0.1:${port}/page/person`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ recipient: 'ada@example.com', title: 'Image', text: 'x', urgency: 'high' }),
    });
    if (answer.status !== 200)
      throw new Error(`the page was answered with ${answer.status}: ${await answer.text()}`);
    await receiver.next(PAGE_WITHIN_MS);
    const emulated = platform === HOST ? '' : ', under emulation';
    report.fact(
      `From the start of the container to the first page that arrived: ${since()} (${start} until it was ready)${emulated}.`,
    );
    report.fact(`Resident memory: ${resident(container)}, with the embedded PostgreSQL${emulated}.`);
    checkInside(name, report);
    await end(container, name, report);
  } finally {
    attempt('runc', ['delete', '--force', name]);
    container?.kill('SIGKILL');
    await receiver.stop();
    buildah('rm', source);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An OCI bundle: read-only root, no capabilities, the user of the image, and two writable places. */
function writeBundle(
  folder: string,
  rootfs: string,
  platform: Platform,
  ports: { port: number; uploadPort: number },
): void {
  mkdirSync(join(folder, 'data'));
  chownSync(join(folder, 'data'), UID, UID);
  run('runc', ['spec', '--bundle', folder]);
  const file = join(folder, 'config.json');
  const spec = JSON.parse(readFileSync(file, 'utf8'));
  delete spec.process.rlimits;
  spec.root = { path: rootfs, readonly: true };
  Object.assign(spec.process, {
    terminal: false,
    user: { uid: UID, gid: UID },
    cwd: '/data',
    args: ['/usr/bin/tini', '--', '/usr/bin/tocsin', 'serve'],
    capabilities: {},
    noNewPrivileges: true,
    env: [
      'PATH=/usr/bin',
      'DATA_DIR=/data',
      'ALLOW_PRIVATE_WEBHOOKS=true',
      `PORT=${ports.port}`,
      `UPLOAD_PORT=${ports.uploadPort}`,
      ...Object.entries(emulationOf(platform)).map(([name, value]) => `${name}=${value}`),
    ],
  });
  spec.mounts.push(
    { destination: '/data', type: 'bind', source: join(folder, 'data'), options: ['bind', 'rw'] },
    { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'nodev', 'mode=1777'] },
  );
  // The network of this machine, so that the page can reach the receiver of this script.
  spec.linux.namespaces = spec.linux.namespaces.filter(
    ({ type }: { type: string }) => type !== 'network' && type !== 'cgroup',
  );
  spec.mounts = spec.mounts.filter(({ type }: { type: string }) => type !== 'cgroup');
  delete spec.linux.resources;
  writeFileSync(file, JSON.stringify(spec));
}

async function ready(container: ChildProcess): Promise<void> {
  let log = '';
  await new Promise<void>((resolve, reject) => {
    container.stderr?.on('data', (chunk) => {
      log += chunk;
      if (log.includes('Tocsin is ready')) resolve();
    });
    container.on('error', reject);
    container.on('exit', (code) =>
      reject(new Error(`the container ended with ${code}: ${log.slice(-2_000)}`)),
    );
  });
}

function checkInside(name: string, report: Report): void {
  const exec = (...args: string[]) => attempt('runc', ['exec', name, ...args]);
  const healthy = exec('/opt/tocsin/node_modules/node/bin/node', '/usr/lib/tocsin-healthy.mjs');
  if (!healthy.ok) throw new Error(`the health check failed: ${healthy.output}`);
  const id = exec('/usr/bin/id', '-u').stdout;
  if (id !== String(UID)) throw new Error(`it runs as user ${id}, not as ${UID}`);
  if (exec('/usr/bin/touch', '/opt/tocsin/x').ok) throw new Error('its root can be written');
  report.fact(`The health check succeeds; it runs as user ${id}, on a root that it cannot write.`);
}

async function end(container: ChildProcess, name: string, report: Report): Promise<void> {
  const began = performance.now();
  const ended = once(container, 'exit');
  run('runc', ['kill', name, 'TERM']);
  const [code] = await ended;
  if (code !== 0) throw new Error(`SIGTERM ended it with ${code}`);
  report.fact(`SIGTERM ended it in order after ${((performance.now() - began) / 1_000).toFixed(1)} s.`);
}

/** The memory of all processes of the container; shared memory counts once. */
function resident(container: ChildProcess): string {
  const pids = descendants(container.pid ?? 0);
  const kilobytes = pids.map((pid) => /^Pss:\s+(\d+)/m.exec(memoryOf(pid))?.[1] ?? '0');
  return `${(kilobytes.reduce((sum, kb) => sum + Number(kb), 0) / 1_000).toFixed(0)} MB`;
}

function memoryOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  } catch {
    return '';
  }
}

function descendants(pid: number): number[] {
  const children = attempt('ps', ['--no-headers', '-o', 'pid', '--ppid', String(pid)]).stdout.split('\n');
  const found = children.map(Number).filter((child) => child > 0);
  return [...found, ...found.flatMap(descendants)];
}

/**
 * An organization's file with one person, whose pages go to a webhook. The packages that compute the holidays of its
 * schedule are only partly in the image.
 */
export function organization(url: string): string {
  return `
organization: { name: Acme, time_zone: Europe/Berlin }
users:
  - email: ada@example.com
    name: Ada Lovelace
    role: owner
    contact_methods: [{ type: webhook, value: "${url}/ada" }]
teams:
  - { slug: sre, members: [ada@example.com] }
schedules:
  - name: SRE
    team: sre
    shifts: { every: week, handoff: "Monday 09:00" }
    stages: [{ stage: 1, members: [ada@example.com] }]
    holidays: { country: CN }
`;
}
