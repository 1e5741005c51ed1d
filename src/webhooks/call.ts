import type { FastifyRequest } from 'fastify';
import { wrongContentType } from '../kit/content-type.ts';
import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import type { Headers } from '../moments/integrations/adapter.ts';
import { sentHeaders, storedHeaders } from './headers.ts';
import type { Webhook } from './webhook.ts';

/** A call to a known webhook, with everything needed to store it or to record its refusal. */
export type Call = {
  webhook: Webhook;
  /** The database's time at which the call arrived. */
  now: Temporal.Instant;
  /** `api`, `custom` or the name of an integration. */
  integration: string;
  /** The API key or webhook that idempotency keys belong to. */
  credential: string;
  bodyLimit: number;
  /** As received, without credentials. */
  headers: Headers;
  /**
   * All headers as received. Only for checking the signature, because some senders send a shared secret instead of a
   * signature.
   */
  sentHeaders: Headers;
  /** It is a dry run, so nothing of it is stored, not even its refusal. */
  dryRun?: boolean;
  /** It exceeds the rate limit, and is refused with this fault unless it is the first event of a dedup key. */
  throttled?: Fault | null;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the token of the URL is verified; handlers read it through `callOf`. */
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

/** The body, byte for byte; empty when there was none. */
export function rawBody(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

/**
 * Sets `request.webhookCall`. Replaces the content type after saving it, because Fastify rejects an invalid one before
 * the body is read, and we detect the format from the body.
 */
export function noteCall(request: FastifyRequest, call: Omit<Call, 'headers' | 'sentHeaders'>): void {
  const sent = sentHeaders(request.headers);
  request.webhookCall = { ...call, sentHeaders: sent, headers: storedHeaders(sent, tokenOf(request)) };
  if (request.headers['content-type'] !== undefined)
    request.headers = { 'content-type': 'application/octet-stream' };
}

/** Refuses a body by its `Content-Length` before it is read. */
export function checkLength(request: FastifyRequest, bodyLimit: number): void {
  if (Number(request.headers['content-length'] ?? 0) > bodyLimit) throw tooLarge(bodyLimit);
}

export function tooLarge(bodyLimit: number): Fault {
  const limit = `${(bodyLimit / 1_024).toLocaleString('en')} KiB`;
  return new Fault('payload_too_large', [
    { field: 'body', message: t('is larger than the {limit} that are accepted here; send less', { limit }) },
  ]);
}

/** Also allows the form type, which `curl -d` sends by default; the body is parsed as JSON in any case. */
const JSON_TYPE = /^application\/(?:[a-z0-9.+-]*json|x-www-form-urlencoded)\s*(?:;|$)/i;

export function requireJson(request: FastifyRequest): void {
  const type = callOf(request).headers['content-type'];
  if (type === undefined || JSON_TYPE.test(type.trim())) return;
  throw wrongContentType(type);
}
