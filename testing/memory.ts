import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const PREFIX = 'tocsin-test-';
const GIB = 1024 ** 3;

/**
 * An empty directory in a memory file system, or null when there is none with `leastBytes` of free space. Each test file clones
 * a database, which is mostly writing, so tests take a third longer on a disk. First removes what killed runs left
 * there, because nothing else does.
 */
export function directoryInMemory(leastBytes = 4 * GIB): string | null {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < leastBytes) return null;
    removeLeft(MEMORY);
    return mkdtempSync(join(MEMORY, PREFIX));
  } catch {
    return null;
  }
}

/**
 * The directory for temporary files of a whole run, in memory if that has room for them, else null. Tests start dozens of
 * durable databases and browsers, and would wait for a disk that writes everything.
 */
export function temporaryInMemory(): string | null {
  const directory = directoryInMemory(8 * GIB);
  if (!directory) return null;
  writeFileSync(join(directory, OWNERS.run), String(process.pid));
  // Like /tmp, because servers that root starts continue as another account.
  chmodSync(directory, 0o1777);
  return directory;
}

/** The files with the process that uses a directory. */
const OWNERS = { server: 'postmaster.pid', run: 'run.pid' } as const;

/** Removes the data of servers and runs that have ended from `memory`. */
export function removeLeft(memory: string): void {
  for (const name of readdirSync(memory))
    if (name.startsWith(PREFIX) && isLeft(join(memory, name)))
      rmSync(join(memory, name), { recursive: true, force: true });
}

/**
 * Whether the server or run that used it has ended. While a server is being created, its pid file is missing or holds the
 * negated id of the process that creates it.
 */
function isLeft(data: string): boolean {
  try {
    const owner = existsSync(join(data, OWNERS.run)) ? OWNERS.run : OWNERS.server;
    const written = Number(readFileSync(join(data, owner), 'utf8').split('\n')[0]);
    process.kill(Math.abs(written), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
