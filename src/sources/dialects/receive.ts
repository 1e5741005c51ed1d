import type { FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../../kit/fault.ts';
import { dialectBody, readDialectCall } from '../../moments/integrations/dialect-call.ts';
import type { AcceptCall } from '../../webhooks/accept.ts';
import { callOf, rawBody } from '../../webhooks/call.ts';
import type { ReceivingServices } from '../../webhooks/receiving.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import type { Dialect } from '../contract.ts';
import { isDryRun } from '../dry-run.ts';
import type { FirstEvents } from '../first-events.ts';
import type { HashKey } from '../key.ts';
import type { Tries } from '../try.ts';
import { type Incoming, withoutKey } from './incoming.ts';

export type DialectServices = ReceivingServices & {
  hashKey: HashKey;
  firstEvents: FirstEvents;
  tries: Tries;
};

/** The services that a route needs besides the request, and how calls are stored. */
export type Receiving = DialectServices & { accept: AcceptCall };

/**
 * Finds the source of a key and applies its rate limit. From then on, a refusal of the call is recorded for the people
 * of the source, without the key. @throws Fault 404 if the key is unknown, 410 if its source has expired, and 429
 * beyond the rate limit, unless it is the first event of a dedup key
 */
export async function arriveWithKey(
  { hashKey, tokens, budgets, firstEvents }: DialectServices,
  request: FastifyRequest,
  reply: FastifyReply,
  arrived: Incoming,
  { key, dialect }: { key: string; dialect: Dialect },
): Promise<Webhook> {
  reply.header('cache-control', 'no-store');
  const hash = await hashKey(key);
  if (!hash) throw new Fault('not_found');
  const dryRun = isDryRun(request);
  const { webhook, now } = await tokens.resolveKey(hash, { address: request.ip, unnoted: dryRun });
  if (webhook.type !== dialect) throw new Fault('not_found');
  const { call, headers } = withoutKey(arrived, key);
  const body = dialectBody(call);
  const known = {
    ...{ webhook, now, headers, integration: dialect, credential: webhook.id },
    ...{ bodyLimit: Number.POSITIVE_INFINITY, sentHeaders: headers, dryRun },
  };
  const throttled = budgets.refusal(webhook.id, 'pages');
  if (throttled && dryRun) throw throttled;
  if (throttled) await firstEvents.admit(known, body, throttled);
  request.body = body;
  request.webhookCall = known;
  return webhook;
}

/** The answer to a call once it is stored, given the id of its request. */
type Accepted = {
  /** The key that our answer gives the event, or that of the page whose id the call names. */
  dedupKey?: string | null | undefined;
  answer: (requestId: string) => unknown;
};

/** Stores a call of a known source, or reports the result of a dry run, which none of these products' APIs offers. */
export async function acceptCall(
  { accept, tries }: Receiving,
  request: FastifyRequest,
  { dedupKey = null, answer }: Accepted,
): Promise<unknown> {
  const { webhook, headers, dryRun } = callOf(request);
  // A key that we generated is not part of what the sender repeats.
  const content = rawBody(request);
  if (dedupKey !== null) request.body = withDedupKey(content, dedupKey);
  if (dryRun) return tries.tryCall({ sourceId: webhook.id, headers, body: rawBody(request) });
  const { service_request_id } = await accept(request, content, []);
  return answer(service_request_id);
}

function withDedupKey(stored: Buffer, dedupKey: string): Buffer {
  return dialectBody({ ...readDialectCall(stored), dedup_key: dedupKey });
}
