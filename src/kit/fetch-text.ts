import http from 'node:http';
import https from 'node:https';
import { stored } from '../language/contract.ts';
import { errorText } from './error-text.ts';
import { networkTrouble } from './network-trouble.ts';
import {
  PrivateAddressError,
  privateLiteral,
  publicOnlyLookup,
  withoutAddresses,
} from './private-addresses.ts';

export type FetchedText = { status: number; text: string } | { error: string };
/** A fetched text with the headers that caching and redirects need. */
export type FetchedDocument =
  | { status: number; text: string; etag: string | null; location: string | null }
  | { error: string };
export type FetchDocument = (url: URL, headers?: Record<string, string>) => Promise<FetchedDocument>;
/** Fetches a small text with GET. Does not throw: `error` gives the reason if there is no response. */
export type FetchText = (url: URL) => Promise<FetchedText>;

export type FetchLimits = {
  /** For the whole request, from the DNS lookup to the last byte. */
  deadlineMs: number;
  /** Larger responses are refused. */
  mostBytes: number;
  /** If false, hosts outside the public internet are refused after the DNS lookup. */
  allowPrivate: boolean;
};

/** Fetches with one GET over a new connection, without following redirects. */
export function createFetchText(limits: FetchLimits): FetchText {
  const fetchDocument = createFetchDocument(limits);
  return async (url) => {
    const got = await fetchDocument(url);
    return 'error' in got ? got : { status: got.status, text: got.text };
  };
}

/** Like `createFetchText`, with request headers, and with the headers of `FetchedDocument`. */
export function createFetchDocument(limits: FetchLimits): FetchDocument {
  return async (url, headers = {}) => {
    const got = await ask(url, { method: 'GET', headers, body: null }, limits);
    if ('error' in got) return got;
    const { status, text } = got;
    return { status, text, etag: got.headers.etag ?? null, location: got.headers.location ?? null };
  };
}

/** The `fetch` that is passed to a library. */
export type GuardedFetch = (
  url: string,
  options: {
    method?: string;
    headers?: Record<string, string>;
    body?: ConstructorParameters<typeof Response>[0] | undefined;
  },
) => Promise<Response>;

/**
 * A `fetch` for a library that requests URLs which third parties provide. `limitsFor` returns the limits for a URL.
 * The promise rejects with a sentence when there is no response.
 */
export function createGuardedFetch(limitsFor: (url: URL) => FetchLimits): GuardedFetch {
  return async (address, { method = 'GET', headers = {}, body }) => {
    const url = new URL(address);
    const content = body ? Buffer.from(await new Response(body).arrayBuffer()) : null;
    const got = await ask(url, { method, headers, body: content }, limitsFor(url));
    if ('error' in got) throw new TypeError(got.error);
    const answered = new Headers();
    for (const [name, value] of Object.entries(got.headers))
      for (const one of [value].flat()) if (one !== undefined) answered.append(name, one);
    return new Response(got.text === '' ? null : got.text, { status: got.status, headers: answered });
  };
}

type Question = { method: string; headers: Record<string, string>; body: Buffer | null };
type Answer = { status: number; text: string; headers: http.IncomingHttpHeaders } | { error: string };

function ask(
  url: URL,
  { method, headers, body }: Question,
  { deadlineMs, mostBytes, allowPrivate }: FetchLimits,
): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const fail = (error: string) => resolve({ error });
  const literal = allowPrivate ? null : privateLiteral(url);
  if (literal)
    return Promise.resolve({
      error: stored('{host} is not on the public internet', { host: literal.message }),
    });
  const length = body ? { 'content-length': String(body.length) } : {};
  const lookup = allowPrivate ? {} : { lookup: publicOnlyLookup() };
  const { request: begin } = url.protocol === 'https:' ? https : http;
  const request = begin(
    url,
    { method, agent: false, headers: { ...headers, ...length }, ...lookup },
    (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > mostBytes)
          fail(stored('{host} answered with more than {bytes} bytes', { host: url.host, bytes: mostBytes }));
        else chunks.push(chunk);
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString('utf8'),
          headers: response.headers,
        }),
      );
      response.on('error', (error) =>
        fail(
          stored('the answer of {host} broke off ({error})', {
            host: url.host,
            error: withoutAddresses(errorText(error)),
          }),
        ),
      );
    },
  );
  request.on('error', (error) => fail(explain(url, error)));
  const tooLate = stored('{host} did not answer within {seconds} s', {
    host: url.host,
    seconds: deadlineMs / 1_000,
  });
  const deadline = setTimeout(() => fail(tooLate), deadlineMs);
  request.end(body ?? undefined);
  return promise.finally(() => {
    clearTimeout(deadline);
    request.destroy();
  });
}

function explain(url: URL, error: Error): string {
  if (error instanceof PrivateAddressError)
    return stored('{host} is not on the public internet', { host: error.message });
  return (
    networkTrouble(error, url.host) ??
    stored('{host} cannot be reached ({error})', {
      host: url.host,
      error: withoutAddresses(errorText(error)),
    })
  );
}
