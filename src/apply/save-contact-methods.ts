import { randomBytes } from 'node:crypto';
import type { Tx } from '../db/database.ts';
import type { Sealing } from '../kit/sealing.ts';
import { newId } from '../kit/typeid.ts';
import { EVENT_TOPICS } from '../notices/contract.ts';
import { methodOf } from '../notifications/channels/contract.ts';
import {
  type ContactMethod,
  deleteContactMethods,
  insertContactMethods,
  updateContactMethod,
} from '../people/contact-store.ts';
import type { User } from '../people/store.ts';
import { ON_THE_COMMAND_LINE } from './applier.ts';
import { beginning, difference, type NewSecret } from './change.ts';
import { readContactMethod, type WrittenMethod } from './file/contact-method.ts';
import type { ContactMethodEntry, UserEntry } from './file/shape.ts';
import type { UserSaving } from './save-users.ts';

type Saved = { details: string[]; secrets: NewSecret[] };
type Wanted = {
  method: ContactMethod;
  before: ContactMethod | null;
  newSecret: string | null;
  details: string[];
};

/**
 * Makes a person's contact methods equal to the list in the file, in its order. Push subscriptions stay, because only
 * the person's browser can create them.
 */
export async function saveContactMethods(
  { tx, at, sealing, by, document, state }: UserSaving,
  entry: UserEntry,
  user: User,
): Promise<Saved> {
  if (!entry.contact_methods) return { details: [], secrets: [] };
  const existing = state.methods.filter(
    (method) => method.userId === user.id && methodOf(method.type).form !== null,
  );
  const wanted = entry.contact_methods.map((method, position) =>
    methodAfter({ at, sealing, by }, user.id, writtenMethod(method), position, existing),
  );
  const kept = new Set(wanted.map(({ method }) => method.id));
  const gone = existing.filter((method) => !kept.has(method.id));
  if (by !== 'operator') {
    if (areSame(existing, wanted)) return { details: [], secrets: [] };
    document.report(
      document.pathOf(entry, 'contact_methods'),
      `differ from those of ${user.email}, and the API changes nobody's contact methods, because those of the file count as verified; leave them out and let the person change them in the profile, ${ON_THE_COMMAND_LINE}`,
    );
    return { details: [], secrets: [] };
  }
  await writeMethods(tx, at, state.organization.id, wanted, gone);
  const before = listText(existing);
  const after = listText(wanted.map(({ method }) => method));
  const isNew = !state.users.some((known) => known.id === user.id);
  const list = isNew ? beginning('contact methods', after) : difference('contact methods', before, after);
  return {
    details: [...list, ...wanted.flatMap(({ details }) => details)],
    secrets: wanted.flatMap(({ method, newSecret }) =>
      newSecret === null ? [] : [{ user: user.email, url: method.value, signingSecret: newSecret }],
    ),
  };
}

/** Whether only positions differ: push subscriptions, which no file contains, also have positions. */
function areSame(existing: readonly ContactMethod[], wanted: readonly Wanted[]): boolean {
  const ordered = existing.toSorted((a, b) => a.position - b.position);
  return (
    ordered.length === wanted.length &&
    wanted.every(({ method, details }, index) => method.id === ordered[index]?.id && details.length === 0)
  );
}

function writtenMethod(entry: ContactMethodEntry): WrittenMethod {
  const read = readContactMethod(entry);
  if ('problems' in read)
    throw new Error('the contact methods of the file were not checked before they were saved');
  return read.method;
}

async function writeMethods(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  wanted: readonly Wanted[],
  gone: readonly ContactMethod[],
): Promise<void> {
  await deleteContactMethods(
    tx,
    organizationId,
    gone.map((method) => method.id),
  );
  await insertContactMethods(
    tx,
    at,
    organizationId,
    wanted.flatMap(({ method, before }) => (before ? [] : [method])),
  );
  for (const { method, before, details } of wanted) {
    const moved = before !== null && before.position !== method.position;
    if (moved || (before && details.length > 0)) await updateContactMethod(tx, at, organizationId, method);
  }
}

function methodAfter(
  { at, sealing, by }: Pick<UserSaving, 'at' | 'sealing' | 'by'>,
  userId: string,
  entry: WrittenMethod,
  position: number,
  existing: readonly ContactMethod[],
): Wanted {
  const before = existing.find(({ type, value }) => type === entry.type && value === entry.value) ?? null;
  const secret = signingSecretAfter(sealing, entry, before);
  const method: ContactMethod = {
    id: before?.id ?? newId('contact_method'),
    userId,
    type: entry.type,
    value: entry.value,
    chatUserId: entry.chatUserId,
    signingSecret: secret.sealed,
    // Only the operator can vouch for contact methods that the person has not verified.
    verifiedAt: by === 'operator' ? (before?.verifiedAt ?? at) : (before?.verifiedAt ?? null),
    position,
    events: entry.events ?? before?.events ?? [],
  };
  const name = `${entry.type} ${entry.value}`;
  const details = before
    ? [
        ...difference(`chat_user_id of ${name}`, before.chatUserId, method.chatUserId),
        ...(before.verifiedAt === null && method.verifiedAt !== null ? [`${name} is verified`] : []),
        ...difference(`events of ${name}`, eventsText(before), eventsText(method)),
        ...(secret.changed ? [`${name} has a new signing secret`] : []),
      ]
    : [];
  return { method, before, newSecret: secret.generated, details };
}

type SecretAfter = { sealed: Buffer | null; changed: boolean; generated: string | null };

function signingSecretAfter(
  sealing: Sealing,
  entry: WrittenMethod,
  before: ContactMethod | null,
): SecretAfter {
  if (!methodOf(entry.type).signed) return { sealed: null, changed: false, generated: null };
  const sealed = before?.signingSecret ?? null;
  if (sealed && (entry.signingSecret === undefined || opened(sealing, sealed) === entry.signingSecret))
    return { sealed, changed: false, generated: null };
  const secret = entry.signingSecret ?? `whsec_${randomBytes(32).toString('base64')}`;
  return {
    sealed: sealing.seal(secret),
    changed: true,
    generated: entry.signingSecret === undefined ? secret : null,
  };
}

/** Decrypts a secret; null if it was encrypted with a lost key and is therefore useless. */
function opened(sealing: Sealing, sealed: Buffer): string | null {
  try {
    return sealing.open(sealed);
  } catch {
    return null;
  }
}

function eventsText({ events }: ContactMethod): string | null {
  return EVENT_TOPICS.filter((topic) => events.includes(topic)).join(', ') || null;
}

function listText(methods: readonly ContactMethod[]): string | null {
  const ordered = methods.toSorted((a, b) => a.position - b.position);
  return ordered.map(({ type, value }) => `${type} ${value}`).join(', ') || null;
}
