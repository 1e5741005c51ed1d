import { type FormField, MAX_FIELDS } from './form-field.ts';
import { Unreadable } from './unreadable.ts';

const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PLUS = 0x2b;
const PERCENT = 0x25;
const SPACE = 0x20;
const LINE_FEED = 0x0a;

/** Reads `name=value&…` into bytes; the reader of a value checks whether they are UTF-8. */
export function readUrlencoded(body: Buffer): FormField[] {
  const fields: FormField[] = [];
  for (let from = 0; from < body.length; ) {
    const next = body.indexOf(AMPERSAND, from);
    const end = next === -1 ? body.length : next;
    if (end > from) fields.push(readPair(body.subarray(from, end)));
    if (fields.length > MAX_FIELDS) throw new Unreadable(`the form has more than ${MAX_FIELDS} fields`);
    from = end + 1;
  }
  return fields;
}

function readPair(pair: Buffer): FormField {
  const equals = pair.indexOf(EQUALS);
  const name = equals === -1 ? pair : pair.subarray(0, equals);
  // Unencoded text is split at its first "&". Reject it, so that half of a file is never taken for a whole one.
  if (name.includes(LINE_FEED))
    throw new Unreadable('the CSV text is not URL-encoded; with curl use --data-urlencode file@absences.csv');
  return {
    name: decode(name).toString('utf8'),
    value: equals === -1 ? Buffer.alloc(0) : decode(pair.subarray(equals + 1)),
  };
}

/** `+` is a blank and `%41` an A; a `%` without two hex digits stays as it is, as in browsers. */
function decode(bytes: Buffer): Buffer {
  const decoded = Buffer.alloc(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    const escaped = byte === PERCENT ? hexByte(bytes[at + 1], bytes[at + 2]) : null;
    decoded[length++] = escaped ?? (byte === PLUS ? SPACE : byte);
    if (escaped !== null) at += 2;
  }
  return decoded.subarray(0, length);
}

function hexByte(high: number | undefined, low: number | undefined): number | null {
  const [h, l] = [hexDigit(high), hexDigit(low)];
  return h === null || l === null ? null : h * 16 + l;
}

function hexDigit(code: number | undefined): number | null {
  if (code === undefined) return null;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : null;
}
