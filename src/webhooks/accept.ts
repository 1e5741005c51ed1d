import type { FastifyRequest } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import { stored } from '../language/contract.ts';
import { API_FORM } from '../moments/integrations/registry.ts';
import { createAcceptor, inOneStatement, queuedEnvelope, type Safety } from '../requests/accept.ts';
import type { QueuedEnvelope, RequestKind } from '../requests/contract.ts';
import { readIdempotency } from '../requests/idempotency.ts';
import { callOf, rawBody } from './call.ts';
import { type CallRow, lateCalls, queuedCalls } from './call-store.ts';

export type AcceptCall = (
  request: FastifyRequest,
  /** Two calls with the same idempotency key must have the same content. */
  content: unknown,
  warnings: string[],
) => Promise<QueuedEnvelope>;

/** Stores raw calls, many in one commit, each with the request that its answer names. Calls `wake` for each new one. */
export function createCallAcceptor(
  db: Database,
  clock: Clock,
  wake: (kind: RequestKind) => void,
  { safety = {}, warnings: always = [] }: { safety?: Safety | undefined; warnings?: readonly string[] } = {},
): AcceptCall {
  const acceptor = createAcceptor(
    db,
    inOneStatement(clock, (again) => queuedCalls(clock, again)),
    safety,
    (handle) => lateCalls(handle, clock),
  );
  return async (request, content, warnings) => {
    const call = callOf(request);
    const key = request.headers['idempotency-key'];
    const requestId = newId('request');
    const body = rawBody(request);
    const { pages } = call.webhook;
    const kind: RequestKind = pages ? 'source' : call.integration === API_FORM ? 'moment' : 'webhook';
    const row: CallRow = {
      notification_id: newId('notification'),
      webhook_id: call.webhook.id,
      integration: call.integration,
      headers: call.headers,
      body: body.toString('base64'),
      pages,
    };
    const { envelope, replayed } = await acceptor.write({
      requestId,
      organizationId: call.webhook.organizationId,
      kind,
      credential: call.credential,
      idempotency: readIdempotency(key, `POST /${pages ? 'page' : 'moment'} ${call.webhook.id}`, content),
      envelope: queuedEnvelope(requestId, pages ? PAGE_QUEUED : MOMENT_QUEUED, [...warnings, ...always]),
      row,
      rank: 0,
      bytes: body.length,
    });
    if (!replayed) wake(kind);
    return envelope;
  };
}

const MOMENT_QUEUED = stored('The moment has been queued; look up its request to see the outcome.');
const PAGE_QUEUED = stored('The event has been queued; look up its request to see what it did.');
