import { FORMATS } from '../../../kit/validation.ts';
import { methodOf, WRITTEN_TYPES, type WrittenType } from '../../../notifications/channels/contract.ts';
import type { MethodDescription } from '../../../notifications/channels/description-contract.ts';
import { EMAIL_HINT, isEmail } from '../../../people/email.ts';
import { readPhone } from '../../../people/phone.ts';
import type { MethodEntry } from './definition.ts';
import { refuseDoubles } from './read-common.ts';
import type { Value } from './value.ts';

const KEYS = ['type', 'value', 'chat_user_id', 'signing_secret'] as const;

export function readContactMethods(value: Value | undefined): MethodEntry[] | undefined {
  const read = value?.list()?.flatMap((item) => {
    const entry = readContactMethod(item);
    return entry ? [{ item, entry }] : [];
  });
  if (!read) return undefined;
  refuseDoubles(
    read,
    ({ entry }) => `${entry.type} ${entry.value}`,
    ({ item }) => item.placed(null),
    (second, message) => read.find(({ item }) => item.path === second.path)?.item.problem(message),
  );
  return read.map(({ entry }) => entry);
}

function readContactMethod(value: Value): MethodEntry | undefined {
  const fields = value.fields('a contact method', KEYS);
  if (!fields) return undefined;
  const type = readType(fields.require('type', `one of ${WRITTEN_TYPES.join(', ')}`));
  const given = fields.require(
    'value',
    (type && methodOf(type).form?.example) ?? 'the number, address or URL',
  );
  const text = given && type ? READERS[type](given) : given?.written();
  const chatUserId = onlyFor(({ detail }) => detail !== null, type, fields.get('chat_user_id'))?.text();
  const signingSecret = readSigningSecret(
    onlyFor(({ signed }) => signed, type, fields.get('signing_secret')),
  );
  if (type === undefined || text === undefined) return undefined;
  return { type, value: text, chatUserId: chatUserId ?? null, signingSecret };
}

function readType(value: Value | undefined): WrittenType | undefined {
  if (value?.plain() !== 'push') return value?.choice(WRITTEN_TYPES);
  return value.problem('is push, which people set up in the dashboard on their own devices; leave it out');
}

function onlyFor(
  fits: (method: MethodDescription) => boolean,
  type: WrittenType | undefined,
  value: Value | undefined,
): Value | undefined {
  if (value === undefined || type === undefined || fits(methodOf(type))) return value;
  const owners = WRITTEN_TYPES.filter((one) => fits(methodOf(one))).join(' or ');
  return value.problem(
    `belongs to a contact method of type ${owners}, and this one is ${type}; leave it out`,
  );
}

const READERS: Record<WrittenType, (value: Value) => string | undefined> = {
  phone(value) {
    const text = value.written();
    if (text === undefined) return undefined;
    const reading = readPhone(text);
    return 'number' in reading
      ? reading.number
      : value.problem(`is ${JSON.stringify(text)}, which ${reading.problem}`);
  },
  email(value) {
    const text = value.text({ max: 320 })?.trim();
    if (text === undefined || isEmail(text)) return text;
    return value.problem(`is ${JSON.stringify(text)}; give ${EMAIL_HINT}`);
  },
  chat: (value) => value.text(),
  webhook(value) {
    const text = value.text({ max: 2_048 })?.trim();
    if (text === undefined) return undefined;
    if (!FORMATS['http-url']?.(text))
      return value.problem(`is ${JSON.stringify(text)}; give an http or https URL`);
    const { username, password } = new URL(text);
    if (!username && !password) return text;
    return value.problem('contains a user name or password; leave them out, every call is signed instead');
  },
};

/** As Standard Webhooks has them: `whsec_` and 24 to 64 bytes in base64. */
function readSigningSecret(value: Value | undefined): string | undefined {
  const text = value?.text();
  if (value === undefined || text === undefined) return undefined;
  const base64 = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1];
  const { length } = Buffer.from(base64 ?? '', 'base64');
  if (length >= 24 && length <= 64) return text;
  // The secret itself must not end up in a terminal's history or a build's log.
  return value.problem('is no signing secret; give whsec_ followed by 24 to 64 random bytes in base64');
}
