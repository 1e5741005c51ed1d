import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sentences } from '../../kit/detail-contract.ts';
import { Fault } from '../../kit/fault.ts';
import { site24x7Problem } from '../../moments/integrations/goalert.ts';
import { textField } from '../../moments/integrations/payload.ts';
import { readPayload } from '../../moments/integrations/wrapped-payload.ts';
import { HEARTBEAT } from '../contract.ts';
import { refuseDryRun } from '../dry-run.ts';
import type { DialectHeartbeats } from './heartbeats.ts';
import { type Incoming, incoming } from './incoming.ts';
import { acceptCall, arriveWithKey, type DialectServices, type Receiving } from './receive.ts';
import { dialectScope, type Refusal } from './scope.ts';

const BODY_LIMIT = 5 * 1_024 * 1_024;
const PATHS = [
  ...['/api/v2/generic/incoming', '/v1/api/alerts'],
  ...['/api/v2/grafana/incoming', '/api/v2/prometheusalertmanager/incoming', '/api/v2/site24x7/incoming'],
];

const HEARTBEAT_PATHS = ['/api/v2/heartbeat/:monitor', '/v1/api/heartbeat/:monitor'];

type GoalertServices = DialectServices & { heartbeats: DialectHeartbeats };

/** GoAlert's integration keys (generic, Grafana, Prometheus Alertmanager and Site24x7) and heartbeat monitors. */
export function goalertRoutes(listener: FastifyInstance, services: GoalertServices): void {
  dialectScope(listener, services, refusedBeat, (scope, receiving) => {
    for (const path of HEARTBEAT_PATHS)
      scope.post(path, { schema: { hide: true }, bodyLimit: BODY_LIMIT }, async (request, reply) =>
        beat(receiving, request, reply),
      );
  });
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
  const problem = arrived.path.includes('/site24x7/') ? site24x7Problem(body) : null;
  if (problem) throw new Fault('bad_request', [problem]);
  return acceptCall(services, request, { answer: () => reply.code(204).send() });
}

/** The id of the monitor is the only credential, as in GoAlert; here it is the key of a heartbeat. */
async function beat(
  { hashKey, tokens, budgets, heartbeats }: GoalertServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  reply.header('cache-control', 'no-store');
  const { monitor } = request.params as { monitor: string };
  const hash = await hashKey(monitor);
  if (!hash) throw new Fault('not_found');
  const { webhook } = await tokens.resolveKey(hash, { address: request.ip });
  if (webhook.type !== HEARTBEAT) throw new Fault('not_found');
  refuseDryRun(request);
  budgets.spend(webhook.id, 'pages');
  if (!(await heartbeats.note(webhook))) throw new Fault('not_found');
  return reply.code(200).send();
}

function bearer({ headers }: Incoming): string | null {
  return /^bearer\s+(\S+)$/i.exec(headers.authorization?.trim() ?? '')?.[1] ?? null;
}

/** A call that ends an alert may name it only by its dedup key. */
function requireSummary(text: (name: string) => string | null | undefined): void {
  if (text('summary') || (text('action')?.toLowerCase() === 'close' && text('dedup'))) return;
  throw new Fault('bad_request', [{ field: 'summary', message: 'is missing or blank' }]);
}

function refusedBeat({ status, details }: Refusal): { body: string } {
  if (status === 404) return { body: 'no heartbeat here has this id\n' };
  if (status === 410) return { body: 'the page source of this heartbeat has expired\n' };
  return { body: `${sentences(details)}\n` };
}

/** GoAlert answers errors as plain text. */
function refused({ status, details }: Refusal): { status?: number; body: string } {
  if (status === 404) return { status: 401, body: 'unauthorized: the token is not known here\n' };
  if (status === 410) return { body: 'the page source of this token has expired\n' };
  return { body: `${sentences(details)}\n` };
}
