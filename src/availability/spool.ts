import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Files of waiting uploads, in a directory of this process. Uploads contain people's absences, so only this process's
 * user can read them, and they are deleted when the process ends at the latest.
 */
export type Spool = {
  /** Whether the disk is nearly full, so that uploads should be refused. */
  isFull(): boolean;
  /** A path for a new file, which does not exist yet. */
  file(): Promise<string>;
  /** Deletes the directory and its files. */
  clear(): Promise<void>;
};

const DIRECTORY = 'spool';

/** Files are stored in `dataDir`, or in the system's temporary directory if that is not writable. */
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

/** Every upload has ended after this time, including its answer. */
const LEFT_AFTER_MS = 24 * 60 * 60 * 1_000;

/** Deletes files left by processes that have ended. Call it at startup, before this process spools anything. */
export async function removeLeftSpools(dataDir: string): Promise<void> {
  for (const spool of [join(dataDir, DIRECTORY), join(tmpdir(), `tocsin-${DIRECTORY}`)]) {
    const names = await readdir(spool).catch((): string[] => []);
    for (const name of names)
      if (await isLeft(spool, name))
        await rm(join(spool, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Several processes may share the directory, on one machine or on several. */
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
 * Writes at most `most` bytes of a stream to a file and returns the size of the stream. Bytes beyond that are read and
 * discarded, because clients read the answer only after they have sent everything.
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

/** Reads a spooled file and deletes it. */
export async function takeSpooled(path: string): Promise<Buffer> {
  const bytes = await readFile(path);
  await rm(path, { force: true });
  return bytes;
}

/** Streams a spooled file, which is deleted when the stream closes. */
export function streamSpooled(path: string): Readable {
  const stream = createReadStream(path);
  stream.once('close', () => void rm(path, { force: true }).catch(() => undefined));
  return stream;
}
