import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { awayReason, isDatabaseAway } from '../../db/away.ts';
import { type Detail, Fault } from '../../kit/fault.ts';
import { receiveCalls } from '../../webhooks/receiving.ts';
import type { DialectServices, Receiving } from './receive.ts';

/** The reason for refusing a call: the HTTP status, and the problems. */
export type Refusal = { status: number; details: readonly Detail[] };

/** The body of a refusal in the format of the other product, and its status there if it is different. */
export type Refuse = (refusal: Refusal, reply: FastifyReply) => { status?: number; body: unknown };

/**
 * Routes that read their bodies themselves, whatever the content type, and whose errors are read by another product's
 * clients.
 */
export function dialectScope<Services extends DialectServices>(
  listener: FastifyInstance,
  services: Services,
  refuse: Refuse,
  routes: (scope: FastifyInstance, receiving: Services & Receiving) => void,
): void {
  listener.register(async (scope) => {
    scope.addHook('onRequest', async (request) => ignoreContentType(request));
    answerRefusals(scope, refuse);
    receiveCalls(scope, services, (inner, accept) => routes(inner, { ...services, accept }));
  });
}

/**
 * The framework refuses invalid content types before the body is read, but the format of these bodies is detected from
 * their content.
 */
function ignoreContentType(request: FastifyRequest): void {
  if (request.headers['content-type'] !== undefined)
    request.headers = { ...request.headers, 'content-type': 'application/octet-stream' };
}

function answerRefusals(scope: FastifyInstance, refuse: Refuse): void {
  scope.setErrorHandler(async (error: FastifyError, request, reply) => {
    const refusal = refusalOf(error, request);
    // Our own bugs are logged and answered as everywhere.
    if (!refusal) throw error;
    const { status = refusal.status, body } = refuse(refusal, reply);
    if (error instanceof Fault) reply.headers(error.headers);
    if (status === 503) reply.header('retry-after', '2');
    return reply.code(status).send(body);
  });
}

function refusalOf(error: FastifyError, { isAfloat }: FastifyRequest): Refusal | null {
  if (error instanceof Fault) return { status: error.status, details: error.details };
  if (isDatabaseAway(error)) {
    const message = `${awayReason(isAfloat)}; send the request again`;
    return { status: 503, details: [{ field: 'service', message }] };
  }
  const status = error.statusCode ?? 500;
  return status >= 400 && status < 500
    ? { status, details: [{ field: 'request', message: `cannot be read (${error.message})` }] }
    : null;
}
