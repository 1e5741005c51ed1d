import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { seconds } from '../place.ts';
import { type MortalPostgres, mortalPostgres } from '../postgres.ts';
import type { Scenario, Verdict } from '../scenario.ts';

const MEGABYTE = 1024 * 1024;
/** Counts from when there is space again; PostgreSQL has to recover first. */
const RESUME_WITHIN_MS = 30_000;

/** Another client takes all connections of the database, and those of the service are terminated. */
export const noConnectionsLeft: Scenario = {
  name: 'connections',
  promise:
    'other programs take every connection of the database, and ours are cut off: 503 meanwhile, then everything continues',
  async run({ short, place }) {
    const postgres = await mortalPostgres();
    try {
      const at = await place({ postgres });
      const server = await at.start('all');
      const load = at.load({ targets: () => [server.url], perSecond: 20 });
      await delay(1_500);
      const taken = await takeEveryConnection(at.cluster.database.url);
      await delay(short ? 3_000 : 15_000);
      await Promise.all(taken.map((client) => client.end().catch(() => undefined)));
      const verdict = await at.settle(load, { repeats: 20 });
      if (!load.answers.get(503))
        verdict.broken.push('nothing was refused, so that there were connections left');
      await at.end();
      return {
        ...verdict,
        figures: { 'held by others': taken.length, refused: load.answers.get(503) ?? 0, ...verdict.figures },
      };
    } finally {
      await postgres.remove();
    }
  },
};

/** Terminates all other connections and takes their slots before they reconnect. */
async function takeEveryConnection(url: string): Promise<Client[]> {
  const taken: Client[] = [];
  const one = async (): Promise<boolean> => {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    const connected = await client.connect().then(
      () => true,
      () => false,
    );
    if (connected) taken.push(client);
    return connected;
  };
  await one();
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity
    where pid <> pg_backend_pid() and application_name like 'tocsin%'`;
  for (let misses = 0; misses < 3; ) {
    await taken[0]?.query(cut);
    const got = await Promise.all(Array.from({ length: 40 }, one));
    misses = got.some((connected) => connected) ? 0 : misses + 1;
  }
  return taken;
}

/** The database's disk becomes full twice: slowly, and to the last byte. */
export const fullDisk: Scenario = {
  name: 'disk-full',
  promise:
    'the disk of the database is full: nothing is accepted that is not on it, and everything continues when it has space',
  async run({ place }) {
    const disk = smallDisk();
    if (!disk) return { figures: {}, broken: [], skipped: 'only root may mount a small disk' };
    const postgres = await mortalPostgres(disk.home);
    // PostgreSQL exits when it cannot write its log, and is restarted repeatedly, as by a supervisor.
    const care = takeCare(postgres);
    try {
      const at = await place({ postgres });
      const server = await at.start('all');
      const load = at.load({ targets: () => [server.url], perSecond: 40 });
      await delay(2_000);
      disk.fill(0);
      await delay(15_000);
      const stoppedAt = load.accepted.length;
      await delay(3_000);
      const whileFull = load.accepted.length - stoppedAt;
      disk.free();
      const begun = performance.now();
      while (load.accepted.length <= stoppedAt + whileFull && performance.now() - begun < 60_000)
        await delay(20);
      const resumedMs = performance.now() - begun;
      await delay(2_000);
      const verdict: Verdict = await at.settle(load, { repeats: 100 });
      await at.end();
      const refused = load.answers.get(503) ?? 0;
      if (refused === 0) verdict.broken.push('nothing was refused, so that the disk was not full');
      if (resumedMs > RESUME_WITHIN_MS) verdict.broken.push(`accepting again took ${seconds(resumedMs)}`);
      const odd = [...load.answers.keys()].filter((status) => ![0, 200, 503].includes(status));
      if (odd.length > 0) verdict.broken.push(`answers other than 200 and 503: ${odd.join(', ')}`);
      return {
        ...verdict,
        figures: { refused, 'accepts again after': seconds(resumedMs), ...verdict.figures },
      };
    } finally {
      care.end();
      await postgres.remove();
      disk.remove();
    }
  },
};

function takeCare(postgres: MortalPostgres): { end(): void } {
  let over = false;
  void (async () => {
    for (; !over; await delay(200)) await postgres.revive().catch(() => undefined);
  })();
  return {
    end() {
      over = true;
    },
  };
}

/** A file system of 300 MB; null where this account may not mount one. */
function smallDisk() {
  const place = mkdtempSync(join(tmpdir(), 'tocsin-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', place]).status === 0;
  if (!mounted) {
    rmSync(place, { recursive: true });
    return null;
  }
  chmodSync(place, 0o711);
  const home = mkdtempSync(join(place, 'postgres-'));
  const filler = join(place, 'filler');
  return {
    home,
    fill: (leaving: number) => fillUp(filler, place, leaving),
    free: () => rmSync(filler, { force: true }),
    remove() {
      spawnSync('umount', [place]);
      rmSync(place, { recursive: true, force: true });
    },
  };
}

function fillUp(filler: string, place: string, leaving: number): void {
  const chunk = Buffer.alloc(MEGABYTE / 16);
  const file = openSync(filler, 'a');
  try {
    for (
      let { bavail, bsize } = statfsSync(place);
      bavail * bsize > leaving;
      { bavail, bsize } = statfsSync(place)
    )
      writeSync(file, chunk);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    closeSync(file);
  }
}
