import { readFileSync, statfsSync, statSync } from 'node:fs';

/** Whether a message of the system or of PostgreSQL says that there is no space left. */
export function isFullDisk(message: string): boolean {
  return /No space left on device|ENOSPC|Disk quota exceeded|EDQUOT/i.test(message);
}

/** The free space below which PostgreSQL cannot start: it wants a new WAL segment of 16 MB and some room. */
const NEEDED_BYTES = 24 * 1024 * 1024;

/**
 * Why PostgreSQL did not start, for people: the cause and the fix in one sentence.
 * @param output what it said, newest last
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

/** The last line that says what is wrong, without time and severity. */
function lastComplaint(output: string): string | undefined {
  const lines = output.split('\n').filter((line) => /\b(FATAL|PANIC|ERROR|error)\b/.test(line));
  return lines
    .at(-1)
    ?.replace(/^.*?\b(FATAL|PANIC|ERROR|error):\s*/, '')
    .trim();
}

/** What was added to a log file since it had `offset` bytes. */
export function readFrom(file: string, offset: number): string {
  const content = readFileSync(file);
  // It was cut off in the meantime when it is shorter.
  return content.subarray(content.length < offset ? 0 : offset).toString('utf8');
}

export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
