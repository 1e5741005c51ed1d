import { Fault } from '../kit/fault.ts';

/** Largest CSV file, in bytes. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** Largest body: URL-encoding makes three bytes of one; the other fields and the boundaries come on top. */
export const MAX_BODY_BYTES = 3 * MAX_FILE_BYTES + 64 * 1024;

export function tooLarge(): Fault {
  return new Fault('payload_too_large', [
    { field: 'file', message: 'is larger than 10 MiB; split it and upload the parts one after the other' },
  ]);
}
