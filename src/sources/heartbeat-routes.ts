import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Budgets } from '../keys/budget.ts';
import { Fault } from '../kit/fault.ts';
import { instantText } from '../kit/instant.ts';
import { COMMON_REFUSALS, ErrorEnvelope } from '../requests/contract.ts';
import { tokenOf } from '../webhooks/call.ts';
import type { WebhookTokens } from '../webhooks/tokens.ts';
import { HEARTBEAT } from './contract.ts';
import { refuseDryRun } from './dry-run.ts';
import { noteBeat } from './heartbeat-store.ts';

const HeartbeatNoted = Type.Object({
  message: Type.String(),
  due_at: Type.String({ description: 'When the next call is due, in UTC.' }),
});
type HeartbeatNoted = Static<typeof HeartbeatNoted>;

export type HeartbeatServices = { db: Database; clock: Clock; budgets: Budgets; tokens: WebhookTokens };

/** The bodies of heartbeats are not read. */
const BODY_LIMIT = 64 * 1_024;

/** The token in the path is the only credential. */
const { 401: _, 403: __, ...REFUSALS } = COMMON_REFUSALS;

/** GET, HEAD and POST /heartbeat/:token: a system reports that it is alive (page sources, section 5). */
export function heartbeatRoutes(listener: FastifyInstance, services: HeartbeatServices): void {
  listener.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async () => null);
    const schema = (operationId: string) => ({
      tags: ['Pages'],
      operationId,
      summary: 'Say that a system is alive',
      description:
        'For page sources of type heartbeat, with any body or none. When no call comes within the interval of the source, it pages; the next call resolves that page.',
      security: [],
      params: Type.Object({ token: Type.String({ description: 'Token of a page source of the team.' }) }),
      response: { 200: HeartbeatNoted, ...REFUSALS, 404: ErrorEnvelope, 410: ErrorEnvelope },
    });
    const options = { bodyLimit: BODY_LIMIT, onRequest: anyContentType };
    const beat = (request: FastifyRequest, reply: FastifyReply) => noteCall(services, request, reply);
    scope.get('/heartbeat/:token', { ...options, schema: schema('heartbeat') }, beat);
    scope.post('/heartbeat/:token', { ...options, schema: schema('postHeartbeat') }, beat);
  });
}

async function noteCall(
  { db, clock, budgets, tokens }: HeartbeatServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<HeartbeatNoted> {
  const { webhook } = await tokens.resolve(tokenOf(request), 'page');
  if (webhook.type !== HEARTBEAT) throw new Fault('not_found');
  refuseDryRun(request);
  budgets.spend(webhook.id, 'pages');
  const dueAt = await noteBeat(db, clock, webhook.id);
  if (!dueAt) throw new Fault('not_found');
  reply.header('cache-control', 'no-store');
  return { message: 'The heartbeat was recorded.', due_at: instantText(dueAt) };
}

/** Fastify refuses content types that it cannot parse, before the body is read. */
async function anyContentType(request: FastifyRequest): Promise<void> {
  if (request.headers['content-type'] !== undefined)
    request.headers = { ...request.headers, 'content-type': 'application/octet-stream' };
}
