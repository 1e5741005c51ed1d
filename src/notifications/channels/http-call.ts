import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { errorCode } from '../../kit/error-text.ts';
import { PrivateAddressError, privateLiteral, publicOnlyLookup } from '../../kit/private-addresses.ts';
import { asSentence, tlsTrouble } from '../../kit/tls-trouble.ts';
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
 * Each call has a connection and, with TLS, a session of its own. These agents are shared, because making one for each call takes
 * longer than the connection.
 */
const AGENTS = {
  http: new http.Agent({ keepAlive: false }),
  https: new https.Agent({ keepAlive: false, maxCachedSessions: 0 }),
};

export type HttpCall = {
  url: URL;
  headers: Record<string, string>;
  body: string | Buffer;
  signal: AbortSignal;
  /** Resolves host names to addresses. */
  lookup?: LookupFunction | undefined;
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
 * Makes a POST request without following redirects. It limits the size of the response, `signal` limits the time, and
 * it never throws. It uses a new connection: if an idle one were reset, nobody could tell whether the server received
 * the request.
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
  request.once('socket', (socket) => {
    socket.once(call.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      // After a pause, a process handles its sockets before its timers, so `signal` may abort too late.
      if (performance.now() - begunAt > STOOD_STILL_MS) return abort();
      connected = true;
      request.end(call.body);
    });
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
  call: Omit<HttpCall, 'lookup'>,
  allowPrivate: boolean,
  resolve?: LookupFunction,
): Promise<HttpAnswer | HttpFailure> {
  if (allowPrivate) return post({ ...call, lookup: resolve });
  const inside = privateLiteral(call.url);
  if (inside) return { kind: 'failure', error: inside.message, maybeSent: false, forbidden: true };
  return post({ ...call, lookup: publicOnlyLookup(resolve) });
}

function begin(call: HttpCall, fail: (error: unknown) => void): http.ClientRequest | null {
  const { url, headers, lookup } = call;
  const encrypted = url.protocol === 'https:';
  const { request } = encrypted ? https : http;
  try {
    return request(url, {
      method: 'POST',
      agent: encrypted ? AGENTS.https : AGENTS.http,
      headers: { 'content-length': String(Buffer.byteLength(call.body)), ...headers },
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

const SENTENCES: Record<string, (host: string) => string> = {
  ECONNREFUSED: (host) => stored('{host} refuses connections.', { host }),
  ENOTFOUND: (host) => stored('The host name of {host} does not exist.', { host }),
  EAI_AGAIN: (host) => stored('The host name of {host} cannot be looked up right now.', { host }),
  ECONNRESET: (host) => stored('{host} closed the connection before it had answered.', { host }),
  EPIPE: (host) => stored('{host} closed the connection before it had answered.', { host }),
  EHOSTUNREACH: (host) => stored('There is no route to {host}.', { host }),
  ENETUNREACH: (host) => stored('There is no route to {host}.', { host }),
  ETIMEDOUT: (host) => stored('{host} does not answer connections.', { host }),
  HPE_HEADER_OVERFLOW: (host) => stored('{host} answered with too many headers.', { host }),
};

function explain(error: unknown, url: URL, connected: boolean): { error: string; forbidden: boolean } {
  const code = errorCode(error);
  const sentence = SENTENCES[code];
  const say = (text: string) => ({ error: text, forbidden: false });
  if (error instanceof PrivateAddressError) return { error: error.message, forbidden: true };
  if (error instanceof OutOfTime) {
    return say(
      connected
        ? stored('{host} did not answer in time.', { host: url.host })
        : stored('{host} could not be reached in time.', { host: url.host }),
    );
  }
  const trouble = tlsTrouble(error, url.host);
  if (trouble) return say(asSentence(trouble));
  if (sentence) return say(sentence(url.host));
  if (code.startsWith('HPE_'))
    return say(stored('{host} gave an answer that is not HTTP.', { host: url.host }));
  return say(stored('The call to {host} failed: {error}.', { host: url.host, error: messageOf(error) }));
}
