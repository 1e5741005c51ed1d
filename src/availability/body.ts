import type { Readable } from 'node:stream';
import { Fault } from '../kit/fault.ts';

/** Largest CSV file, in bytes. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** URL-encoding makes three bytes of one; the other fields and the boundaries come on top. */
const MAX_BODY_BYTES = 3 * MAX_FILE_BYTES + 64 * 1024;

/** Reads a whole body. One that is too large is a 413 fault. */
export async function readBody(payload: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let received = 0;
  // Of one that is too large the rest is read all the same: a client hears the answer when it is done sending.
  for await (const chunk of payload as AsyncIterable<Buffer>) {
    received += chunk.length;
    if (received <= MAX_BODY_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (received > MAX_BODY_BYTES) throw tooLarge();
  return Buffer.concat(chunks, received);
}

export function tooLarge(): Fault {
  return new Fault('payload_too_large', [
    { field: 'file', message: 'is larger than 10 MiB; split it and upload the parts one after the other' },
  ]);
}
