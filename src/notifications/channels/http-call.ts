import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { errorCode } from '../../kit/error-text.ts';
import { PrivateAddressError, privateLiteral, publicOnlyLookup } from '../../kit/private-addresses.ts';
import { asSentence, tlsTrouble } from '../../kit/tls-trouble.ts';
import { messageOf } from './outcome.ts';

/** Bytes of an answer that are kept; the connection is closed on more. */
const ANSWER_LIMIT = 64 * 1024;
/** How long the body of an answer may take when only the status matters. */
const REMARKS_MS = 1_000;
/** No call lasts that long: whoever finds so much time gone before it was connected stood still, and others have its work. */
const STOOD_STILL_MS = 12_000;

export type HttpCall = {
  url: URL;
  headers: Record<string, string>;
  body: string | Buffer;
  signal: AbortSignal;
  /** Decides which addresses a host name stands for. */
  lookup?: LookupFunction | undefined;
  /**
   * `all`: the answer means nothing without its body, wait for it. `remarks`: the status decides, the body is
   * read for a moment because it may say why.
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

/** No answer. `maybeSent` tells whether the request may have left; `forbidden` that the address is private. */
export type HttpFailure = { kind: 'failure'; error: string; maybeSent: boolean; forbidden: boolean };

/**
 * One POST over a connection of its own: redirects are not followed, the answer is bounded in size, everything is
 * bounded by `signal`, and nothing is thrown. A connection of its own means that a reset is never that of an idle
 * connection, after which nobody could tell whether the request was seen.
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
      // When a process wakes up, its connections are looked at before its timers: the signal may come only afterwards.
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
 * The same for an address that somebody else chose: unless `allowPrivate`, only the public internet is called. `resolve`
 * stands in for the system's resolver in tests.
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
  const { request } = url.protocol === 'https:' ? https : http;
  try {
    return request(url, {
      method: 'POST',
      agent: false,
      headers: { 'content-length': String(Buffer.byteLength(call.body)), ...headers },
      ...(lookup ? { lookup } : {}),
    });
  } catch (error) {
    // Header values that HTTP cannot carry.
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
  // Cut short: a status that was read stands; an answer that needs its body is none.
  response.once('error', (error) => (call.answer === 'remarks' ? done() : fail(error)));
}

class OutOfTime extends Error {}

const SENTENCES: Record<string, (host: string) => string> = {
  ECONNREFUSED: (host) => `${host} refuses connections.`,
  ENOTFOUND: (host) => `The host name of ${host} does not exist.`,
  EAI_AGAIN: (host) => `The host name of ${host} cannot be looked up right now.`,
  ECONNRESET: (host) => `${host} closed the connection before it had answered.`,
  EPIPE: (host) => `${host} closed the connection before it had answered.`,
  EHOSTUNREACH: (host) => `There is no route to ${host}.`,
  ENETUNREACH: (host) => `There is no route to ${host}.`,
  ETIMEDOUT: (host) => `${host} does not answer connections.`,
  HPE_HEADER_OVERFLOW: (host) => `${host} answered with too many headers.`,
};

function explain(error: unknown, url: URL, connected: boolean): { error: string; forbidden: boolean } {
  const code = errorCode(error);
  const sentence = SENTENCES[code];
  const say = (text: string) => ({ error: text, forbidden: false });
  if (error instanceof PrivateAddressError) return { error: error.message, forbidden: true };
  if (error instanceof OutOfTime) {
    return say(
      connected ? `${url.host} did not answer in time.` : `${url.host} could not be reached in time.`,
    );
  }
  const trouble = tlsTrouble(error, url.host);
  if (trouble) return say(asSentence(trouble));
  if (sentence) return say(sentence(url.host));
  if (code.startsWith('HPE_')) return say(`${url.host} answered with something that is not HTTP.`);
  return say(`The call to ${url.host} failed: ${messageOf(error)}.`);
}
