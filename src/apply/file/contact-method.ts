import type { Detail } from '../../kit/fault.ts';
import type { EventTopic } from '../../notices/contract.ts';
import { methodOf, WRITTEN_TYPES, type WrittenType } from '../../notifications/channels/contract.ts';
import type { MethodDescription } from '../../notifications/channels/description-contract.ts';
import { methodReader } from '../../notifications/channels/registry.ts';
import type { ContactMethodEntry } from './shape.ts';

export type WrittenMethod = {
  type: WrittenType;
  value: string;
  chatUserId: string | null;
  /** `whsec_…`; undefined: keep the current one, or generate one. */
  signingSecret: string | undefined;
  /** Undefined: keep the current ones. */
  events: readonly EventTopic[] | undefined;
};

/** Reads a contact method of the file, or returns all its errors. */
export function readContactMethod(
  entry: ContactMethodEntry,
): { method: WrittenMethod } | { problems: Detail[] } {
  const { value, chat_user_id: chatUserId, signing_secret: signingSecret, events } = entry;
  const type = WRITTEN_TYPES.find((one) => one === entry.type);
  if (!type) return { problems: [{ field: 'type', message: typeProblem(entry.type) }] };
  // Private addresses are accepted here; whether they are allowed is decided when sending.
  const read = methodReader(type).value(value.trim(), true);
  const problems: Detail[] = [
    ...('problem' in read ? [{ field: 'value', message: read.problem }] : []),
    ...onlyFor(({ detail }) => detail !== null, type, 'chat_user_id', chatUserId),
    ...onlyFor(({ signed }) => signed, type, 'signing_secret', signingSecret),
    ...onlyFor(({ signed }) => signed, type, 'events', events),
  ];
  if (methodOf(type).signed && signingSecret !== undefined && !isSigningSecret(signingSecret))
    // Do not show the secret, which would stay in the terminal's history or a build log.
    problems.push({
      field: 'signing_secret',
      message: 'is not a signing secret; give whsec_ followed by 24 to 64 random bytes in base64',
    });
  if ('problem' in read || problems.length > 0) return { problems };
  return {
    method: { type, value: read.value, chatUserId: chatUserId?.trim() || null, signingSecret, events },
  };
}

function typeProblem(type: string): string {
  return type === 'push'
    ? 'is push, which people set up in the dashboard on their own devices; leave it out'
    : `is ${JSON.stringify(type)}; give one of ${WRITTEN_TYPES.join(', ')}`;
}

function onlyFor(
  fits: (method: MethodDescription) => boolean,
  type: WrittenType,
  field: string,
  value: unknown,
): Detail[] {
  if (value === undefined || fits(methodOf(type))) return [];
  const owners = WRITTEN_TYPES.filter((one) => fits(methodOf(one))).join(' or ');
  const message = `belongs to a contact method of type ${owners}, and this one is ${type}; leave it out`;
  return [{ field, message }];
}

/** The format of Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. */
function isSigningSecret(text: string): boolean {
  const base64 = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1];
  const { length } = Buffer.from(base64 ?? '', 'base64');
  return length >= 24 && length <= 64;
}
