import { stored } from '../../../language/contract.ts';
import type { Outcome, Problem } from '../channel.ts';
import { type HttpAnswer, type HttpFailure, post } from '../http-call.ts';
import { accepted, refused, retry } from '../outcome.ts';
import { parseRetryAfter } from '../retry-after.ts';
import type { Links } from './message.ts';

/** `apiUrl` is Slack's by default, and ends in `/api/`. */
export type Slack = { botToken: string; signingSecret: string; apiUrl: string };

type Client = InstanceType<typeof import('@slack/web-api').WebClient>;

/**
 * Makes one call with Slack's client through our own limited connection. The outcome comes from the HTTP response. If Slack refuses
 * the form of the message, the call is repeated with its links as text.
 */
export async function callSlack(
  slack: Slack,
  signal: AbortSignal,
  use: (client: Client, links: Links) => Promise<unknown>,
): Promise<Outcome> {
  const first = await askSlack(slack, signal, (client) => use(client, 'buttons'));
  const result = isFormRefused(first)
    ? await askSlack(slack, signal, (client) => use(client, 'text'))
    : first;
  return result ? slackOutcome(result) : retry(stored('Slack was not called.'), { maybeSent: false });
}

function isFormRefused(result: HttpAnswer | HttpFailure | null): boolean {
  return result?.kind === 'answer' && /^invalid_(blocks|arguments)/.test(parse(result.body)?.error ?? '');
}

/** Checks that the token is valid and may send messages, without sending anything. */
export async function checkSlack({ slack }: { slack: Slack | null }, signal: AbortSignal): Promise<Outcome> {
  const result = slack && (await askSlack(slack, signal, ({ auth }) => auth.test()));
  if (!result) return refused(UNREACHABLE.fix, UNREACHABLE);
  if (result.kind === 'failure' || result.status !== 200 || !parse(result.body)?.valid)
    return slackOutcome(result);
  const scopes = String(result.headers['x-oauth-scopes'] ?? '');
  return scopes
    .split(',')
    .map((scope) => scope.trim())
    .includes('chat:write')
    ? accepted(null)
    : refused(stored('The token has no permission to send messages.'), SCOPE);
}

async function askSlack(
  { botToken, apiUrl }: Slack,
  signal: AbortSignal,
  use: (client: Client) => Promise<unknown>,
): Promise<HttpAnswer | HttpFailure | null> {
  const { WebClient, LogLevel } = await import('@slack/web-api');
  const call: SlackCall = { signal, result: null };
  const client = new WebClient(botToken, {
    slackApiUrl: apiUrl,
    fetch: boundedFetch(call),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    logger: silentLogger(LogLevel.ERROR),
  });
  try {
    await use(client);
  } catch (error) {
    if (!call.result) throw error;
  }
  return call.result;
}

type SlackCall = { signal: AbortSignal; result: HttpAnswer | HttpFailure | null };

/**
 * The client's transport, limited in time and size. It keeps the response, because the client's exceptions do not show
 * whether the request was sent, and lose a `Retry-After` that is a date.
 */
function boundedFetch(call: SlackCall): typeof fetch {
  return async (input, init) => {
    const result = await post({
      url: new URL(input instanceof Request ? input.url : input),
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: typeof init?.body === 'string' ? init.body : '',
      signal: call.signal,
      answer: 'all',
    });
    call.result = result;
    if (result.kind === 'failure') throw new Error(result.error);
    return new Response(result.body, {
      status: result.status >= 200 && result.status !== 204 ? result.status : 200,
    });
  };
}

function silentLogger<Level>(level: Level) {
  const silent = () => {};
  const nothing = {
    debug: silent,
    info: silent,
    warn: silent,
    error: silent,
    setLevel: silent,
    setName: silent,
  };
  return { ...nothing, getLevel: () => level };
}

