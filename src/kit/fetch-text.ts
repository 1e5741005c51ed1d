import http from 'node:http';
import https from 'node:https';
import { errorText } from './error-text.ts';
import { privateLiteral, publicOnlyLookup, withoutAddresses } from './private-addresses.ts';
import { tlsTrouble } from './tls-trouble.ts';

export type FetchedText = { status: number; text: string } | { error: string };
/** The same with what the answer says of itself. */
export type FetchedDocument =
  | { status: number; text: string; etag: string | null; location: string | null }
  | { error: string };
export type FetchDocument = (url: URL, headers?: Record<string, string>) => Promise<FetchedDocument>;
/** GETs a small text. Nothing is thrown: a sentence says why there is no answer. */
export type FetchText = (url: URL) => Promise<FetchedText>;

export type FetchLimits = {
  /** For all of it, from the look-up of the name to the last byte. */
  deadlineMs: number;
  /** More than so many bytes are refused. */
  mostBytes: number;
  /** False: hosts outside the public internet are refused, after the look-up of their names. */
  allowPrivate: boolean;
};

/** One GET over a connection of its own; redirects are not followed. */
export function createFetchText(limits: FetchLimits): FetchText {
  const fetchDocument = createFetchDocument(limits);
  return async (url) => {
    const got = await fetchDocument(url);
    return 'error' in got ? got : { status: got.status, text: got.text };
  };
}

/** The same, with headers of the caller's. */
export function createFetchDocument({ deadlineMs, mostBytes, allowPrivate }: FetchLimits): FetchDocument {
  return (url, headers = {}) => {
    const { promise, resolve } = Promise.withResolvers<FetchedDocument>();
    const fail = (error: string) => resolve({ error });
    const literal = allowPrivate ? null : privateLiteral(url);
    if (literal) return Promise.resolve({ error: `${literal.message} is not on the public internet` });
    const { get } = url.protocol === 'https:' ? https : http;
    const request = get(
      url,
      { agent: false, headers, ...(allowPrivate ? {} : { lookup: publicOnlyLookup() }) },
      (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > mostBytes) fail(`${url.host} answered with more than ${mostBytes} bytes`);
          else chunks.push(chunk);
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString('utf8'),
            etag: response.headers.etag ?? null,
            location: response.headers.location ?? null,
          }),
        );
        response.on('error', (error) =>
          fail(`the answer of ${url.host} broke off (${withoutAddresses(errorText(error))})`),
        );
      },
    );
    request.on('error', (error) =>
      fail(
        tlsTrouble(error, url.host) ??
          `${url.host} cannot be reached (${withoutAddresses(errorText(error))})`,
      ),
    );
    const deadline = setTimeout(() => fail(`${url.host} did not answer within ${deadlineMs} ms`), deadlineMs);
    return promise.finally(() => {
      clearTimeout(deadline);
      request.destroy();
    });
  };
}
