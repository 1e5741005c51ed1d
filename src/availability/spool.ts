import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Files of uploads that wait, in a directory of this process. What is uploaded names people and their absences, so that
 * nobody else may read it, and it goes with the process at the latest.
 */
export type Spool = {
  /** Whether the disk is nearly full, so that nothing more should be put on it. */
  isFull(): boolean;
  /** A name for a new file; there is none yet. */
  file(): Promise<string>;
  /** Removes the directory and what is left in it. */
  clear(): Promise<void>;
};

const DIRECTORY = 'spool';

/** `dataDir` takes the files; where it cannot be written to, the system's directory for temporary files does. */
export function createSpool(dataDir: string, isFull: () => boolean = () => false): Spool {
  let own: Promise<string> | null = null;
  const directory = () => {
    own ??= makeOwn(join(dataDir, DIRECTORY)).catch(() => makeOwn(join(tmpdir(), `tocsin-${DIRECTORY}`)));
    return own;
  };
  return {
    isFull,
    file: async () => join(await directory(), randomBytes(12).toString('hex')),
    async clear() {
      const path = await own?.catch(() => null);
      own = null;
      if (path) await rm(path, { recursive: true, force: true });
    },
  };
}

async function makeOwn(spool: string): Promise<string> {
  const path = join(spool, `${hostname()}-${process.pid}-${randomBytes(6).toString('hex')}`);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return path;
}

/** Whatever an upload and its answer take, it is over by then. */
const LEFT_AFTER_MS = 24 * 60 * 60 * 1_000;

/** Removes what processes that are gone have left; called at a start, before this process spools anything. */
export async function removeLeftSpools(dataDir: string): Promise<void> {
  for (const spool of [join(dataDir, DIRECTORY), join(tmpdir(), `tocsin-${DIRECTORY}`)]) {
    const names = await readdir(spool).catch((): string[] => []);
    for (const name of names)
      if (await isLeft(spool, name))
        await rm(join(spool, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Several processes may share the directory, of one machine or of several. */
async function isLeft(spool: string, name: string): Promise<boolean> {
  const [, host, pid] = /^(.*)-(\d+)-[0-9a-f]+$/.exec(name) ?? [];
  if (host === hostname()) return Number(pid) === process.pid || !isAlive(Number(pid));
  const found = await stat(join(spool, name)).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > LEFT_AFTER_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Writes at most `most` bytes of a stream to a file and returns how many it had. Of one that has more the rest is read
 * all the same, and thrown away: a client hears the answer when it is done sending.
 */
export async function spoolTo(path: string, source: Readable, most: number): Promise<number> {
  let received = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      received += chunk.length;
      done(null, received <= most ? chunk : undefined);
    },
  });
  await pipeline(source, counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  return received;
}

/** The bytes of a spooled file, which is gone afterwards. */
export async function takeSpooled(path: string): Promise<Buffer> {
  const bytes = await readFile(path);
  await rm(path, { force: true });
  return bytes;
}

/** A spooled file as a stream; the file is gone when the stream is closed. */
export function streamSpooled(path: string): Readable {
  const stream = createReadStream(path);
  stream.once('close', () => void rm(path, { force: true }).catch(() => undefined));
  return stream;
}
