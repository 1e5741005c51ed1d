import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of an installed program. @throws with the Debian package to install when it is missing */
export function debianProgram(name: string, debianPackage: string): string {
  // Daemons are in directories that are only in the PATH of root.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const path = folders.map((folder) => join(folder, name)).find((candidate) => existsSync(candidate));
  if (path) return path;
  throw new Error(`This test needs the program ${name}; as root, run: apt-get install ${debianPackage}`);
}

export type Daemon = { stop(): Promise<void> };

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
  return {
    async stop() {
      if (hasEnded(child)) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
