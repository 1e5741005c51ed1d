import { createHash, type Hmac, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Sealing } from '../../kit/sealing.ts';
import type { Table } from './catalog.ts';

/**
 * A backup is gzipped text: a header line, then each table as the text of a COPY, then a line with the number of rows
 * of each table, a SHA-256 of everything before it, and an HMAC of the same with a key derived from the secret key. It
 * can be read with `zcat`. No part of it is executed: names of tables and columns are looked up in the schema, and rows
 * go through COPY, which accepts only data.
 */
export type Header = {
  format: 1;
  /** The version of Tocsin that wrote it. */
  version: string;
  madeAt: string;
  postgres: string;
  /** The migrations that made the schema; a restore starts with the same ones. */
  migrations: readonly { name: string; checksum: string }[];
  /** The service's keys, encrypted with a passphrase. Null: they have to be kept separately. */
  keys: string | null;
  /** Identifies the key that authenticates it; absent if no key was available, or in backups of earlier releases. */
  signedBy?: string;
};

export type Trailer = {
  rows: Record<string, number>;
  sha256: string;
  /** Over everything before the line with the row counts. */
  hmac?: string;
};

/** The HMAC of a backup, with a key derived for this purpose only. */
export function backupHmac(sealing: Sealing): Hmac {
  return sealing.authenticate('backup');
}

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

export function tableLine(table: Table): string {
  return `copy ${nameAndColumns(table)} from stdin;\n`;
}

export function nameAndColumns({ name, columns }: Table): string {
  return `${quoted(name)} (${columns.map(quoted).join(', ')})`;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export type Part =
  | { kind: 'header'; header: Header }
  /** A table begins. Its names come from the file: look them up before use. */
  | { kind: 'table'; table: Table }
  /** Whole rows of the last table. */
  | { kind: 'rows'; rows: Buffer }
  | { kind: 'end of table' }
  | { kind: 'trailer'; trailer: Trailer };

/**
 * Reads a whole backup. With `sealing`, it must have been written with the same secret key.
 * @throws BackupFault, at the end at the latest, when it is not a backup, is cut off, was changed or is not authentic
 */
export async function* readBackup(path: string, sealing: Sealing | null): AsyncGenerator<Part> {
  const seen = createSeen(sealing);
  let inTable = false;
  let ended = false;
  for await (const lines of wholeLines(path)) {
    let rest = lines;
    while (rest.length > 0) {
      if (ended) throw damaged(path, 'it has data after its end');
      if (inTable) {
        const [rows, after] = upToEndOfTable(rest);
        seen.update(after ? rest.subarray(0, rest.length - after.length) : rest);
        if (rows.length > 0) yield { kind: 'rows', rows };
        if (after) yield { kind: 'end of table' };
        inTable = !after;
        rest = after ?? Buffer.alloc(0);
        continue;
      }
      const newline = rest.indexOf('\n') + 1;
      const line = rest.subarray(0, newline);
      const part = readLine(path, line.toString('utf8'));
      if (part.kind === 'trailer') seen.check(path, part.trailer);
      else seen.update(line);
      yield part;
      inTable = part.kind === 'table';
      ended = part.kind === 'trailer';
      rest = rest.subarray(newline);
    }
  }
  if (!ended) throw damaged(path, 'its end is missing');
}

/** The checksum and HMAC of what was read so far. */
function createSeen(sealing: Sealing | null) {
  const hash = createHash('sha256');
  const hmac = sealing && backupHmac(sealing);
  return {
    update(bytes: Buffer) {
      hash.update(bytes);
      hmac?.update(bytes);
    },
    check(path: string, trailer: Trailer) {
      if (trailer.sha256 !== hash.digest('hex')) throw damaged(path, 'its checksum does not match');
      if (!hmac) return;
      const right = hmac.update(JSON.stringify(trailer.rows)).digest();
      const given = Buffer.from(trailer.hmac ?? '', 'hex');
      if (given.length !== right.length || !timingSafeEqual(given, right)) throw notAuthentic(path);
    },
  };
}

/** Reads only the first line, which is not authenticated. */
export async function readHeader(path: string): Promise<Header> {
  for await (const part of readBackup(path, null)) {
    if (part.kind === 'header') return part.header;
    break;
  }
  throw notOne(path);
}

/** Reads all of it first, so that a restore never starts with a damaged backup. */
export async function checkBackup(
  path: string,
  sealing: Sealing | null,
): Promise<{ header: Header; trailer: Trailer }> {
  let header: Header | undefined;
  let trailer: Trailer | undefined;
  for await (const part of readBackup(path, sealing)) {
    if (part.kind === 'header') header = part.header;
    else if (!header) throw notOne(path);
    if (part.kind === 'trailer') trailer = part.trailer;
  }
  if (!header || !trailer) throw notOne(path);
  return { header, trailer };
}

function readLine(path: string, line: string): Part {
  if (line.startsWith('copy ')) return { kind: 'table', table: readTableLine(path, line) };
  if (line.startsWith(LAST)) return { kind: 'trailer', trailer: readTrailer(path, line) };
  if (line.startsWith(FIRST)) return { kind: 'header', header: readHeaderLine(path, line) };
  throw notOne(path);
}

const NAME = /"((?:[^"]|"")+)"/.source;
const TABLE_LINE = new RegExp(`^copy ${NAME} \\((${NAME}(?:, ${NAME})*)\\) from stdin;\n$`);

