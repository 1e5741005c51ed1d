import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sentences } from '../../kit/detail-contract.ts';
import { Fault } from '../../kit/fault.ts';
import { textField } from '../../moments/integrations/payload.ts';
import { readPayload } from '../../moments/integrations/wrapped-payload.ts';
import { type Incoming, incoming } from './incoming.ts';
import { acceptCall, arriveWithKey, type DialectServices, type Receiving } from './receive.ts';
import { dialectScope, type Refusal } from './scope.ts';

const BODY_LIMIT = 5 * 1_024 * 1_024;
const PATHS = [
  ...['/api/v2/generic/incoming', '/v1/api/alerts'],
  ...['/api/v2/grafana/incoming', '/api/v2/prometheusalertmanager/incoming'],
];

/** GoAlert's integration keys: generic, Grafana and Prometheus Alertmanager. */
export function goalertRoutes(listener: FastifyInstance, services: DialectServices): void {
  dialectScope(listener, services, refused, (scope, receiving) => {
    for (const path of PATHS)
      scope.post(path, { schema: { hide: true }, bodyLimit: BODY_LIMIT }, async (request, reply) =>
        receive(receiving, request, reply),
      );
  });
}

async function receive(services: Receiving, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const arrived = incoming(request, BODY_LIMIT);
  const parsed = arrived.body.trim() === '' ? { object: {} } : readPayload(Buffer.from(arrived.body));
  const body = 'object' in parsed ? parsed.object : {};
  const key = arrived.query.token ?? bearer(arrived) ?? textField(body, 'token');
  if (!key) throw new Fault('unauthorized', [{ field: 'token', message: 'is missing' }]);
  await arriveWithKey(services, request, reply, arrived, { key: key.trim(), dialect: 'goalert' });
  if ('problem' in parsed) throw new Fault('bad_request', [{ field: 'body', message: parsed.problem }]);
  if (/generic|alerts$/.test(arrived.path))
    requireSummary((name) => textField(body, name) ?? arrived.query[name]);
  return acceptCall(services, request, { answer: () => reply.code(204).send() });
}

function bearer({ headers }: Incoming): string | null {
  return /^bearer\s+(\S+)$/i.exec(headers.authorization?.trim() ?? '')?.[1] ?? null;
}

/** A call that ends an alert may name it by its dedup key alone. */
function requireSummary(text: (name: string) => string | null | undefined): void {
  if (text('summary') || (text('action')?.toLowerCase() === 'close' && text('dedup'))) return;
  throw new Fault('bad_request', [{ field: 'summary', message: 'is missing or blank' }]);
}

/** GoAlert answers errors as plain text. */
function refused({ status, details }: Refusal): { status?: number; body: string } {
  if (status === 404) return { status: 401, body: 'unauthorized: the token is not known here\n' };
  if (status === 410) return { body: 'the page source of this token has expired\n' };
  return { body: `${sentences(details)}\n` };
}
