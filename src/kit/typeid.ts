import { TypeID, typeidUnboxed } from 'typeid-js';

/** The prefixes of all ids (contract, section 2). */
const PREFIXES = [
  'organization',
  'organization_user',
  'team',
  'schedule',
  'shift',
  'override',
  'plan',
  'cover',
  'swap',
  'availability',
  'page',
  'refused_page',
  'moment',
  'request',
  'api_key',
  'webhook',
  'source',
  'window',
  'notification',
  'delivery',
  'contact_method',
  'message',
  'holiday_calendar',
  'calendar_feed',
  'availability_source',
  'session',
  'passkey',
  'invitation',
  'handoff',
  'saved_view',
  'lifeboat',
  'pay_table',
  'pay_period',
] as const;
export type Prefix = (typeof PREFIXES)[number];

/** A new id: prefix, `_` and a UUIDv7 in base32. Ids sort by time of creation. */
export function newId(prefix: Prefix): string {
  return typeidUnboxed(prefix);
}

/** Whether `text` is a well-formed id with this prefix; the object need not exist. */
export function isId(prefix: Prefix, text: string): boolean {
  try {
    return TypeID.fromString(text).getType() === prefix;
  } catch {
    return false;
  }
}

/** A random id that sorts as if it had been created at `at`. */
export function idAt(prefix: Prefix, at: Temporal.Instant): string {
  const bytes = TypeID.fromString(newId(prefix)).toUUIDBytes();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  view.setUint32(0, Math.floor(at.epochMilliseconds / 2 ** 16));
  view.setUint16(4, at.epochMilliseconds % 2 ** 16);
  return TypeID.fromUUIDBytes(prefix, bytes).toString();
}

/** The lowest possible id created at `at`, to query a time range as an id range. */
export function firstIdAt(prefix: Prefix, at: Temporal.Instant): string {
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(at.epochMilliseconds) << 16n);
  return TypeID.fromUUIDBytes(prefix, bytes).toString();
}
