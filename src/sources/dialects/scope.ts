import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { awayReason, isDatabaseAway } from '../../db/away.ts';
import { type Detail, Fault } from '../../kit/fault.ts';
import { receiveCalls } from '../../webhooks/receiving.ts';
import type { DialectServices, Receiving } from './receive.ts';

/** Why a call is refused: the status of HTTP, and the problems with it. */
export type Refusal = { status: number; details: readonly Detail[] };

/** The body of a refusal, in the shape of the other product, and its status if that is another one there. */
export type Refuse = (refusal: Refusal, reply: FastifyReply) => { status?: number; body: unknown };

/** Routes whose bodies are read by themselves, whatever their content type, and whose errors another product's clients read. */
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

/** The framework refuses invalid content types before the body is read; these bodies are known by looking at them. */
function ignoreContentType(request: FastifyRequest): void {
  if (request.headers['content-type'] !== undefined)
    request.headers = { ...request.headers, 'content-type': 'application/octet-stream' };
}

function answerRefusals(scope: FastifyInstance, refuse: Refuse): void {
  scope.setErrorHandler(async (error: FastifyError, request, reply) => {
    const refusal = refusalOf(error, request);
    // A bug of ours is logged and answered like any other.
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
