import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { sentences } from '../kit/detail-contract.ts';
import { Fault, type FaultCode } from '../kit/fault.ts';
import { newId } from '../kit/typeid.ts';
import type { Headers } from '../moments/integrations/adapter.ts';
import { type ByteBudgets, ROW_BYTES } from './byte-budget.ts';
import { type Call, rawBody } from './call.ts';
import { insertRefused } from './call-store.ts';
import type { WebhookHealth } from './health.ts';

/** Client errors that are listed for the owners of the webhook. */
const RECORDED: readonly FaultCode[] = [
  'bad_request',
  'unauthorized',
  'payload_too_large',
  'unsupported_media_type',
];

/** The stored part of the body of a refused call, and of its headers. */
const MOST_BYTES = 4 * 1_024;

export type RefusalServices = {
  db: Database;
  /** The byte budgets for refused calls. */
  refusedBytes: ByteBudgets;
  /** Whether the disk is nearly full; bodies are not stored then. */
  isLow(): boolean;
  clock: Clock;
  health: WebhookHealth;
  /** Receives the organization whose call was refused. */
  refused?(organizationId: string): void;
};

/**
 * Records every call to a known webhook that is refused with a client error: the beginning of its body, and the reason.
 * Otherwise, the person who sets up the sender would see nothing at all.
 */
export function recordRefusals(scope: FastifyInstance, services: RefusalServices): void {
  const { health, refused } = services;
  scope.setErrorHandler(async (error: FastifyError, request) => {
    const call = request.webhookCall;
    const reason = call && !call.dryRun && refusalReason(error);
    const authentic = !(error instanceof Fault && error.code === 'unauthorized');
    if (reason) {
      await recordRefusal(services, request, { ...call, reason, authentic });
      const { id: webhookId, organizationId } = call.webhook;
      health.failed({ organizationId, webhookId }, authentic ? 'calls' : 'signature', reason);
      refused?.(organizationId);
    }
    throw error;
  });
}

function refusalReason(error: FastifyError): string | null {
  if (error instanceof Fault) return RECORDED.includes(error.code) ? sentences(error.details) : null;
  const status = error.statusCode ?? 500;
  return status >= 400 && status < 500 ? `${error.message}.` : null;
}

/** Calls beyond the budget are not stored, but still count towards the problem on the Problems page. */
async function recordRefusal(
  { db, clock, refusedBytes, isLow }: RefusalServices,
  request: FastifyRequest,
  refused: Call & { reason: string; authentic: boolean },
): Promise<void> {
  const whole = rawBody(request);
  const body = whole.subarray(0, isLow() ? 0 : MOST_BYTES);
  if (!refusedBytes.spend(refused.webhook.id, body.length + ROW_BYTES)) return;
  await insertRefused(db, clock, {
    id: newId('notification'),
    organizationId: refused.webhook.organizationId,
    webhookId: refused.webhook.id,
    integration: refused.integration,
    headers: fewHeaders(refused.headers),
    body,
    bodyBytes: body.length < whole.length ? whole.length : null,
    reason: refused.reason,
    authentic: refused.authentic,
  });
}

function fewHeaders(headers: Headers): Headers {
  let bytes = 0;
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => {
      bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
      return bytes <= MOST_BYTES;
    }),
  );
}
