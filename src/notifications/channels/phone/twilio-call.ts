import { isPublicAddress } from '../../../kit/private-addresses.ts';
import { stored } from '../../../language/contract.ts';
import type { Outcome, Problem } from '../channel.ts';
import { type HttpAnswer, type HttpFailure, post } from '../http-call.ts';
import { accepted, refused, retry } from '../outcome.ts';
import { parseRetryAfter } from '../retry-after.ts';
import type { Twilio, TwilioSettings } from './settings.ts';

type Library = typeof import('twilio');
export type TwilioClient = InstanceType<Library['Twilio']>;

/** Why Twilio cannot be used, as a sentence; null when it can. */
export function twilioUnavailable(twilio: Twilio | null, what: 'SMS' | 'Voice calls'): string | null {
  if (!twilio)
    return what === 'SMS'
      ? stored(
          'SMS is not set up: set it up under Settings, Channels, or set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM.',
        )
      : stored(
          'Voice calls are not set up: set them up under Settings, Channels, or set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM.',
        );
  if (!twilio.accountSid.startsWith('AC'))
    return stored('TWILIO_ACCOUNT_SID must start with AC; copy it from the Twilio console.');
  if (what === 'Voice calls' && twilio.from.startsWith('MG')) {
    return stored(
      'Voice calls need a phone number in TWILIO_FROM; a messaging service (MG…) can only send SMS.',
    );
  }
  return null;
}

/**
 * The base of Twilio's callbacks, or null if Twilio cannot reach us. Twilio refuses messages whose callback is on a
 * loopback or private address (error 21609), and a page without receipts is better than none.
 */
export function callbackBase(publicUrl: string, apiUrl: string): string | null {
  const unreachable = isInside(publicUrl) && !isInside(apiUrl);
  return unreachable ? null : `${publicUrl.replace(/\/+$/, '')}/callbacks/twilio`;
}

function isInside(text: string): boolean {
  const host = URL.parse(text)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  const isAddress = /^[\d.]+$|:/.test(host);
  return isAddress ? !isPublicAddress(host) : host === 'localhost' || !host.includes('.');
}

/**
 * Makes one call with Twilio's client through our own limited connection to `apiUrl`. The outcome comes from the HTTP
 * response, because the client's exceptions do not show whether a request was sent.
 */
export async function callTwilio(
  settings: Twilio,
  signal: AbortSignal,
  create: (client: TwilioClient) => Promise<unknown>,
): Promise<Outcome> {
  const { default: twilio } = await import('twilio');
  let result: HttpAnswer | HttpFailure | null = null;

  class BoundedRequestClient extends twilio.RequestClient {
    override async request<Data>(options: Parameters<InstanceType<Library['RequestClient']>['request']>[0]) {
      result = await post({
        url: rebase(options.uri, settings.apiUrl),
        headers: { ...options.headers, authorization: basic(options.username, options.password) },
        body: form(options.data),
        signal,
        answer: 'all',
      });
      if (result.kind === 'failure') throw new Error(result.error);
      // The client parses the body itself, although the type declares a parsed one.
      return { statusCode: result.status, headers: result.headers, body: result.body as Data };
    }
  }

  const client = twilio(settings.accountSid, settings.authToken, { httpClient: new BoundedRequestClient() });
  try {
    await create(client);
  } catch (error) {
    if (!result) throw error;
  }
  return result ? twilioOutcome(result) : retry(stored('Twilio was not called.'), { maybeSent: false });
}

export function rebase(uri: string, apiUrl: string): URL {
  const { pathname, search } = new URL(uri);
  return new URL(`${apiUrl.replace(/\/+$/, '')}${pathname}${search}`);
}

export function basic(username = '', password = ''): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Repeats the field for each entry of a list. */
function form(data: unknown): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(data ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) fields.append(name, String(item));
    }
  }
  return fields.toString();
}

