import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sentences } from '../../kit/detail-contract.ts';
import { Fault } from '../../kit/fault.ts';
import { textField } from '../../moments/integrations/payload.ts';
import { readPayload } from '../../moments/integrations/wrapped-payload.ts';
import { incoming } from './incoming.ts';
import { acceptCall, arriveWithKey, type DialectServices, type Receiving } from './receive.ts';
import { dialectScope, type Refusal } from './scope.ts';

const BODY_LIMIT = 1_024 * 1_024;
const PATH = '/integrations/generic/20131114/alert/:key';

/** The REST endpoint of Splunk On-Call (VictorOps); the routing key is optional, and rules can match it. */
export function victoropsRoutes(listener: FastifyInstance, services: DialectServices): void {
  dialectScope(listener, services, refused, (scope, receiving) => {
    for (const path of [PATH, `${PATH}/:routing`])
      scope.post(path, { schema: { hide: true }, bodyLimit: BODY_LIMIT }, async (request, reply) =>
        receive(receiving, request, reply),
      );
  });
}

async function receive(services: Receiving, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { key } = request.params as { key: string };
  const arrived = incoming(request, BODY_LIMIT);
  await arriveWithKey(services, request, reply, arrived, { key, dialect: 'victorops' });
  const parsed = readPayload(Buffer.from(arrived.body));
  if ('problem' in parsed) throw new Fault('bad_request', [{ field: 'body', message: parsed.problem }]);
  if (!textField(parsed.object, 'message_type'))
    throw new Fault('bad_request', [{ field: 'message_type', message: 'is missing or blank' }]);
  const given = textField(parsed.object, 'entity_id');
  const entityId = given ?? randomUUID();
  return acceptCall(services, request, {
    dedupKey: given ? null : entityId,
    answer: () => reply.code(200).send({ result: 'success', entity_id: entityId }),
  });
}

function refused({ status, details }: Refusal): { body: unknown } {
  if (status === 404)
    return { body: { result: 'failure', message: 'The key of the path is not known here.' } };
  if (status === 410)
    return { body: { result: 'failure', message: 'The page source of this key has expired.' } };
  return { body: { result: 'failure', message: sentences(details) } };
}
