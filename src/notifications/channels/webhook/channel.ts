import type { LookupFunction } from 'node:net';
import { instantText } from '../../../kit/instant.ts';
import { privateSentence } from '../../../kit/private-addresses.ts';
import { stored } from '../../../language/contract.ts';
import type { Address, Channel, Notification, Outcome, Resolution } from '../channel.ts';
import type { ChannelCode } from '../channel-code.ts';
import { type HttpAnswer, type HttpFailure, postOutside } from '../http-call.ts';
import { isMessage, messageBody } from '../message.ts';
import { accepted, makeChannel, refused, retry } from '../outcome.ts';
import { parseRetryAfter } from '../retry-after.ts';
import { type CommonSettings, NO_SETTINGS } from '../settings.ts';
import { USER_AGENT } from '../user-agent.ts';
import { shorten } from '../wording.ts';
import { webhookMethod } from './method.ts';
import { signature } from './signature.ts';

/**
 * Sends to any HTTP endpoint, with a Standard Webhooks signature. Tests pass a `resolve` that replaces the system's
 * resolver.
 */
export function webhookChannel(
  settings: Pick<CommonSettings, 'allowPrivateWebhooks'>,
  resolve?: LookupFunction,
): Channel {
  const deliver = async (to: Address, sent: Sent, signal: AbortSignal): Promise<Outcome> => {
    const url = URL.parse(to.value);
    const wrong = wrongTarget(url);
    if (!url || wrong) return refused(wrong ?? '');
    const body = JSON.stringify(sent.body);
    const headers = signedHeaders(sent.id, sent.at, body, to.signingSecret ?? null);
    if (!headers)
      return refused(stored('The signing secret of this webhook is damaged; make a new one for it.'));
    const call = { url, headers, body, signal, answer: 'remarks' as const };
    return webhookOutcome(await postOutside(call, settings.allowPrivateWebhooks, resolve));
  };
  // Pages use the database's time, because receivers would reject them as too old if this machine's clock were wrong.
  const timeOf = (sentAt: Temporal.Instant) => new Date(sentAt.epochMilliseconds);
  return makeChannel(
    'webhook',
    null,
    (content, address, signal) =>
      deliver(
        address,
        isMessage(content)
          ? { id: content.id, at: new Date(), body: messageBody(content) }
          : { id: content.deliveryId, at: timeOf(content.sentAt), body: webhookBody(content) },
        signal,
      ),
    (over, address, signal) =>
      deliver(address, { id: over.id, at: timeOf(over.sentAt), body: resolutionBody(over) }, signal),
  );
}

/** `id` is the same for every attempt. */
type Sent = { id: string; at: Date; body: object };

/** The body of every webhook notification (contract, section 8). */
export function webhookBody(notification: Notification) {
  return {
    type: notification.type,
    page_id: notification.pageId,
    delivery_id: notification.deliveryId,
    title: notification.title,
    text: notification.text,
    urgency: notification.urgency,
    source_url: notification.sourceUrl,
    team: notification.team?.slug ?? null,
    stage: notification.stage === null ? null : Number(notification.stage),
    round: notification.round,
    repeat: notification.repeat,
    bundled: notification.bundled.map(({ pageId, title }) => ({ page_id: pageId, title })),
    acknowledge_url: notification.acknowledgeUrl,
    page_url: notification.pageUrl,
    sent_at: instantText(notification.sentAt),
  };
}

/** The body that reports the end of a page: the fields of its notification, who resolved it and when. */
function resolutionBody({ id, notification, by, resolvedAt, sentAt }: Resolution) {
  return {
    ...webhookBody({ ...notification, deliveryId: id, repeat: false, bundled: [], sentAt }),
    type: 'page.resolved',
    resolved_by: by,
    resolved_at: instantText(resolvedAt),
  };
}

function wrongTarget(url: URL | null): string | null {
  if (!url)
    return stored('The address of this webhook is not a URL; give one such as https://example.com/pages.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return stored(
      'The address of this webhook starts with {protocol}//, which is not supported; give an http or https URL.',
      { protocol: url.protocol },
    );
  }
  if (url.username || url.password) {
    return stored(
      'The address of this webhook contains a user name or password; leave them out and check the signature instead.',
    );
  }
  return null;
}

/** The timestamp is that of the attempt, and the id that of the delivery. Null if the secret is invalid. */
function signedHeaders(
  id: string,
  at: Date,
  body: string,
  secret: string | null,
): Record<string, string> | null {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const headers = {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
  };
  // Receivers without a secret get the page unsigned.
  if (secret === null) return headers;
  const signed = signature(secret, id, timestamp, body);
  return signed === null ? null : { ...headers, 'webhook-signature': signed };
}

const WORTH_RETRYING = new Set([408, 425, 429]);

function webhookOutcome(result: HttpAnswer | HttpFailure): Outcome {
  if (result.kind === 'failure') {
    return result.forbidden
      ? refused(privateSentence(result.error))
      : retry(result.error, { maybeSent: result.maybeSent });
  }
  const { status, headers } = result;
  if (status >= 200 && status < 300) return accepted(null);
  if (status >= 300 && status < 400)
    return refused(
      stored('It answered with a redirect ({status}), and Tocsin does not follow redirects.', { status }),
    );
  const remark = remarkIn(result.body);
  const error = remark
    ? stored('It answered {status}: {remark}.', { status, remark })
    : stored('It answered {status}.', { status });
  if (status < 500 && !WORTH_RETRYING.has(status)) return refused(error);
  return retry(error, {
    maybeSent: false,
    retryAfterMs: parseRetryAfter(headers['retry-after'], Temporal.Now.instant()),
  });
}

/** The first line of the response to a refused call. */
function remarkIn(body: string): string {
  return shorten(body.trim().split('\n')[0]?.trim() ?? '', 200).replace(/\.$/, '');
}

export const webhookCode = {
  settings: NO_SETTINGS,
  build: (settings: Pick<CommonSettings, 'allowPrivateWebhooks'>) => webhookChannel(settings),
  method: webhookMethod,
  load: null,
  callbacks: null,
  // It calls URLs that users of this installation entered, not the fictional people of the demo.
  mutable: false,
} satisfies ChannelCode;
