import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Detail, Fault } from '../../kit/fault.ts';
import { type JsonObject, objectField, textField } from '../../moments/integrations/payload.ts';
import { readPayload } from '../../moments/integrations/wrapped-payload.ts';
import { incoming } from './incoming.ts';
import { acceptCall, arriveWithKey, type DialectServices, type Receiving } from './receive.ts';
import { dialectScope, type Refusal } from './scope.ts';

const BODY_LIMIT = 1_024 * 1_024;
const ACTIONS = ['trigger', 'acknowledge', 'resolve'];
const PARSE_ERROR = 'JSON parse error';

/** One of the three endpoints: the names of its fields, and the form of its answers. */
type Endpoint = {
  path: string;
  keyField: 'routing_key' | 'service_key';
  /** Null if its events have none. */
  dedupField: 'dedup_key' | 'incident_key' | null;
  problems(body: JsonObject): Detail[];
  status: number;
  message: string;
  /** Clients of the first version read 403 as “too many requests, try again later”. */
  throttled: number;
};

const ENDPOINTS: readonly Endpoint[] = [
  {
    ...{ path: '/v2/enqueue', keyField: 'routing_key', dedupField: 'dedup_key' },
    ...{ problems: secondVersionProblems, status: 202, message: 'Event processed', throttled: 429 },
  },
  {
    ...{ path: '/v2/change/enqueue', keyField: 'routing_key', dedupField: null },
    ...{ problems: summaryProblems, status: 202, message: 'Change event processed', throttled: 429 },
  },
  {
    ...{ path: '/generic/2010-04-15/create_event.json', keyField: 'service_key', dedupField: 'incident_key' },
    ...{ problems: firstVersionProblems, status: 200, message: 'Event processed', throttled: 403 },
  },
];

/** PagerDuty's Events API: version 2, change events, and version 1. */
export function pagerdutyRoutes(listener: FastifyInstance, services: DialectServices): void {
  for (const endpoint of ENDPOINTS)
    dialectScope(
      listener,
      services,
      (refusal) => refused(refusal, endpoint),
      (scope, receiving) => {
        scope.post(endpoint.path, { schema: { hide: true }, bodyLimit: BODY_LIMIT }, async (request, reply) =>
          receive(receiving, endpoint, request, reply),
        );
      },
    );
}

async function receive(
  services: Receiving,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const arrived = incoming(request, BODY_LIMIT);
  const parsed = readPayload(Buffer.from(arrived.body));
  if ('problem' in parsed) throw new Fault('bad_request', [{ field: 'body', message: PARSE_ERROR }]);
  const body = parsed.object;
  const { keyField, dedupField } = endpoint;
  const key = textField(body, keyField) ?? arrived.headers['x-routing-key'] ?? null;
  if (!key?.trim()) throw new Fault('bad_request', [missing(keyField)]);
  await arriveWithKey(services, request, reply, arrived, {
    ...{ key: key.trim(), dialect: 'pagerduty-events' },
  });
  const problems = endpoint.problems(body);
  if (problems.length > 0) throw new Fault('bad_request', problems);
  const given = dedupField && textField(body, dedupField);
  const dedupKey = given ?? randomUUID().replaceAll('-', '');
  const { status, message } = endpoint;
  const named = dedupField ? { [dedupField]: dedupKey } : {};
  return acceptCall(services, request, {
    dedupKey: dedupField && !given ? dedupKey : null,
    answer: () => reply.code(status).send({ status: 'success', message, ...named }),
  });
}

function missing(field: string): Detail {
  return { field, message: 'is missing or blank' };
}

/** Checks only the fields that an event needs: a missing source or severity is no reason not to page. */
function secondVersionProblems(body: JsonObject): Detail[] {
  const action = textField(body, 'event_action')?.trim().toLowerCase();
  if (!action) return [missing('event_action')];
  if (!ACTIONS.includes(action)) return [wrongAction('event_action')];
  if (action === 'trigger') return summaryProblems(body);
  return textField(body, 'dedup_key') ? [] : [missing('dedup_key')];
}

function summaryProblems(body: JsonObject): Detail[] {
  return textField(objectField(body, 'payload'), 'summary') ? [] : [missing('payload.summary')];
}

function firstVersionProblems(body: JsonObject): Detail[] {
  const action = textField(body, 'event_type')?.trim().toLowerCase();
  if (!action || !ACTIONS.includes(action)) return [wrongAction('event_type')];
  if (action === 'trigger') return textField(body, 'description') ? [] : [missing('description')];
  return textField(body, 'incident_key') ? [] : [missing('incident_key')];
}

function wrongAction(field: string): Detail {
  return { field, message: `is invalid (must be one of: ${ACTIONS.join(' ')})` };
}

const THROTTLED = 'Requests for this service are arriving too quickly.  Please retry later.';

function refused(refusal: Refusal, endpoint: Endpoint): { status?: number; body: unknown } {
  const { status, details } = refusal;
  if (status === 429)
    return { status: endpoint.throttled, body: { status: 'throttle exceeded', message: THROTTLED } };
  const errors = errorTexts(refusal, endpoint);
  if (details.some(({ message }) => message === PARSE_ERROR))
    return {
      body: { status: 'Unrecognized object', message: 'Event object format is unrecognized', errors },
    };
  const known = { status: 'invalid event', message: 'Event object is invalid', errors };
  return { status: status === 404 ? 400 : status, body: known };
}

function errorTexts({ status, details }: Refusal, { keyField }: Endpoint): string[] {
  if (status === 404) return [`${keyField} is not known here`];
  if (status === 410) return [`${keyField} belongs to a page source that has expired`];
  return details.map(({ field, message }) => {
    if (message === PARSE_ERROR) return message;
    return keyField === 'routing_key' ? `'${field}' ${message}` : `${capital(field)} ${message}`;
  });
}

/** The first version names fields in words: “Description is missing or blank”. */
function capital(field: string): string {
  const words = field.replaceAll('_', ' ');
  return field === 'event_type' ? field : words.charAt(0).toUpperCase() + words.slice(1);
}
