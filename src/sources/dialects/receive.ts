import type { FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../../kit/fault.ts';
import { dialectBody, readDialectCall } from '../../moments/integrations/dialect-call.ts';
import type { QueuedEnvelope } from '../../requests/contract.ts';
import type { AcceptCall } from '../../webhooks/accept.ts';
import { callOf, rawBody } from '../../webhooks/call.ts';
import type { ReceivingServices } from '../../webhooks/receiving.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import type { Dialect } from '../contract.ts';
import type { HashKey } from '../key.ts';
import { type Incoming, withoutKey } from './incoming.ts';

export type DialectServices = ReceivingServices & { hashKey: HashKey };

/** What a route needs besides the request: the services, and how calls are stored. */
export type Receiving = DialectServices & { accept: AcceptCall };

/**
 * Finds the source of a key and spends its rate limit. From then on, a refusal of the call is recorded for the people of
 * the source, without the key.
 * @throws Fault 404 when the key is unknown, 410 when its source has expired, and 429
 */
export async function arriveWithKey(
  { hashKey, tokens, budgets }: DialectServices,
  request: FastifyRequest,
  reply: FastifyReply,
  arrived: Incoming,
  { key, dialect }: { key: string; dialect: Dialect },
): Promise<Webhook> {
  reply.header('cache-control', 'no-store');
  const hash = await hashKey(key);
  if (!hash) throw new Fault('not_found');
  const { webhook, now } = await tokens.resolveKey(hash, request.ip);
  if (webhook.type !== dialect) throw new Fault('not_found');
  budgets.spend(webhook.id, 'pages');
  const { call, headers } = withoutKey(arrived, key);
  request.body = dialectBody(call);
  request.webhookCall = {
    ...{ webhook, now, headers, integration: dialect, credential: webhook.id },
    ...{ bodyLimit: Number.POSITIVE_INFINITY, sentHeaders: headers },
  };
  return webhook;
}

/**
 * Stores a call of a source that was found, and answers with the id of its request. `dedupKey`: the key that our answer
 * gives the event, or that of the page whose id the call names.
 */
export function acceptCall(
  { accept }: Receiving,
  request: FastifyRequest,
  dedupKey: string | null = null,
): Promise<QueuedEnvelope> {
  callOf(request);
  // A key that we made is not part of what the sender repeats.
  const content = rawBody(request);
  if (dedupKey !== null) request.body = withDedupKey(content, dedupKey);
  return accept(request, content, []);
}

function withDedupKey(stored: Buffer, dedupKey: string): Buffer {
  return dialectBody({ ...readDialectCall(stored), dedup_key: dedupKey });
}