export const CREDENTIALS: Problem = {
  code: 'credentials',
  fix: stored(
    'Twilio refuses our credentials: check the account SID and the auth token (TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN), and that the account is active.',
  ),
};
export const SENDER: Problem = {
  code: 'misconfigured',
  fix: stored(
    'Twilio refuses our sender: it must be a number of this account that can send SMS and make calls (TWILIO_FROM).',
  ),
};
const CALLBACK: Problem = {
  code: 'misconfigured',
  fix: stored('Twilio cannot use our callback address: PUBLIC_URL must be reachable from the internet.'),
};
const REGION: Problem = {
  code: 'misconfigured',
  fix: stored(
    'The Twilio account is not allowed to reach this country: allow it under Geographic Permissions in the Twilio console.',
  ),
};
const RATE: Problem = {
  code: 'rate_limited',
  fix: stored(
    'Twilio limits the rate at the moment. Tocsin tries again automatically; ask Twilio for a higher rate if this continues.',
  ),
};
export const UNREACHABLE: Problem = {
  code: 'unreachable',
  fix: stored(
    'Twilio does not answer correctly: check TWILIO_API_URL, this host’s internet connection and Twilio’s status page.',
  ),
};

/** Twilio's error codes that concern our account rather than the number called. */
const PROBLEMS: Record<number, Problem> = {
  20003: CREDENTIALS,
  20005: CREDENTIALS,
  21212: SENDER,
  21603: SENDER,
  21606: SENDER,
  21659: SENDER,
  21660: SENDER,
  21210: SENDER,
  21205: CALLBACK,
  21609: CALLBACK,
  21215: REGION,
  21408: REGION,
};

/**
 * Twilio's error codes for a limit that passes: the calls at the same time (10004), and the queued messages of our number
 * (21611) and calls (22005). Twilio answers some of them with 400.
 */
const LIMITS = new Set([10004, 21611, 22005]);

export function twilioOutcome(result: HttpAnswer | HttpFailure): Outcome {
  if (result.kind === 'failure')
    return retry(result.error, { maybeSent: result.maybeSent, problem: UNREACHABLE });
  const { status, headers } = result;
  const body = parse(result.body);
  const message = body?.message;
  const said = message
    ? stored('Twilio answered {status}: {message}', { status, message })
    : stored('Twilio answered {status}', { status });
  const limited = status === 429 || (status >= 400 && LIMITS.has(body?.code ?? 0));
  if (limited || status === 408 || status >= 500) {
    const retryAfterMs = parseRetryAfter(headers['retry-after'], Temporal.Now.instant());
    return retry(said, { maybeSent: false, retryAfterMs, problem: limited ? RATE : UNREACHABLE });
  }
  if (status === 401 || status === 403) return refused(said, PROBLEMS[body?.code ?? 0] ?? CREDENTIALS);
  if (status >= 400) return refused(withHint(said, body?.code), PROBLEMS[body?.code ?? 0]);
  if (status < 300 && body?.sid) {
    return body.errorCode
      ? refused(
          stored('Twilio accepted the message and then failed: error {code}.', { code: body.errorCode }),
        )
      : accepted(body.sid);
  }
  return retry(stored("Twilio's answer cannot be read (status {status}).", { status }), {
    maybeSent: true,
    problem: UNREACHABLE,
  });
}

function withHint(said: string, code: number | undefined): string {
  return code === 21610
    ? stored('{said} (this person sent STOP to our number and must send START to it)', { said })
    : said;
}

type Body = { sid: string | null; message: string; code: number; errorCode: number | null };

function parse(text: string): Body | null {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null) return null;
    const field = (name: string): unknown => (body as Record<string, unknown>)[name];
    const sid = field('sid');
    return {
      sid: typeof sid === 'string' && sid ? sid : null,
      message: typeof field('message') === 'string' ? String(field('message')) : '',
      code: Number(field('code') ?? 0),
      errorCode: field('error_code') ? Number(field('error_code')) : null,
    };
  } catch {
    return null;
  }
}

/**
 * Loads the library, and the parts of its client for messages and calls, which it loads on first use. Makes no request.
 */
export function loadTwilio({ twilio }: TwilioSettings): Promise<unknown> | null {
  return twilio && readClient();
}

async function readClient(): Promise<unknown> {
  const { default: twilio } = await import('twilio');
  const client = twilio(`AC${'0'.repeat(32)}`, 'nobody');
  return [client.messages, client.calls];
}
