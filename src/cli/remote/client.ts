import { setTimeout as delay } from 'node:timers/promises';
import { type Remote as RemoteSettings, readRemote, unknownNames } from '../../config/remote.ts';
import { VERSION } from '../../kit/version.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';
import { explainFailure, isPassing } from './failure.ts';
import { explainStatus, isPassingStatus, retryAfterMs } from './refused.ts';

export type Answer = Record<string, unknown>;

/** The API of the running server. An error response becomes a `Refusal` that names the fix. */
export type Remote = {
  readonly url: string;
  get(path: string, options?: { timeoutMs?: number }): Promise<Answer>;
  /** Retries for a while if the server is away; the idempotency key prevents duplicates. */
  post(path: string, body: Record<string, unknown>, idempotencyKey: string): Promise<Answer>;
  /** A single attempt, for actions that must not happen twice and have no idempotency key. */
  postOnce(path: string, body: Record<string, unknown>): Promise<Answer>;
};

const TIMEOUT_MS = 15_000;
/** Delays before the second, third, … attempt. */
const RETRY_DELAYS_MS = [500, 1_000, 2_000];
/** How often a command that waits for an outcome asks again. */
export const ASK_AGAIN_MS = 1_000;
/** The longest `Retry-After` that is respected. */
const MAX_RETRY_AFTER_MS = 10_000;
const MAX_ANSWER_BYTES = 20 * 1024 * 1024;

/** @throws ConfigError if the environment is invalid; Refusal if it has no key */
export async function createRemote({ env, progress, signal }: Session): Promise<Remote> {
  // The list of all settings, which loads those of every channel, has the proper name for the message.
  if (unknownNames(env).length > 0) (await import('../../config.ts')).refuseUnknown(env);
  const settings = readRemote(env);
  if (settings.key === null) {
    throw new Refusal(
      'TOCSIN_KEY is not set; make a key with "tocsin key create --user EMAIL --name NAME" and set TOCSIN_KEY to it.',
    );
  }
  progress.step(`Asking ${settings.url} …`);
  return {
    url: settings.url,
    get: (path, { timeoutMs = TIMEOUT_MS } = {}) =>
      once(settings, path, { method: 'GET' }, timeoutMs, signal),
    post: (path, body, idempotencyKey) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      return patiently(() => once(settings, path, init, TIMEOUT_MS, signal), progress.step, signal);
    },
    postOnce: (path, body) => {
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      return once(settings, path, init, TIMEOUT_MS, signal);
    },
  };
}

/** A temporary failure: there is no response (`status` 0), the server asks to wait, or a proxy cannot reach it. */
export class Passing extends Refusal {
  readonly waitMs: number | null;
  readonly status: number;

  constructor(sentence: string, waitMs: number | null, status: number) {
    super(sentence);
    this.waitMs = waitMs;
    this.status = status;
  }
}

async function patiently<T>(
  attempt: () => Promise<T>,
  report: (sentence: string) => void,
  signal: AbortSignal,
): Promise<T> {
  for (const delayMs of RETRY_DELAYS_MS) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Passing)) throw error;
      report(`${error.message} Trying again …`);
      await delay(Math.min(error.waitMs ?? delayMs, MAX_RETRY_AFTER_MS), undefined, { signal });
    }
  }
  return attempt();
}

async function once(
  { url, key }: RemoteSettings,
  path: string,
  init: { method: string; headers?: Record<string, string>; body?: string },
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Answer> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const response = await fetch(url + path, {
      ...init,
      headers: {
        ...init.headers,
        accept: 'application/json',
        authorization: `Bearer ${key}`,
        'user-agent': `tocsin/${VERSION}`,
      },
      redirect: 'manual',
      signal: deadline,
    });
    return understand(url, response, await readBounded(response));
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof Refusal) throw error;
    const sentence = explainFailure(url, error, timeoutMs);
    throw isPassing(error) ? new Passing(sentence, null, 0) : new Refusal(sentence);
  }
}

function understand(url: string, response: Response, text: string): Answer {
  const answer = parseAnswer(text);
  if (response.ok && answer) return answer;
  const sentence = explainStatus(url, response, answer);
  const details = (answer?.details ?? []) as Record<string, unknown>[];
  if (isPassingStatus(response.status)) throw new Passing(sentence, retryAfterMs(response), response.status);
  throw new Refusal(sentence, { details });
}

function parseAnswer(text: string): Answer | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Answer) : null;
  } catch {
    return null;
  }
}

async function readBounded(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new Refusal('The answer is far too long; check TOCSIN_URL.');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
