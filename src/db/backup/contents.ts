import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/**
 * A backup is gzipped text: one line that says what it is, then each table as the block of a COPY, then a line with the
 * rows of each table and a SHA-256 over everything before. People can read it with `zcat`; nothing but PostgreSQL's own
 * text form, which every version reads, is in it.
 */
export type Header = {
  format: 1;
  /** Of the Tocsin that wrote it. */
  version: string;
  madeAt: string;
  postgres: string;
  /** What the schema was made by; restoring begins with the same files. */
  migrations: readonly { name: string; checksum: string }[];
  /** The service's keys, sealed with a passphrase; null: they have to be kept beside it. */
  keys: string | null;
};

export type Trailer = { rows: Record<string, number>; sha256: string };

export class BackupFault extends Error {
  override name = 'BackupFault';
}

const FIRST = '-- tocsin backup ';
const LAST = '-- end ';
export const END_OF_TABLE = '\\.\n';

export function headerLine(header: Header): string {
  return `${FIRST}${JSON.stringify(header)}\n`;
}

export function trailerLine(trailer: Trailer): string {
  return `${LAST}${JSON.stringify(trailer)}\n`;
}

export type Part =
  | { kind: 'header'; header: Header }
  /** The statement that begins a table, as it was written. */
  | { kind: 'table'; statement: string }
  /** Whole rows of the table before. */
  | { kind: 'rows'; rows: Buffer }
  | { kind: 'end of table' }
  | { kind: 'trailer'; trailer: Trailer };

/**
 * Reads a backup from its beginning to its end.
 * @throws BackupFault when it is none, is cut off or was changed: at the end at the latest
 */
export async function* readBackup(path: string): AsyncGenerator<Part> {
  const hash = createHash('sha256');
  let inTable = false;
  let ended = false;
  for await (const lines of wholeLines(path)) {
    let rest = lines;
    while (rest.length > 0) {
      if (ended) throw damaged(path, 'there is something after its end');
      if (inTable) {
        const [rows, after] = upToEndOfTable(rest);
        const taken = after ? rest.subarray(0, rest.length - after.length) : rest;
        hash.update(taken);
        if (rows.length > 0) yield { kind: 'rows', rows };
        if (after) yield { kind: 'end of table' };
        inTable = !after;
        rest = after ?? Buffer.alloc(0);
        continue;
      }
      const newline = rest.indexOf('\n') + 1;
      const line = rest.subarray(0, newline);
      const part = readLine(path, line.toString('utf8'));
      if (part.kind === 'trailer' && part.trailer.sha256 !== hash.copy().digest('hex'))
        throw damaged(path, 'its checksum is another');
      hash.update(line);
      yield part;
      inTable = part.kind === 'table';
      ended = part.kind === 'trailer';
      rest = rest.subarray(newline);
    }
  }
  if (!ended) throw damaged(path, 'its end is missing');
}

/** Reads all of it, so that nothing is begun with a backup that cannot be brought to its end. */
export async function checkBackup(path: string): Promise<{ header: Header; trailer: Trailer }> {
  let header: Header | undefined;
  let trailer: Trailer | undefined;
  for await (const part of readBackup(path)) {
    if (part.kind === 'header') header = part.header;
    else if (!header) throw notOne(path);
    if (part.kind === 'trailer') trailer = part.trailer;
  }
  if (!header || !trailer) throw notOne(path);
  return { header, trailer };
}

function readLine(path: string, line: string): Part {
  if (line.startsWith('copy ')) return { kind: 'table', statement: line.trimEnd() };
  if (line.startsWith(LAST)) return { kind: 'trailer', trailer: JSON.parse(line.slice(LAST.length)) };
  if (!line.startsWith(FIRST)) throw notOne(path);
  const header = JSON.parse(line.slice(FIRST.length)) as Header;
  if (header.format === 1) return { kind: 'header', header };
  throw new BackupFault(
    `${path} was written by Tocsin ${header.version} in a form that this version does not know; use that version.`,
  );
}

/** The rows before the line that ends a table, and what comes after it; null while that line has not come. */
function upToEndOfTable(lines: Buffer): [Buffer, Buffer | null] {
  const length = END_OF_TABLE.length;
  if (lines.subarray(0, length).equals(Buffer.from(END_OF_TABLE)))
    return [Buffer.alloc(0), lines.subarray(length)];
  const at = lines.indexOf(`\n${END_OF_TABLE}`);
  return at < 0 ? [lines, null] : [lines.subarray(0, at + 1), lines.subarray(at + 1 + length)];
}

/** Pieces that end where a line ends. */
async function* wholeLines(path: string): AsyncGenerator<Buffer> {
  const unpacked = createGunzip();
  const reading = pipeline(createReadStream(path), unpacked);
  // Whoever iterates hears of it; here it must only not be an unhandled rejection.
  reading.catch(() => undefined);
  const pieces: Buffer[] = [];
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      const newline = chunk.lastIndexOf('\n') + 1;
      if (newline === 0) {
        pieces.push(chunk);
        continue;
      }
      yield Buffer.concat([...pieces, chunk.subarray(0, newline)]);
      pieces.length = 0;
      pieces.push(chunk.subarray(newline));
    }
  } catch (error) {
    throw explainReading(path, error);
  }
  if (pieces.some((piece) => piece.length > 0)) throw damaged(path, 'its end is missing');
}

function explainReading(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') return damaged(path, 'its end is missing');
  if (code?.startsWith('Z_')) return notOne(path);
  if (code === 'ENOENT') return new BackupFault(`There is no ${path}; give the path of a backup.`);
  if (code === 'EACCES' || code === 'EISDIR')
    return new BackupFault(`${path} cannot be read (${code}); give the path of a backup that you may read.`);
  return error;
}

function notOne(path: string): BackupFault {
  return new BackupFault(`${path} is no backup of Tocsin; give a file that tocsin backup has written.`);
}

function damaged(path: string, how: string): BackupFault {
  return new BackupFault(`${path} is damaged: ${how}. Nothing was restored; use another backup.`);
}
