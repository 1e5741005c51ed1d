import { createHash } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { privateSentence } from '../../../kit/private-addresses.ts';
import { stored, t, tIn } from '../../../language/contract.ts';
import type { Channel, Notification, Outcome, Problem, Resolution } from '../channel.ts';
import type { ChannelCode } from '../channel-code.ts';
import { type HttpAnswer, type HttpFailure, postOutside } from '../http-call.ts';
import { isMessage, type Message, messageBody } from '../message.ts';
import { type Attempt, accepted, makeChannel, messageOf, refused, retry } from '../outcome.ts';
import { parseRetryAfter } from '../retry-after.ts';
import type { CommonSettings } from '../settings.ts';
import { USER_AGENT } from '../user-agent.ts';
import { headline, oneLine, resolvedLine, shorten } from '../wording.ts';
import { type PushSettings, VAPID } from './settings.ts';

/** A push message that could not be shown within an hour is out of date. The page stays in the dashboard. */
const TTL_SECONDS = 3_600;
/** Push services accept 4,096 bytes, and encryption adds about 100. */
const PAYLOAD_BYTES = 3_800;

/** Web Push to browsers, encrypted for the browser and signed with our VAPID key. */
export function pushChannel(
  settings: PushSettings & Pick<CommonSettings, 'allowPrivateWebhooks'>,
  resolve?: LookupFunction,
): Channel {
  const { vapid, allowPrivateWebhooks } = settings;
  const unavailable = vapidFault(vapid);
  const push: Attempt = async (content, address, signal) => {
    if (!vapid?.subject) return refused(unavailable ?? '');
    const vapidDetails = { ...vapid, subject: vapid.subject };
    const url = URL.parse(address.value);
    const wrong = wrongEndpoint(url, allowPrivateWebhooks);
    if (!url || wrong) return refused(wrong ?? '');
    const keys = address.pushKeys;
    if (!keys)
      return refused(
        stored('The keys of this push subscription are missing; turn push on again in that browser.'),
      );
    const { default: webpush } = await import('web-push');
    const attempt = (textLength: number) => {
      const subscription = { endpoint: address.value, keys };
      const payload = isMessage(content)
        ? messagePayload(content, textLength)
        : pushPayload(content, textLength);
      const options = {
        vapidDetails,
        TTL: TTL_SECONDS,
        urgency: isMessage(content) ? 'normal' : 'high',
        topic: topicOf(isMessage(content) ? content.id : content.pageId),
      } as const;
      const { headers, body } = webpush.generateRequestDetails(subscription, payload, options);
      const call = { url, headers: headerTexts(headers), body: body ?? Buffer.alloc(0), signal };
      return postOutside({ ...call, answer: 'remarks' }, allowPrivateWebhooks, resolve);
    };
    try {
      const first = await attempt(1_000);
      const tooLong = first.kind === 'answer' && first.status === 413;
      return pushOutcome(tooLong ? await attempt(0) : first);
    } catch (error) {
      // Calls do not throw, so this error is from the encryption, which rejected the subscription's keys or ours.
      if (/vapid/i.test(messageOf(error))) return refused(messageOf(error), OUR_KEYS);
      return refused(
        stored('This push subscription is damaged ({error}); turn push on again in that browser.', {
          error: messageOf(error),
        }),
      );
    }
  };
  return makeChannel('push', unavailable, push, (over, address, signal) =>
    push(replacement(over), address, signal),
  );
}

function vapidFault(vapid: PushSettings['vapid']): string | null {
  if (!vapid?.publicKey || !vapid.privateKey) {
    return stored(
      'Push is not set up: set VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY, or remove both to have them made.',
    );
  }
  if (!/^(mailto:.+|https:\/\/.+)/.test(vapid.subject ?? '')) {
    return stored(
      'VAPID_SUBJECT must be a mailto: address or an https: URL that names who runs this service.',
    );
  }
  return null;
}

