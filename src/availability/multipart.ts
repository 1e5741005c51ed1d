import { type FormField, MAX_FIELDS } from './form-field.ts';
import { Unreadable } from './unreadable.ts';

const BLANK = 0x20;
const TAB = 0x09;
const BLANK_LINE = '\r\n\r\n';
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Reads the parts of a multipart body (RFC 2046). Both `form-data` and `attachment` parts are fields: curl sends the
 * latter if Content-Type is set by hand, and form libraries skip them. Parts without a name are ignored.
 * @throws Unreadable if the closing boundary is missing, because the body was cut short
 */
export function readMultipart(body: Buffer, boundary: string): FormField[] {
  const line = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const fields: FormField[] = [];
  let delimiter = firstDelimiter(body, line);
  for (let parts = 1; !delimiter.isLast; parts++) {
    if (parts > MAX_FIELDS) throw new Unreadable(`the form has more than ${MAX_FIELDS} parts`);
    // The line end after one boundary may be the one before the next, in which case the part is empty.
    const next = delimiterAt(body, body.indexOf(line, delimiter.end - 2), line);
    if (!next) throw new Unreadable('the body ends before its closing boundary; send the whole body again');
    const field = readPart(body.subarray(delimiter.end, Math.max(delimiter.end, next.start)));
    if (field) fields.push(field);
    delimiter = next;
  }
  return fields;
}

/** A boundary line: `start` is the end of the part before it, `end` the start of the part after it. */
type Delimiter = { start: number; end: number; isLast: boolean };

/** The first boundary may be at the start of the body, without a line end before it. */
function firstDelimiter(body: Buffer, line: Buffer): Delimiter {
  const atOnce = body.subarray(0, line.length - 2).equals(line.subarray(2));
  const first = delimiterAt(body, atOnce ? -2 : body.indexOf(line), line);
  if (!first) throw new Unreadable('the body does not contain the boundary that Content-Type names');
  return first;
}

/** `start` is the position of the line end before the boundary; -1 if there is none. */
function delimiterAt(body: Buffer, start: number, line: Buffer): Delimiter | null {
  if (start === -1) return null;
  let end = start + line.length;
  if (body.toString('latin1', end, end + 2) === '--') return { start, end: end + 2, isLast: true };
  while (body[end] === BLANK || body[end] === TAB) end++;
  if (body.toString('latin1', end, end + 2) !== '\r\n')
    throw new Unreadable('a boundary line has text after the boundary; let your HTTP client build the body');
  return { start, end: end + 2, isLast: false };
}

function readPart(part: Buffer): FormField | null {
  // A part without headers begins with the second half of the blank line.
  const headEnd = part.subarray(0, 2).toString('latin1') === '\r\n' ? 0 : part.indexOf(BLANK_LINE);
  if (headEnd === -1 || headEnd > MAX_HEADER_BYTES) return null;
  const name = fieldName(part.toString('utf8', 0, headEnd));
  return name === null ? null : { name, value: part.subarray(headEnd + BLANK_LINE.length) };
}

function fieldName(head: string): string | null {
  const disposition = head.split('\r\n').find((line) => /^content-disposition:/i.test(line));
  if (!disposition) return null;
  return parameterOf(disposition, 'name');
}

/** A parameter of a header: `; name="value"` or `; name=value`, names in any case. */
export function parameterOf(header: string, wanted: string): string | null {
  for (const match of header.matchAll(/;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g)) {
    const [, name, quoted, bare] = match;
    if (name?.toLowerCase() === wanted) return quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '';
  }
  return null;
}
