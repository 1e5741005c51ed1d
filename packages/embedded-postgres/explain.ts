import { readFileSync, statfsSync, statSync } from 'node:fs';

/** Whether a message of the operating system or of PostgreSQL reports a full disk. */
export function isFullDisk(message: string): boolean {
  return /No space left on device|ENOSPC|Disk quota exceeded|EDQUOT/i.test(message);
}

/** The free space below which PostgreSQL cannot start: it needs a new WAL segment of 16 MB and some reserve. */
const NEEDED_BYTES = 24 * 1024 * 1024;

/**
 * Why PostgreSQL did not start: the cause and the fix in one sentence.
 * @param output PostgreSQL's messages, oldest first
 */
export function explainFailedStart(output: string, places: { directory: string; log: string }): string {
  if (isFullDisk(output) || freeBytes(places.directory) < NEEDED_BYTES) {
    return (
      `The disk that holds the database (${places.directory}) is full, so PostgreSQL cannot start. ` +
      'Free some space; nothing that was accepted is lost.'
    );
  }
  const cause = lastComplaint(output);
  return `PostgreSQL did not start: ${cause ?? 'it ended without a word'}. Its messages are in ${places.log}.`;
}

function freeBytes(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** The last line that reports a failure, without time and severity. */
function lastComplaint(output: string): string | undefined {
  const lines = output.split('\n').filter((line) => /\b(FATAL|PANIC|ERROR|error)\b/.test(line));
  return lines
    .at(-1)
    ?.replace(/^.*?\b(FATAL|PANIC|ERROR|error):\s*/, '')
    .trim();
}

/** The text that was appended to a log file after `offset` bytes. */
export function readFrom(file: string, offset: number): string {
  const content = readFileSync(file);
  // If the file is shorter, it was truncated in the meantime.
  return content.subarray(content.length < offset ? 0 : offset).toString('utf8');
}

export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
