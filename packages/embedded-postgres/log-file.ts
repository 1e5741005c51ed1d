import { copyFileSync, truncateSync } from 'node:fs';
import { sizeOf } from './explain.ts';

const LIMIT_BYTES = 8 * 1024 * 1024;

/**
 * Limits the size of PostgreSQL's log: when it exceeds the limit, its content moves to `postgres.log.1`. PostgreSQL
 * keeps the file open, so it is copied and truncated in place.
 */
export function boundLog(file: string, limitBytes = LIMIT_BYTES): void {
  if (sizeOf(file) <= limitBytes) return;
  try {
    copyFileSync(file, `${file}.1`);
  } catch {
    // The disk is full, so free space matters more than old messages.
  }
  truncateSync(file);
}
