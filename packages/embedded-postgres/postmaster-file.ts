import { readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { socketIn } from './socket.ts';

/** What a running PostgreSQL writes to `postmaster.pid`. */
export interface PostmasterFile {
  readonly pid: number;
  /** Empty until the socket is open. */
  readonly socketDirectory: string;
  /** Empty at first, then `starting`, `ready`, `stopping`, … */
  readonly status: string;
}

/** Undefined when the file is missing or incomplete. */
export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  const lines = readLines(join(cluster, 'postmaster.pid'));
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, socketDirectory: lines[4] ?? '', status: lines[7] ?? '' };
}

/** The command line that started it. */
export function readPostmasterOptions(cluster: string): string {
  return readLines(join(cluster, 'postmaster.opts')).join('\n');
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim());
  } catch {
    return [];
  }
}

/**
 * Removes files of a PostgreSQL that died. PostgreSQL does so itself unless another process has its id by now, which is
 * usual in a restarted container. Call it only when no PostgreSQL is running.
 */
export function removeStaleFiles(cluster: string, socketDirectory: string): void {
  const socket = socketIn(socketDirectory);
  for (const file of [join(cluster, 'postmaster.pid'), socket, `${socket}.lock`]) removeIfThere(file);
}

function removeIfThere(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
