import type { FastifyRequest } from 'fastify';
import { Fault } from '../kit/fault.ts';
import type { Headers } from '../moments/integrations/adapter.ts';
import { sentHeaders, storedHeaders } from './headers.ts';
import type { Webhook } from './webhook.ts';

/** A call whose webhook is known: what is needed to store it, or to store that it was refused. */
export type Call = {
  webhook: Webhook;
  /** The database's time of the call. */
  now: Temporal.Instant;
  /** `api`, `custom` or the name of an integration. */
  integration: string;
  /** The API key or webhook whose idempotency keys count. */
  credential: string;
  bodyLimit: number;
  /** As they came, without secrets. */
  headers: Headers;
  /** All of them, for the check of the signature only: some senders show a secret instead of signing. */
  sentHeaders: Headers;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Set as soon as the token of the URL is known to be good; handlers read it through `callOf`. */
    webhookCall: Call | null;
  }
}

export function callOf(request: FastifyRequest): Call {
  if (!request.webhookCall) throw new Fault('not_found');
  return request.webhookCall;
}

export function tokenOf(request: FastifyRequest): string {
  return (request.params as { token: string }).token;
}

/** The body as it came, to the byte; empty when there was none. */
export function rawBody(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

/**
 * Notes what is known of a call. Fastify would refuse a content type that is no media type before anything is read;
 * what a body is, we find out by ourselves, so the type is noted and then hidden.
 */
export function noteCall(request: FastifyRequest, call: Omit<Call, 'headers' | 'sentHeaders'>): void {
  const sent = sentHeaders(request.headers);
  request.webhookCall = { ...call, sentHeaders: sent, headers: storedHeaders(sent, tokenOf(request)) };
  if (request.headers['content-type'] !== undefined)
    request.headers = { 'content-type': 'application/octet-stream' };
}

/** Refuses a body by what its sender says about it, before it is read. */
export function checkLength(request: FastifyRequest, bodyLimit: number): void {
  if (Number(request.headers['content-length'] ?? 0) > bodyLimit) throw tooLarge(bodyLimit);
}

export function tooLarge(bodyLimit: number): Fault {
  const limit = `${(bodyLimit / 1_024).toLocaleString('en')} KiB`;
  return new Fault('payload_too_large', [
    { field: 'body', message: `is larger than the ${limit} that are accepted here` },
  ]);
}

/** The type that curl sends with `-d` when nobody names one is let through: the body says what it is. */
const JSON_TYPE = /^application\/(?:[a-z0-9.+-]*json|x-www-form-urlencoded)\s*(?:;|$)/i;

export function requireJson(request: FastifyRequest): void {
  const type = callOf(request).headers['content-type'];
  if (type === undefined || JSON_TYPE.test(type.trim())) return;
  throw new Fault('unsupported_media_type', [
    { field: 'Content-Type', message: 'is not accepted here; send application/json' },
  ]);
}
