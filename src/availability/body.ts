import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';

/** Largest CSV file, in bytes. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** Largest request body: URL-encoding may triple the size, and other fields and boundaries are added. */
export const MAX_BODY_BYTES = 3 * MAX_FILE_BYTES + 64 * 1024;

export function tooLarge(): Fault {
  return new Fault('payload_too_large', [
    { field: 'file', message: t('is larger than 10 MiB; split it and upload the parts one after the other') },
  ]);
}
