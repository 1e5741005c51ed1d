import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sentences } from '../../kit/detail-contract.ts';
import { Fault } from '../../kit/fault.ts';
import { readPayload } from '../../moments/integrations/wrapped-payload.ts';
import { refuseDryRun } from '../dry-run.ts';
import type { DialectHeartbeats } from './heartbeats.ts';
import { incoming } from './incoming.ts';
import { acceptCall, arriveWithKey, type DialectServices, type Receiving } from './receive.ts';
import { dialectScope, type Refusal } from './scope.ts';

const BODY_LIMIT = 5 * 1_024 * 1_024;
const PATH = '/integrations/v1/:type/:token';

/** The integration URLs of Grafana OnCall, whatever their type, and their heartbeats. */
export function oncallRoutes(
  listener: FastifyInstance,
  services: DialectServices & { heartbeats: DialectHeartbeats },
): void {
  dialectScope(listener, services, refused, (scope, receiving) => {
    scope.post(PATH, { schema: { hide: true }, bodyLimit: BODY_LIMIT }, async (request, reply) =>
      receive(receiving, request, reply),
    );
    scope.route({
      method: ['GET', 'POST'],
      url: `${PATH}/heartbeat`,
      schema: { hide: true },
      bodyLimit: BODY_LIMIT,
      handler: async (request, reply) => beat(receiving, request, reply),
    });
  });
}

async function arrive(services: DialectServices, request: FastifyRequest, reply: FastifyReply) {
  const { token: key } = request.params as { token: string };
  const arrived = incoming(request, BODY_LIMIT);
  const source = await arriveWithKey(services, request, reply, arrived, { key, dialect: 'grafana-oncall' });
  return { arrived, source };
}

async function receive(services: Receiving, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { arrived } = await arrive(services, request, reply);
  const parsed = readPayload(Buffer.from(arrived.body));
  if ('problem' in parsed) throw new Fault('bad_request', [{ field: 'body', message: parsed.problem }]);
  return acceptCall(services, request, { answer: () => ok(reply) });
}

/**
 * OnCall has one heartbeat for each integration. Here, it is a source of the same team that is named after this one.
 */
async function beat(
  services: Receiving & { heartbeats: DialectHeartbeats },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { source } = await arrive(services, request, reply);
  refuseDryRun(request);
  await services.heartbeats.beat(source, null);
  return ok(reply);
}

/** A JSON string, as OnCall answers. */
function ok(reply: FastifyReply): FastifyReply {
  return reply.code(200).type('application/json').send('"Ok."');
}

function refused({ status, details }: Refusal): { status?: number; body: unknown } {
  if (status === 404)
    return { status: 403, body: { detail: 'Integration key was not found. Permission denied.' } };
  if (status === 410) return { body: { detail: 'The page source of this token has expired.' } };
  return { body: { detail: sentences(details) } };
}
