import { readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { socketIn } from './socket.ts';

/** What a running PostgreSQL tells about itself in `postmaster.pid`. */
export interface PostmasterFile {
  readonly pid: number;
  /** Empty until it has opened its socket. */
  readonly socketDirectory: string;
  /** Empty at first, then `starting`, `ready`, `stopping`, … */
  readonly status: string;
}

/** Undefined when there is none, or one that was written half. */
export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  const lines = readLines(join(cluster, 'postmaster.pid'));
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, socketDirectory: lines[4] ?? '', status: lines[7] ?? '' };
}

/** The command line with which it was started. */
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
 * Removes what a PostgreSQL that died has left. PostgreSQL would do so by itself unless some other process has its
 * number by now, which is the rule in a container that was started again. Only for who knows that none is running.
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
