import { randomBytes } from 'node:crypto';
import type { Clock } from '../../db/clock.ts';
import type { Database, Tx } from '../../db/database.ts';
import { Fault } from '../../kit/fault.ts';
import type { Sealing } from '../../kit/sealing.ts';
import { newId } from '../../kit/typeid.ts';
import { inLanguage } from '../../language/ambient.ts';
import { type Language, t } from '../../language/contract.ts';
import { storedTextOrNull } from '../../language/stored.ts';
import { channelsOf, methodOf } from '../../notifications/channels/contract.ts';
import type { AddedMethod, NewMethodBody, SentShown } from '../contact-contract.ts';
import {
  countMethods,
  insertMethod,
  lockMethod,
  lockRecentSends,
  markProved,
  type Owner,
  recordSend,
  saveCode,
  tryCode,
} from '../contact-store.ts';
import type { ChannelName } from '../contract.ts';
import { audit, languageOfReader } from '../store.ts';
import type { Courier, Destination } from './courier.ts';
import { readNewMethod } from './reading.ts';
import { CODE_LIFETIME, codeTag, isRightCode, newCode, waitSeconds } from './verification.ts';

export type MethodServices = { db: Database; clock: Clock; sealing: Sealing; courier: Courier };

/** The most contact methods of one person, including push. */
const MOST_METHODS = 40;

/** Adds a contact method and sends its verification code. */
export async function addMethod(
  services: MethodServices,
  owner: Owner,
  body: NewMethodBody,
): Promise<AddedMethod> {
  const { db, clock, sealing, courier } = services;
  const read = readNewMethod(body, courier);
  if ('problems' in read) throw new Fault('invalid_request', read.problems);
  const { method } = read;
  const id = newId('contact_method');
  const secret = methodOf(method.type).signed ? newSigningSecret() : null;
  await db.transaction().execute(async (tx) => {
    const at = await clock.now(tx);
    if ((await countMethods(tx, owner.userId)) >= MOST_METHODS)
      throw conflict(
        'value',
        t('exceeds the limit of {most} contact methods; remove one that you do not need', {
          most: MOST_METHODS,
        }),
      );
    const signingSecret = secret === null ? null : sealing.seal(secret);
    if (!(await insertMethod(tx, at, owner, { ...method, id, signingSecret })))
      throw conflict('value', t('is already one of your contact methods; change that one instead'));
    await audit(tx, at, owner, 'contact_method.add', id, { type: method.type, value: method.value });
  });
  return { id, code: await sendCode(services, owner, id), signing_secret: secret };
}

/** Sends a new code, which replaces the one before. */
export async function sendCode(
  services: MethodServices,
  owner: Owner,
  id: string,
  by?: ChannelName,
): Promise<SentShown> {
  const code = newCode();
  const { method, channel, language } = await prepare(services, owner, id, by, async (tx, at) => {
    const expiresAt = at.add(CODE_LIFETIME);
    await saveCode(tx, owner.organizationId, id, { tag: codeTag(services.sealing, id, code), expiresAt });
  });
  const error = await inLanguage(language, () =>
    services.courier.send(method, {
      type: 'verification',
      channel,
      methodId: id,
      subject: t('Your Tocsin code is {code}', { code }),
      text: t(
        'Enter it where you added this contact method. It is valid for 10 minutes. If you did not request it, do nothing: without the code, nothing is sent here.',
      ),
      code,
      path: '/profile',
    }),
  );
  return { sent: error === null, error: storedTextOrNull(error) };
}

/** Sends a test through the real channel and returns the provider's answer. It does not count as a page. */
export async function sendTest(
  services: MethodServices,
  owner: Owner,
  id: string,
  by?: ChannelName,
): Promise<SentShown> {
  const { method, channel, language } = await prepare(services, owner, id, by, async (_tx, _at, found) => {
    if (!found.verified)
      throw conflict('id', t('is not verified yet; type in the code that was sent to it first'));
  });
  const error = await inLanguage(language, () =>
    services.courier.send(method, {
      type: 'test',
      channel,
      methodId: id,
      subject: t('This is a test of Tocsin'),
      text: t('Pages for you arrive here. There is nothing to do.'),
      code: null,
      path: '/profile',
    }),
  );
  return { sent: error === null, error: storedTextOrNull(error) };
}

/** Checks the limits and records the send in one transaction. The provider is called after it. */
async function prepare(
  { db, clock, courier }: MethodServices,
  owner: Owner,
  id: string,
  by: ChannelName | undefined,
  also: (tx: Tx, at: Temporal.Instant, method: { verified: boolean }) => Promise<void>,
): Promise<{ method: Destination; channel: ChannelName; language: Language }> {
  return db.transaction().execute(async (tx) => {
    const at = await clock.now(tx);
    const method = await lockMethod(tx, owner, id);
    if (!method) throw new Fault('not_found');
    const wait = waitSeconds(await lockRecentSends(tx, at, owner, method), at);
    if (wait !== null)
      throw new Fault(
        'too_many_requests',
        [
          {
            field: 'id',
            message: waitText(wait),
          },
        ],
        {
          'retry-after': String(wait),
        },
      );
    await also(tx, at, method);
    await recordSend(tx, at, owner, method);
    const language = await languageOfReader(tx, owner.organizationId, owner.userId);
    return { method, channel: channelFor(method, courier, by), language };
  });
}

/** The first channel that is set up. For a phone that is SMS, which stays readable and wakes nobody. */
function channelFor({ type }: Destination, { means }: Courier, by: ChannelName | undefined): ChannelName {
  const channels = channelsOf(type);
  const usable = channels.find((channel) => !means.unavailable.has(channel));
  const channel = channels.find((one) => one === by) ?? usable ?? channels[0];
  if (!channel) throw conflict('id', t('is of a type that this release of the service cannot send to'));
  return channel;
}

/** Verifies a contact method with its code. */
export async function verifyMethod(
  services: MethodServices,
  owner: Owner,
  id: string,
  given: string,
): Promise<void> {
  const { db, clock, sealing } = services;
  const wrong = await db.transaction().execute(async (tx) => {
    const at = await clock.now(tx);
    if (!(await lockMethod(tx, owner, id))) throw new Fault('not_found');
    const attempt = await tryCode(tx, at, id);
    if (!attempt) return t('is no longer valid; request a new one');
    // A wrong code must count as an attempt. An error thrown here would roll the count back.
    if (!isRightCode(sealing, id, given, attempt.tag))
      return attempt.triesLeft > 0
        ? t('is not the code that was sent; {count, plural, one {one try is} other {# tries are}} left', {
            count: attempt.triesLeft,
          })
        : t('was wrong five times; request a new code');
    await markProved(tx, at, id);
    await audit(tx, at, owner, 'contact_method.verify', id, {});
    return null;
  });
  if (wrong !== null) throw new Fault('invalid_request', [{ field: 'code', message: wrong }]);
}

export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

export function conflict(field: string, message: string): Fault {
  return new Fault('conflict', [{ field, message }]);
}

function waitText(seconds: number): string {
  if (seconds < 90)
    return t('just got a message; wait {count, plural, one {# second} other {# seconds}}', {
      count: seconds,
    });
  return t('just got a message; wait {count, plural, one {# minute} other {# minutes}}', {
    count: Math.ceil(seconds / 60),
  });
}