const CREDENTIALS: Problem = {
  code: 'credentials',
  fix: stored(
    'Slack refuses our token: check the bot token (SLACK_BOT_TOKEN), and install the app to the workspace again.',
  ),
};
const SCOPE: Problem = {
  code: 'misconfigured',
  fix: stored(
    'The Slack app lacks a permission: give it the scope chat:write, and install it to the workspace again.',
  ),
};
const RATE: Problem = {
  code: 'rate_limited',
  fix: stored('Slack limits the rate at the moment. Tocsin tries again automatically.'),
};
export const UNREACHABLE: Problem = {
  code: 'unreachable',
  fix: stored(
    'Slack does not answer correctly: check SLACK_API_URL, this host’s internet connection and Slack’s status page.',
  ),
};

const PROBLEMS = new Map<string, Problem>([
  ['invalid_auth', CREDENTIALS],
  ['not_authed', CREDENTIALS],
  ['account_inactive', CREDENTIALS],
  ['token_expired', CREDENTIALS],
  ['token_revoked', CREDENTIALS],
  ['team_access_not_granted', CREDENTIALS],
  ['org_login_required', CREDENTIALS],
  ['missing_scope', SCOPE],
  ['no_permission', SCOPE],
  ['not_allowed_token_type', SCOPE],
  ['restricted_action', SCOPE],
]);

const TEMPORARY = new Set([
  'fatal_error',
  'internal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
]);
const RATE_LIMITED = new Set(['ratelimited', 'rate_limited', 'message_limit_exceeded']);

const HINTS = new Map<string, string>([
  [
    'channel_not_found',
    stored('Slack has no user with this id, or the app is not allowed to write to them.'),
  ],
  ['user_not_found', stored('Slack has no user with this id.')],
  ['messages_tab_disabled', stored('The Slack app has no messages tab; turn it on under App Home.')],
  ['message_not_found', stored('The message was deleted in Slack.')],
  [
    'edit_window_closed',
    stored('The settings of the Slack workspace do not allow this message to be edited any more.'),
  ],
]);

function slackOutcome(result: HttpAnswer | HttpFailure): Outcome {
  if (result.kind === 'failure')
    return retry(result.error, { maybeSent: result.maybeSent, problem: UNREACHABLE });
  const body = parse(result.body);
  const retryAfterMs = parseRetryAfter(result.headers['retry-after'], Temporal.Now.instant());
  if (result.status === 429 || RATE_LIMITED.has(body?.error ?? '')) {
    return retry(stored('Slack asks us to slow down.'), { maybeSent: false, retryAfterMs, problem: RATE });
  }
  if (result.status >= 500 || TEMPORARY.has(body?.error ?? '')) {
    return retry(stored('Slack had an internal error ({error}).', { error: body?.error ?? result.status }), {
      maybeSent: false,
      retryAfterMs,
      problem: UNREACHABLE,
    });
  }
  if (body?.ok && result.status < 300) return accepted(`${body.channel}:${body.ts}`);
  if (body?.error)
    return refused(
      HINTS.get(body.error) ?? stored('Slack answered: {error}.', { error: body.error }),
      PROBLEMS.get(body.error),
    );
  if (result.status >= 300)
    return refused(stored('Slack answered {status}.', { status: result.status }), UNREACHABLE);
  return retry(stored('The answer of Slack cannot be read.'), {
    maybeSent: true,
    problem: UNREACHABLE,
  });
}

type Body = {
  /** Slack accepted the request. */
  valid: boolean;
  /** The same, and it was a message. */
  ok: boolean;
  error: string | null;
  channel: string;
  ts: string;
};

function parse(text: string): Body | null {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null) return null;
    const field = (name: string): unknown => (body as Record<string, unknown>)[name];
    const error = field('error');
    return {
      valid: field('ok') === true,
      ok: field('ok') === true && typeof field('ts') === 'string',
      error: typeof error === 'string' ? error : null,
      channel: String(field('channel') ?? ''),
      ts: String(field('ts') ?? ''),
    };
  } catch {
    return null;
  }
}
