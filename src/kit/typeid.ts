import { TypeID, typeid } from 'typeid-js';

/** Prefixes of all identifiers, contract section 2. */
const PREFIXES = [
  'organization',
  'organization_user',
  'team',
  'schedule',
  'shift',
  'override',
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
