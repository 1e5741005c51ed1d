import { readdir, readFile } from 'node:fs/promises';
import { Client } from 'pg';
import type { RunningServer } from './server.ts';

/** The fields of `/proc/PID/stat` from the third on, which follow the name of the program; none when it has ended. */
async function statOf(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

export async function parentOf(pid: number): Promise<number> {
  return Number((await statOf(pid))[1] ?? 0);
}

export async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(pids.map(parentOf));
  return pids.filter((_, index) => parents[index] === parent);
}

/** The processor time of a process in milliseconds, which does not depend on other load. */
export async function processorMs(pid: number): Promise<number> {
  return ticks(await statOf(pid), [11, 12]);
}

/** The processor time of all processes of the server's database, those that have ended included, in milliseconds. */
export async function databaseMs({ connection }: RunningServer): Promise<number> {
  const client = new Client(connection);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = await parentOf(rows[0]?.pid ?? 0);
  await client.end();
  const running = await Promise.all((await childrenOf(postmaster)).map(processorMs));
  const own = ticks(await statOf(postmaster), [11, 12, 13, 14]);
  return running.reduce((sum, ms) => sum + ms, own);
}

/** Clock ticks are 100 per second on Linux. */
function ticks(stat: readonly string[], fields: readonly number[]): number {
  return fields.reduce((sum, field) => sum + Number(stat[field] ?? 0), 0) * 10;
}
