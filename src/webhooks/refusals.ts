import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault, type FaultCode } from '../kit/fault.ts';
import { newId } from '../kit/typeid.ts';
import { problemSentence } from '../moments/form.ts';
import { type Call, rawBody } from './call.ts';
import type { WebhookHealth } from './health.ts';
import { insertRefused } from './received-store.ts';

/** Faults of the sender's that those who own the webhook want to see. */
const RECORDED: readonly FaultCode[] = [
  'bad_request',
  'unauthorized',
  'payload_too_large',
  'unsupported_media_type',
];

export type RefusalServices = {
  db: Database;
  clock: Clock;
  health: WebhookHealth;
  /** Told whose call was refused. */
  refused?(organizationId: string): void;
};

/**
 * Keeps every call to a known webhook that is answered with an error of the sender's, as a received notification with
 * the reason: whoever set up the sender would otherwise look at silence.
 */
export function recordRefusals(
  scope: FastifyInstance,
  { db, clock, health, refused }: RefusalServices,
): void {
  scope.setErrorHandler(async (error: FastifyError, request) => {
    const call = request.webhookCall;
    const reason = call && refusalReason(error);
    const authentic = !(error instanceof Fault && error.code === 'unauthorized');
    if (reason) {
      await recordRefusal(db, clock, request, { ...call, reason, authentic });
      const { id: webhookId, organizationId } = call.webhook;
      health.failed({ organizationId, webhookId }, authentic ? 'calls' : 'signature', reason);
      refused?.(organizationId);
    }
    throw error;
  });
}

function refusalReason(error: FastifyError): string | null {
  if (error instanceof Fault) return RECORDED.includes(error.code) ? problemSentence(error.details) : null;
  const status = error.statusCode ?? 500;
  return status >= 400 && status < 500 ? `${error.message}.` : null;
}

async function recordRefusal(
  db: Database,
  clock: Clock,
  request: FastifyRequest,
  refused: Call & { reason: string; authentic: boolean },
): Promise<void> {
  await insertRefused(db, clock, {
    id: newId('notification'),
    organizationId: refused.webhook.organizationId,
    webhookId: refused.webhook.id,
    integration: refused.integration,
    headers: refused.headers,
    body: rawBody(request),
    reason: refused.reason,
    authentic: refused.authentic,
  });
}
