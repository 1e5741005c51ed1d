import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { eventually } from './eventually.ts';

/** The path of an installed program. @throws with the Debian package to install when it is missing */
export function debianProgram(name: string, debianPackage: string): string {
  // Daemons are in directories that are only in the PATH of root.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const path = folders.map((folder) => join(folder, name)).find((candidate) => existsSync(candidate));
  if (path) return path;
  throw new Error(`This test needs the program ${name}; as root, run: apt-get install ${debianPackage}`);
}

export type Daemon = {
  /** Does nothing when it has ended. */
  stop(): Promise<void>;
  /** Kills it and the processes that it started, as systemd does. */
  kill(): Promise<void>;
};

/**
 * Starts a daemon in the foreground and waits until `isReady`. @throws with the daemon's output when it exits before
 */
export async function startDaemon(
  path: string,
  args: readonly string[],
  env: Record<string, string>,
  isReady: () => Promise<boolean>,
): Promise<Daemon> {
  const child = spawn(path, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => printed.push(text));
  while (!(await isReady())) {
    if (hasEnded(child)) throw new Error(`${path} ended before it was ready:\n${printed.join('')}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  const end = async (send: () => void) => {
    if (hasEnded(child)) return;
    const ended = once(child, 'exit');
    send();
    await ended;
  };
  return {
    stop: () => end(() => child.kill('SIGTERM')),
    async kill() {
      let killed: number[] = [];
      await end(() => {
        killed = killAll(child.pid ?? 0);
      });
      // Children that still end hold the daemon's sockets, and the next one takes that for a second daemon.
      await eventually(async () => killed.filter(isRunning), []);
    },
  };
}

/** Kills a process and its descendants, of which none can start another one in between. Returns the ids of all of them. */
function killAll(pid: number): number[] {
  process.kill(pid, 'SIGSTOP');
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
  const descendants = children.flatMap((child) => killAll(Number(child)));
  process.kill(pid, 'SIGKILL');
  return [pid, ...descendants];
}

/** Whether a process has not ended. One that has, and that its parent has not asked about, is a zombie. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
