import { copyFileSync, truncateSync } from 'node:fs';
import { sizeOf } from './explain.ts';

const LIMIT_BYTES = 8 * 1024 * 1024;

/**
 * Keeps PostgreSQL's log bounded: when it has grown past the limit it moves to `postgres.log.1` and starts again.
 * PostgreSQL appends to the open file, so it is copied and emptied in place.
 */
export function boundLog(file: string, limitBytes = LIMIT_BYTES): void {
  if (sizeOf(file) <= limitBytes) return;
  try {
    copyFileSync(file, `${file}.1`);
  } catch {
    // A full disk: space matters more than old messages.
  }
  truncateSync(file);
}