/** The payload for the dashboard's service worker. The text is shortened until the payload fits. */
function pushPayload(notification: Notification, textLength: number): string {
  const payload = (text: string, title: string) =>
    JSON.stringify({
      type: notification.type,
      page_id: notification.pageId,
      delivery_id: notification.deliveryId,
      title,
      text,
      urgency: notification.urgency,
      bundled: notification.bundled.length,
      repeat: notification.repeat,
      acknowledge_url: notification.acknowledgeUrl,
      page_url: notification.pageUrl,
      buttons: { acknowledge: t('Acknowledge'), open: tIn('a button', 'Open') },
      unconfirmed: t('Your acknowledgement may not have arrived. Acknowledge again, or open the page.'),
    });
  const title = shorten(headline(notification), 200);
  for (let length = textLength; length > 0; length = Math.floor(length / 2)) {
    const whole = payload(shorten(notification.text, length), title);
    if (Buffer.byteLength(whole) <= PAYLOAD_BYTES) return whole;
  }
  return payload('', shorten(title, 100));
}

/** The same for a message that is not about a page. */
function messagePayload(message: Message, textLength: number): string {
  const text = shorten(message.text, Math.min(textLength, 600));
  return JSON.stringify({
    ...messageBody(message),
    title: shorten(message.subject, 100),
    subject: undefined,
    text,
  });
}

/**
 * A silent message with the id of the page. Browsers show it in place of the notification of that page, and push
 * services send it in place of one that is still waiting.
 */
function replacement(over: Resolution): Message {
  const { notification, sentAt } = over;
  return {
    ...{ type: 'notice', kind: 'page.resolved', id: notification.pageId, code: null, sentAt },
    ...{
      subject: t('Resolved: {title}', { title: oneLine(notification.title) }),
      text: resolvedLine(over),
      url: notification.pageUrl,
    },
  };
}

/** 32 URL-safe characters. A later message with the same topic replaces one that still waits at the push service. */
function topicOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 32);
}

function headerTexts(headers: object): Record<string, string> {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { ...Object.fromEntries(texts), 'user-agent': USER_AGENT };
}

function wrongEndpoint(url: URL | null, allowPrivate: boolean): string | null {
  if (!url)
    return stored('The address of this push subscription is not a URL; turn push on again in that browser.');
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    return stored(
      'The address of this push subscription is not an https URL; turn push on again in that browser.',
    );
  }
  return null;
}

const REFUSED_KEY: Problem = {
  code: 'credentials',
  fix: stored(
    'The push service refuses our VAPID key: it must be the one with which the browser subscribed; turn push on again in that browser.',
  ),
};

const OUR_KEYS: Problem = {
  code: 'misconfigured',
  fix: stored(
    'VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY are not a pair of P-256 keys in URL-safe base64; remove both to have them made.',
  ),
};

/** The keys may be right: Apple also says so about a contact on localhost, and about a token from the future. */
const REFUSED_TOKEN: Problem = {
  code: 'misconfigured',
  fix: stored(
    'Apple refuses our signature: VAPID_SUBJECT, or PUBLIC_URL without it, must name a host on the internet, and the clock of this machine must be right. If both are fine, turn push on again on that device.',
  ),
};

/** As RFC 8030 and the documentation of push services define the status codes. */
function pushOutcome(result: HttpAnswer | HttpFailure): Outcome {
  if (result.kind === 'failure') {
    if (result.forbidden) return refused(privateSentence(result.error));
    return retry(result.error, { maybeSent: result.maybeSent });
  }
  const { status, headers } = result;
  if (status >= 200 && status < 300) return accepted(headers.location ?? null);
  if (status === 404 || status === 410)
    return refused(stored('This browser is no longer subscribed to push.'));
  if (status === 413)
    return refused(stored('The push service refuses even the shortened message as too long.'));
  if (status === 401 || status === 403)
    return refused(
      stored('The push service refuses our key ({status}).', { status }),
      result.body.includes('BadJwtToken') ? REFUSED_TOKEN : REFUSED_KEY,
    );
  const error = stored('The push service answered {status}.', { status });
  if (status !== 408 && status !== 429 && status < 500) return refused(error);
  return retry(error, {
    maybeSent: false,
    retryAfterMs: parseRetryAfter(headers['retry-after'], Temporal.Now.instant()),
  });
}

export const pushCode = {
  settings: VAPID,
  build: (settings: PushSettings & Pick<CommonSettings, 'allowPrivateWebhooks'>) => pushChannel(settings),
  method: null,
  load: () => import('web-push'),
  callbacks: null,
  // It calls the browsers of real users of this installation, not the fictional people of the demo.
  mutable: false,
} satisfies ChannelCode;
