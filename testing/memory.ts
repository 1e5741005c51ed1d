import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const PREFIX = 'tocsin-test-';
const GIB = 1024 ** 3;

/**
 * An empty directory in a memory file system, or null when there is none with enough free space. Each test file clones
 * a database, which is mostly writing, so tests take a third longer on a disk. First removes what killed runs left
 * there, because nothing else does.
 */
export function directoryInMemory(): string | null {
  try {
    if (!hasRoomInMemory()) return null;
    removeLeft(MEMORY);
    return mkdtempSync(join(MEMORY, PREFIX));
  } catch {
    return null;
  }
}

/** Whether there is a memory file system with enough free space for a database, or for what a browser shares. */
export function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= 4 * GIB;
  } catch {
    return false;
  }
}

/** Removes the data of servers that no longer run from `memory`. */
export function removeLeft(memory: string): void {
  for (const name of readdirSync(memory))
    if (name.startsWith(PREFIX) && isLeft(join(memory, name)))
      rmSync(join(memory, name), { recursive: true, force: true });
}

/**
 * Whether the server that used it no longer runs. While a server is being created, its pid file is missing or holds the
 * negated id of the process that creates it.
 */
function isLeft(data: string): boolean {
  try {
    const written = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(Math.abs(written), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
