import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const PREFIX = 'tocsin-test-';
const GIB = 1024 ** 3;

/**
 * An empty directory in memory, or null where there is none with room to spare. Each test file clones a database, which is
 * mostly writing: on a disk the tests take a third longer. What killed runs left there goes first; nothing else frees it.
 */
export function directoryInMemory(): string | null {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < 4 * GIB) return null;
    removeLeft(MEMORY);
    return mkdtempSync(join(MEMORY, PREFIX));
  } catch {
    return null;
  }
}

/** What servers that are gone have left in `memory`. */
export function removeLeft(memory: string): void {
  for (const name of readdirSync(memory))
    if (name.startsWith(PREFIX) && isLeft(join(memory, name)))
      rmSync(join(memory, name), { recursive: true, force: true });
}

/** Whether a server ran in it that is gone. One that is being made has written no number, or that of its maker below zero. */
function isLeft(data: string): boolean {
  try {
    const written = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(Math.abs(written), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
