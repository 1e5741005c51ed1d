import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forward } from './forwarder.ts';

const FORWARDER = fileURLToPath(new URL('forwarder.ts', import.meta.url));

/**
 * A network namespace that simulates another machine. A virtual cable connects it to this one, which has the database.
 */
export type Namespace = {
  /** The command that runs a program in it. */
  enter: readonly string[];
  /** The address of this machine on the cable. */
  gateway: string;
  /** Forwards clients here to `port` there, and programs there to `port` here, without the cable. */
  open(ports: { there: readonly number[]; here: readonly number[] }): Promise<void>;
  cable(state: 'up' | 'down'): void;
  /** Drops and delays packets in both directions; false where the kernel does not support it. Null: stops. */
  disturb(how: { lossPercent: number; delayMs: number } | null): boolean;
  remove(): void;
};

/** Null where this account may not create one. */
export function namespace(number: number): Namespace | null {
  const name = `tocsin-faults-${process.pid}-${number}`;
  const [here, there] = [`tf${number}h${process.pid % 100_000}`, `tf${number}t${process.pid % 100_000}`];
  const net = `10.213.${number}`;
  const inside = (...words: string[]) => run('ip', 'netns', 'exec', name, ...words);
  if (!run('ip', 'netns', 'add', name)) return null;
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-doors-'));
  const processes: ChildProcess[] = [];
  const servers: Server[] = [];
  const remove = () => {
    for (const one of processes) one.kill('SIGKILL');
    for (const server of servers) server.close();
    run('ip', 'link', 'delete', here);
    run('ip', 'netns', 'delete', name);
    rmSync(folder, { recursive: true, force: true });
  };
  const made =
    run('ip', 'link', 'add', here, 'type', 'veth', 'peer', 'name', there, 'netns', name) &&
    run('ip', 'address', 'add', `${net}.1/24`, 'dev', here) &&
    run('ip', 'link', 'set', here, 'up') &&
    inside('ip', 'address', 'add', `${net}.2/24`, 'dev', there) &&
    inside('ip', 'link', 'set', there, 'up') &&
    inside('ip', 'link', 'set', 'lo', 'up');
  if (!made) {
    remove();
    return null;
  }
  return {
    enter: ['ip', 'netns', 'exec', name],
    gateway: `${net}.1`,
    async open(ports) {
      const doors: string[] = [];
      for (const port of ports.there) {
        servers.push(await forward(port, join(folder, `${port}`)));
        doors.push(join(folder, `${port}`), `${port}`);
      }
      for (const port of ports.here) {
        servers.push(await forward(join(folder, `${port}`), port));
        doors.push(`${port}`, join(folder, `${port}`));
      }
      const words = ['netns', 'exec', name, process.execPath, FORWARDER, ...doors];
      const forwarder = spawn('ip', words, { stdio: ['ignore', 'pipe', 'inherit'] });
      processes.push(forwarder);
      if (forwarder.stdout) await once(forwarder.stdout, 'data');
    },
    cable: (state) => void run('ip', 'link', 'set', here, state),
    disturb(how) {
      if (how === null) {
        inside('tc', 'qdisc', 'delete', 'dev', there, 'root');
        return run('tc', 'qdisc', 'delete', 'dev', here, 'root');
      }
      const words = ['root', 'netem', 'loss', `${how.lossPercent}%`, 'delay', `${how.delayMs}ms`];
      return (
        run('tc', 'qdisc', 'replace', 'dev', here, ...words) &&
        inside('tc', 'qdisc', 'replace', 'dev', there, ...words)
      );
    },
    remove,
  };
}

function run(program: string, ...words: string[]): boolean {
  return spawnSync(program, words, { stdio: 'ignore' }).status === 0;
}
