import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { errorCode } from '../../kit/error-text.ts';
import { networkTrouble } from '../../kit/network-trouble.ts';
import { PrivateAddressError, privateLiteral, publicOnlyLookup } from '../../kit/private-addresses.ts';
import { asSentence } from '../../kit/tls-trouble.ts';
import { stored } from '../../language/contract.ts';
import { messageOf } from './outcome.ts';

/** The maximum size of a response body; the connection is closed beyond it. */
const ANSWER_LIMIT = 64 * 1024;
/** How long to wait for the body when only the status matters. */
const REMARKS_MS = 1_000;
/**
 * No call takes this long to connect. After this much time, the process must have been paused, and other nodes have
 * taken over its work.
 */
const STOOD_STILL_MS = 12_000;

/**
 * A connection that was used a moment ago serves the next call, so that a storm does not connect for each notification. No server
 * closes one that was idle for so short a time, after which nobody could tell whether it received the call.
 */
const KEPT_MS = 500;
/** The most idle connections to one provider. */
export const MOST_KEPT = 32;

/**
 * Agents are shared, because making one for each call takes longer than the connection. Calls that may reach public addresses only
 * have connections of their own, because only new connections look up their address.
 */
const AGENTS = {
  any: createAgents(true),
  public: createAgents(true),
  /** For tests, which resolve the same name in different ways. */
  resolved: createAgents(false),
};

function createAgents(keepAlive: boolean) {
  const settings = { keepAlive, timeout: KEPT_MS, maxFreeSockets: MOST_KEPT };
  return { http: new http.Agent(settings), https: new https.Agent({ ...settings, maxCachedSessions: 0 }) };
}

export type HttpCall = {
  /** Default: POST. */
  method?: 'GET';
  url: URL;
  headers: Record<string, string>;
  body: string | Buffer;
  signal: AbortSignal;
  /** Resolves host names to addresses instead of the system. */
  lookup?: LookupFunction | undefined;
  /** Only public addresses are called; any if left out. */
  publicOnly?: boolean;
  /**
   * `all`: waits for the whole body, without which the response is useless. `remarks`: only the status matters, and the
   * body is read briefly because it may contain a reason.
   */
  answer: 'all' | 'remarks';
};

export type HttpAnswer = {
  kind: 'answer';
  status: number;
  headers: http.IncomingHttpHeaders;
  /** At most 64 KiB. */
  body: string;
};

/** There was no response. `maybeSent`: the request may have been sent. `forbidden`: the address is private. */
export type HttpFailure = { kind: 'failure'; error: string; maybeSent: boolean; forbidden: boolean };

/**
 * Makes a request without following redirects. It limits the size of the response, `signal` limits the time, and
 * it never throws.
 */
export function post(call: HttpCall): Promise<HttpAnswer | HttpFailure> {
  const { promise, resolve } = Promise.withResolvers<HttpAnswer | HttpFailure>();
  const begunAt = performance.now();
  let connected = false;
  const fail = (error: unknown) => {
    resolve({ kind: 'failure', ...explain(error, call.url, connected), maybeSent: connected });
  };
  const request = begin(call, fail);
  if (!request) return promise;

  const abort = () => request.destroy(new OutOfTime());
  call.signal.addEventListener('abort', abort, { once: true });
  const send = () => {
    // After a pause, a process handles its sockets before its timers, so `signal` may abort too late.
    if (performance.now() - begunAt > STOOD_STILL_MS) return abort();
    connected = true;
    request.end(call.body);
  };
  request.once('socket', (socket) => {
    if (request.reusedSocket) send();
    else socket.once(call.url.protocol === 'https:' ? 'secureConnect' : 'connect', send);
  });
  request.on('error', fail);
  request.once('response', (response) => readAnswer(call, response, resolve, fail));
  if (call.signal.aborted) abort();
  return promise.finally(() => {
    call.signal.removeEventListener('abort', abort);
    request.destroy();
  });
}

/**
 * The same for an external URL: unless `allowPrivate`, only public addresses are called. Tests pass a `resolve` that
 * replaces the system's resolver.
 */
export async function postOutside(
  call: Omit<HttpCall, 'lookup' | 'publicOnly'>,
  allowPrivate: boolean,
  resolve?: LookupFunction,
): Promise<HttpAnswer | HttpFailure> {
  if (allowPrivate) return post({ ...call, lookup: resolve });
  const inside = privateLiteral(call.url);
  if (inside) return { kind: 'failure', error: inside.message, maybeSent: false, forbidden: true };
  return post({ ...call, lookup: resolve, publicOnly: true });
}

function begin(call: HttpCall, fail: (error: unknown) => void): http.ClientRequest | null {
  const { method = 'POST', url, headers, lookup: resolve, publicOnly = false } = call;
  const encrypted = url.protocol === 'https:';
  const { request } = encrypted ? https : http;
  const agents = resolve ? AGENTS.resolved : publicOnly ? AGENTS.public : AGENTS.any;
  const lookup = publicOnly ? publicOnlyLookup(resolve) : resolve;
  try {
    return request(url, {
      method,
      agent: encrypted ? agents.https : agents.http,
      headers: {
        ...(method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(call.body)) }),
        ...headers,
      },
      ...(lookup ? { lookup } : {}),
    });
  } catch (error) {
    // A header value is not valid in HTTP.
    fail(error);
    return null;
  }
}

function readAnswer(
  call: HttpCall,
  response: http.IncomingMessage,
  resolve: (answer: HttpAnswer) => void,
  fail: (error: unknown) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const done = () => {
    clearTimeout(patience);
    const body = Buffer.concat(chunks).subarray(0, ANSWER_LIMIT).toString('utf8');
    resolve({ kind: 'answer', status: response.statusCode ?? 0, headers: response.headers, body });
  };
  const patience = call.answer === 'remarks' ? setTimeout(done, REMARKS_MS) : undefined;
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > ANSWER_LIMIT) done();
  });
  response.once('end', done);
  // The connection broke during the body: a status is enough for `remarks`, but not for `all`.
  response.once('error', (error) => (call.answer === 'remarks' ? done() : fail(error)));
}

class OutOfTime extends Error {}

function explain(error: unknown, url: URL, connected: boolean): { error: string; forbidden: boolean } {
  const say = (text: string) => ({ error: text, forbidden: false });
  if (error instanceof PrivateAddressError) return { error: error.message, forbidden: true };
  if (error instanceof OutOfTime) {
    return say(
      connected
        ? stored('{host} did not answer in time.', { host: url.host })
        : stored('{host} could not be reached in time.', { host: url.host }),
    );
  }
  const trouble = networkTrouble(error, url.host);
  if (trouble) return say(asSentence(trouble));
  if (errorCode(error).startsWith('HPE_'))
    return say(stored('{host} gave an answer that is not HTTP.', { host: url.host }));
  return say(stored('The call to {host} failed: {error}.', { host: url.host, error: messageOf(error) }));
}
