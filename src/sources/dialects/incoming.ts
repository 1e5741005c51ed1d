import type { FastifyRequest } from 'fastify';
import { Fault } from '../../kit/fault.ts';
import type { Headers } from '../../moments/integrations/adapter.ts';
import type { DialectCall } from '../../moments/integrations/dialect-call.ts';
import { rawBody } from '../../webhooks/call.ts';
import { sentHeaders, storedHeaders } from '../../webhooks/headers.ts';
import { unpackedBody } from '../../webhooks/packed-body.ts';

/** A call of a dialect as it arrived, before anything is verified. */
export type Incoming = DialectCall & {
  /** All headers, including those with credentials. */
  headers: Headers;
};

/** @throws Fault 413 if the decompressed body is larger than `bodyLimit`, and 400 if it cannot be decompressed */
export function incoming(request: FastifyRequest, bodyLimit: number): Incoming {
  const headers = sentHeaders(request.headers);
  const unpacked = unpackedBody(headers, rawBody(request), bodyLimit);
  if ('problem' in unpacked)
    throw new Fault(unpacked.tooLarge ? 'payload_too_large' : 'bad_request', [
      { field: 'body', message: unpacked.problem },
    ]);
  return {
    method: request.method,
    path: request.url.split('?')[0] ?? '/',
    query: queryOf(request),
    headers,
    // Characters in another encoding are replaced: a title that reads badly is better than no page.
    body: unpacked.body.toString('utf8').replace(/^\uFEFF/, ''),
  };
}

function queryOf(request: FastifyRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries((request.query ?? {}) as Record<string, unknown>).flatMap(([name, value]) => {
      const [first] = [value].flat();
      return typeof first === 'string' ? [[name, first]] : [];
    }),
  );
}

/** The stored part of a call, without the key, which people who may see received calls do not need. */
export function withoutKey(
  { method, path, query, body, headers }: Incoming,
  key: string,
): { call: DialectCall; headers: Headers } {
  const hidden = `****${key.slice(-4)}`;
  const hide = (text: string) => text.replaceAll(key, hidden).replaceAll(encodeURIComponent(key), hidden);
  const shown = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, hide(value)]));
  const { 'content-encoding': _, ...others } = storedHeaders(headers, key);
  return { call: { method, path: hide(path), query: shown, body: hide(body) }, headers: others };
}
