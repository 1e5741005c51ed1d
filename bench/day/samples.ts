import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client as Connection } from 'pg';
import { childrenOf, parentOf } from '../processor-time.ts';
import { METRICS_HEADERS, type RunningServer } from '../server.ts';
import { type Day, HOURS } from './hours.ts';

/** One measurement of the process and its database. Memory in MiB. */
export type Sample = {
  hour: number;
  /** Resident memory, and the heap at this instant including garbage. */
  rss: number;
  heap: number;
  /** Memory of all PostgreSQL processes: private, and shared buffers. */
  postgresOwn: number;
  postgresShared: number;
  connections: number;
  files: number;
  database: number;
};

export type Sampling = { samples: Sample[]; run(): Promise<unknown> };

const MIB = 1024 * 1024;

/** Samples each hour of the day at least once, on slow machines too, and at most every five seconds. */
export function createSampling(server: RunningServer, connection: Connection, day: Day): Sampling {
  const samples: Sample[] = [];

  async function look(hour: number): Promise<void> {
    const postmaster = await parentOf(await backend(connection));
    const [rss, heap, postgres, files, database] = await Promise.all([
      server.memory(),
      heapOf(server),
      memoryOf([postmaster, ...(await childrenOf(postmaster))]),
      readdir(`/proc/${server.pid}/fd`).then(({ length }) => length),
      sizes(connection),
    ]);
    samples.push({ hour, rss, heap, ...postgres, files, ...database });
  }

  async function during(hour: number): Promise<void> {
    await delay(hour * day.hourMs);
    await look(hour);
    for (;;) {
      await delay(Math.min(5_000, Math.max(200, day.hourMs / 20)));
      const now = day.hour();
      if (now >= hour + 1) return;
      await look(now);
    }
  }

  return {
    samples,
    run: () => Promise.all(Array.from({ length: HOURS }, (_, hour) => during(hour))),
  };
}

async function heapOf({ url }: RunningServer): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers: METRICS_HEADERS })).text();
  const used = /^tocsin_nodejs_heap_size_used_bytes (\S+)$/m.exec(text)?.[1];
  if (used === undefined) throw new Error('/metrics does not tell tocsin_nodejs_heap_size_used_bytes');
  return Number(used) / MIB;
}

async function backend(connection: Connection): Promise<number> {
  const { rows } = await connection.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

async function sizes(connection: Connection): Promise<Pick<Sample, 'connections' | 'database'>> {
  const { rows } = await connection.query<{ connections: number; bytes: number }>(`
    select count(*)::integer as connections, pg_database_size(current_database())::float as bytes
    from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`);
  return { connections: rows[0]?.connections ?? 0, database: (rows[0]?.bytes ?? 0) / MIB };
}

/** The proportional memory of each process; one that has ended has none. */
async function memoryOf(pids: readonly number[]): Promise<Pick<Sample, 'postgresOwn' | 'postgresShared'>> {
  const rollups = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')),
  );
  const sum = (name: string) =>
    rollups.reduce(
      (all, text) => all + Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0),
      0,
    ) / 1024;
  return { postgresOwn: sum('Pss_Anon'), postgresShared: sum('Pss_Shmem') };
}
