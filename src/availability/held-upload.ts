import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import type { Admission, Admitted } from './admission.ts';
import type { Answer, FinishedAnswer } from './answer.ts';
import { type Spool, spoolTo, streamSpooled, takeSpooled } from './spool.ts';

/** How long a client may stop reading its answer before the connection is closed. */
const UNREAD_MS = 60_000;

/** An upload from its first byte to the last byte of its answer: its admission, its files, and its connection. */
export type HeldUpload = {
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** Writes the body to the disk and returns its size in bytes. */
  receive(body: Readable, most: number): Promise<number>;
  /** Keeps a body that was received into memory. */
  keep(body: Buffer<ArrayBuffer>): void;
  /** The size of the body in bytes. */
  size(): number;
  /** The body; can be read once. */
  body(): Promise<Buffer>;
  /** Writes a large answer to the disk, so that its rows can be freed before the client has read it. */
  finish(answer: Answer): Promise<FinishedAnswer>;
  /** Passes the body to a thread, and takes over its answer: a text, or the size in bytes of the file that it wrote. */
  passOn(
    work: (
      body: Buffer<ArrayBuffer> | string,
      answerPath: string,
    ) => Promise<{ status: number; content: string | number }>,
  ): Promise<FinishedAnswer>;
};

/**
 * Holds an upload until its answer is sent or its client disconnects.
 * @throws Fault 503 if too many are held
 */
export function holdUpload(
  { admission, spool }: { admission: Admission; spool: Spool },
  request: FastifyRequest,
  reply: FastifyReply,
  mostBytes: number,
): HeldUpload {
  if (spool.isFull()) throw diskFull();
  const declared = Number(request.headers['content-length'] ?? mostBytes);
  const admitted = admission.enter(Math.min(declared, mostBytes));
  const gone = new AbortController();
  const files: string[] = [];
  let writing: Promise<unknown> = Promise.resolve();
  const spooled = async (source: Readable, most: number): Promise<[path: string, bytes: number]> => {
    const path = await spool.file();
    files.push(path);
    return [path, await spoolTo(path, source, most)];
  };
  const write = (source: Readable, most: number) => {
    const written = spooled(source, most);
    writing = written.catch(() => undefined);
    return written;
  };
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(clientLeft());
    // A file that is still being written would reappear after it was deleted.
    void writing.then(() => release(admitted, files));
  });
  let received: string | Buffer<ArrayBuffer> = Buffer.alloc(0);
  let size = 0;
  const streamed = (status: number, path: string, bytes: number): FinishedAnswer => {
    admitted.resize(bytes);
    reply.raw.setTimeout(UNREAD_MS, () => reply.raw.destroy());
    gone.signal.throwIfAborted();
    return { status, body: streamSpooled(path) };
  };
  return {
    signal: gone.signal,
    async receive(body, most) {
      [received, size] = await write(body, most);
      admitted.resize(Math.min(size, most));
      return size;
    },
    keep(body) {
      [received, size] = [body, body.length];
    },
    size: () => size,
    async body() {
      const bytes = typeof received === 'string' ? await takeSpooled(received) : received;
      admitted.resize(0);
      return bytes;
    },
    async finish({ status, body: render }) {
      const body = render();
      if (!(body instanceof Readable)) return { status, body };
      return streamed(status, ...(await write(body, Number.POSITIVE_INFINITY)));
    },
    async passOn(work) {
      const path = await spool.file();
      files.push(path);
      const working = work(received, path);
      writing = working.catch(() => undefined);
      const { status, content } = await working;
      return typeof content === 'string' ? { status, body: content } : streamed(status, path, content);
    },
  };
}

async function release(admitted: Admitted, files: readonly string[]): Promise<void> {
  for (const path of files) await rm(path, { force: true }).catch(() => undefined);
  admitted.leave();
}

/** Ends the work; nobody receives it. */
function clientLeft(): Fault {
  return new Fault('unavailable', [
    { field: 'upload', message: t('was cut off by the client, and nothing was saved; send it again') },
  ]);
}

function diskFull(): Fault {
  const message = t(
    'are refused while the disk of the server is nearly full, and nothing was saved; send the file again later',
  );
  return new Fault('unavailable', [{ field: 'uploads', message }], { 'retry-after': '60' });
}