function readTableLine(path: string, line: string): Table {
  const [, name, columns] = TABLE_LINE.exec(line) ?? [];
  if (name === undefined || columns === undefined)
    throw damaged(path, 'a table in it has an invalid beginning');
  const names = [...columns.matchAll(new RegExp(NAME, 'g'))].map(([, column = '']) => column);
  return { name: unquoted(name), columns: names.map(unquoted) };
}

function unquoted(name: string): string {
  return name.replaceAll('""', '"');
}

function readTrailer(path: string, line: string): Trailer {
  const value = readJson(path, line.slice(LAST.length));
  const { rows, sha256, hmac } = value;
  const counts = typeof rows === 'object' && rows !== null ? Object.values(rows) : null;
  if (!counts?.every(Number.isSafeInteger) || typeof sha256 !== 'string' || !isTextOrAbsent(hmac))
    throw damaged(path, 'its last line is invalid');
  return value as Trailer;
}

function readHeaderLine(path: string, line: string): Header {
  const value = readJson(path, line.slice(FIRST.length));
  const { format, version, madeAt, migrations, keys, signedBy } = value;
  // They are shown to people, so no other characters are allowed.
  if (typeof version !== 'string' || !/^[\w.+-]{1,50}$/.test(version)) throw notOne(path);
  if (format !== 1)
    throw new BackupFault(
      `${path} was written by Tocsin ${version} in a form that this version does not know; use that version.`,
    );
  const isMigration = (one: unknown) =>
    typeof one === 'object' && one !== null && /^[\w.]{1,200}$/.test((one as { name?: string }).name ?? '');
  const right =
    typeof madeAt === 'string' &&
    /^[\dTZ:.-]{1,40}$/.test(madeAt) &&
    Array.isArray(migrations) &&
    migrations.every(isMigration) &&
    (keys === null || typeof keys === 'string') &&
    isTextOrAbsent(signedBy);
  if (!right) throw notOne(path);
  return value as Header;
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function readJson(path: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // The file is not a backup.
  }
  throw notOne(path);
}

/** The rows before the line that ends a table, and the text after it; null while that line has not been read. */
function upToEndOfTable(lines: Buffer): [Buffer, Buffer | null] {
  const length = END_OF_TABLE.length;
  if (lines.subarray(0, length).equals(Buffer.from(END_OF_TABLE)))
    return [Buffer.alloc(0), lines.subarray(length)];
  const at = lines.indexOf(`\n${END_OF_TABLE}`);
  return at < 0 ? [lines, null] : [lines.subarray(0, at + 1), lines.subarray(at + 1 + length)];
}

/** No row is that long. Without a limit, a small file could unpack to more than the memory holds. */
const LONGEST_LINE_BYTES = 256 * 1024 * 1024;

/** Chunks that end at the end of a line. */
async function* wholeLines(path: string): AsyncGenerator<Buffer> {
  const unpacked = createGunzip();
  const reading = pipeline(createReadStream(path), unpacked);
  // The consumer gets this error; this only prevents an unhandled rejection.
  reading.catch(() => undefined);
  const pieces: Buffer[] = [];
  let held = 0;
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      const newline = chunk.lastIndexOf('\n') + 1;
      if (newline === 0) {
        pieces.push(chunk);
        held += chunk.length;
        if (held > LONGEST_LINE_BYTES) throw damaged(path, 'a line in it is longer than 256 MiB');
        continue;
      }
      yield Buffer.concat([...pieces, chunk.subarray(0, newline)]);
      pieces.length = 0;
      pieces.push(chunk.subarray(newline));
      held = chunk.length - newline;
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
  return new BackupFault(`${path} is not a backup of Tocsin; give a file that tocsin backup has written.`);
}

function damaged(path: string, how: string): BackupFault {
  return new BackupFault(`${path} is damaged: ${how}. Nothing was restored; use another backup.`);
}

function notAuthentic(path: string): BackupFault {
  return new BackupFault(
    `${path} was changed after it was written, or was not written with this secret key. Nothing was restored; use another backup.`,
  );
}
