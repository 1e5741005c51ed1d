import { TypeID, typeid } from 'typeid-js';

/** Prefixes of all identifiers, contract section 2. */
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
] as const;
export type Prefix = (typeof PREFIXES)[number];

/** A new identifier: prefix, `_`, UUIDv7 in base32. Later ones sort after earlier ones. */
export function newId(prefix: Prefix): string {
  return typeid(prefix).toString();
}

/** Whether `text` has the form of an identifier with this prefix; says nothing about its existence. */
export function isId(prefix: Prefix, text: string): boolean {
  try {
    return TypeID.fromString(text).getType() === prefix;
  } catch {
    return false;
  }
}

/** An identifier as it would have been made at `at`: it sorts among those of its time. */
export function idAt(prefix: Prefix, at: Temporal.Instant): string {
  const bytes = TypeID.fromString(newId(prefix)).toUUIDBytes();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  view.setUint32(0, Math.floor(at.epochMilliseconds / 2 ** 16));
  view.setUint16(4, at.epochMilliseconds % 2 ** 16);
  return TypeID.fromUUIDBytes(prefix, bytes).toString();
}

/** No identifier of this prefix that was made at `at` or later sorts before this one: a range of time as a range of ids. */
export function firstIdAt(prefix: Prefix, at: Temporal.Instant): string {
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(at.epochMilliseconds) << 16n);
  return TypeID.fromUUIDBytes(prefix, bytes).toString();
}
