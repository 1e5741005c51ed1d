import { ROLES } from '../../../people/contract.ts';
import type { UserEntry } from './definition.ts';
import type { Placed } from './place.ts';
import { readEmail, readTimeZone } from './read-common.ts';
import { readContactMethods } from './read-contact-method.ts';
import { readRules } from './read-rules.ts';
import type { Value } from './value.ts';

const KEYS = [
  'email',
  'name',
  'username',
  'role',
  'time_zone',
  'contact_methods',
  'notification_rules',
] as const;

export function readUser(value: Value): UserEntry | undefined {
  const fields = value.fields('a user', KEYS);
  if (!fields) return undefined;
  const email = readEmail(fields.require('email', 'an email address such as ada@example.com'));
  const name = fields.get('name')?.text();
  const username = readUsername(fields.get('username'));
  const role = fields.get('role')?.choice(ROLES);
  const timeZone = readTimeZone(fields.get('time_zone'));
  const contactMethods = readContactMethods(fields.get('contact_methods'));
  const rules = readRules(fields.get('notification_rules'));
  return email && { email, name, username, role, timeZone, contactMethods, rules };
}

function readUsername(value: Value | undefined): Placed<string> | undefined {
  const text = value?.text({ max: 100 });
  if (value === undefined || text === undefined) return undefined;
  if (/[\s@]/.test(text)) return value.problem(`is ${JSON.stringify(text)}; leave out blanks and @`);
  return value.placed(text);
}
