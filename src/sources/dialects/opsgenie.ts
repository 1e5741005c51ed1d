import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Database } from '../../db/database.ts';
import { Fault } from '../../kit/fault.ts';
import { isId } from '../../kit/typeid.ts';
import { shortKey } from '../../moments/event.ts';
import { callObject, readDialectCall } from '../../moments/integrations/dialect-call.ts';
import { type OpsgenieTarget, opsgenieTarget } from '../../moments/integrations/opsgenie-paths.ts';
import { type JsonObject, textField } from '../../moments/integrations/payload.ts';
import type { RequestWatch } from '../../requests/watch.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { decide } from '../decide.ts';
import { refuseDryRun } from '../dry-run.ts';
import { findWaitingPage } from '../store.ts';
import type { DialectHeartbeats } from './heartbeats.ts';
import { type Incoming, incoming } from './incoming.ts';
import {
  accepted,
  answer,
  listedAlert,
  notProcessed,
  presentAlert,
  presentHeartbeat,
  presentNote,
  presentOutcome,
  refused,
} from './opsgenie-answers.ts';
import {
  type AlertFilter,
  type AlertRow,
  countAlerts,
  findAlert,
  findOutcome,
  findTeamOfSource,
  listAlerts,
  notesOfAlert,
} from './opsgenie-store.ts';
import { acceptCall, arriveWithKey, type DialectServices, type Receiving } from './receive.ts';
import { dialectScope } from './scope.ts';

const BODY_LIMIT = 1_024 * 1_024;
/** The second is the successor of the first. */
const PREFIXES = ['', '/jsm/ops/integration'];
/** How long a client waits for the outcome of its call; most calls are processed sooner. */
const OUTCOME_WAIT_MS = 2_000;

export type OpsgenieServices = DialectServices & {
  /** For reading pages, separate from the connections that accept calls. */
  readDb: Database;
  /** This is a lifeboat, which knows only some pages. */
  isStandBy: boolean;
  watch: RequestWatch;
  heartbeats: DialectHeartbeats;
};

type OpsgenieReceiving = OpsgenieServices & Receiving;

/** Opsgenie's Alert API, version 2, its pings of heartbeats, and the check of a key that some senders make. */
export function opsgenieRoutes(listener: FastifyInstance, services: OpsgenieServices): void {
  dialectScope(listener, services, refused, (scope, receiving) => {
    for (const prefix of PREFIXES) {
      const route = (method: HTTPMethods[], url: string, handle: typeof alertCall) =>
        scope.route({
          ...{ method, url: prefix + url, schema: { hide: true }, bodyLimit: BODY_LIMIT },
          handler: async (request, reply) => handle(receiving, request, reply),
        });
      route(['GET', 'POST'], '/v2/alerts', alertCall);
      // Aliases may contain slashes, and be longer than our parameters.
      route(['GET', 'POST', 'PUT', 'DELETE'], '/v2/alerts/*', alertCall);
      route(['GET', 'POST', 'PUT', 'PATCH'], '/v2/heartbeats/:name/ping', heartbeatCall);
      route(['GET'], '/v2/heartbeats', heartbeatsRead);
      route(['GET'], '/v2/heartbeats/:name', heartbeatsRead);
      route(['POST'], '/v2/heartbeats', refuseConfiguration);
      route(['PATCH', 'DELETE'], '/v2/heartbeats/:name', refuseConfiguration);
      for (const change of ['enable', 'disable'])
        route(['POST'], `/v2/heartbeats/:name/${change}`, refuseConfiguration);
      route(['POST'], '/v2/integrations/authenticate', authenticate);
      route(['GET'], '/v2/teams/:name', teamRead);
    }
  });
  // Zabbix links its problems to this page of Opsgenie’s dashboard.
  listener.get('/alert/detail/:id', { schema: { hide: true } }, async (request, reply) => {
    const { id } = request.params as { id: string };
    if (!isId('page', id)) throw new Fault('not_found');
    return reply.redirect(`/pages/${id}`);
  });
}

type Arrived = { arrived: Incoming; source: Webhook };

async function arrive(
  services: OpsgenieReceiving,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Arrived> {
  const arrived = incoming(request, BODY_LIMIT);
  const key = keyOf(arrived);
  if (!key) throw new Fault('unauthorized');
  try {
    const named = { key, dialect: 'opsgenie-api' } as const;
    return { arrived, source: await arriveWithKey(services, request, reply, arrived, named) };
  } catch (error) {
    // An alert that does not exist is 404; a key that does not is 401.
    throw error instanceof Fault && error.code === 'not_found' ? new Fault('unauthorized') : error;
  }
}

/** `GenieKey <key>`, the key as either part of basic authentication, or `apiKey` in the query. */
function keyOf({ headers, query }: Incoming): string | null {
  const [scheme = '', given = ''] = headers.authorization?.trim().split(/\s+/) ?? [];
  if (/^(geniekey|bearer)$/i.test(scheme) && given) return given;
  if (/^basic$/i.test(scheme)) {
    const [user = '', password = ''] = Buffer.from(given, 'base64').toString('utf8').split(':');
    return password.trim() || user.trim() || null;
  }
  return query.apiKey?.trim() || null;
}

async function alertCall(
  services: OpsgenieReceiving,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { arrived, source } = await arrive(services, request, reply);
  const target = opsgenieTarget(arrived.method, arrived.path);
  switch (target.kind) {
    case 'create':
    case 'action':
      return changeCall(services, request, reply, { arrived, source, target });
    case 'request':
      return outcomeOf(services, request, reply, source, target.id);
    case 'list':
      return listOf(services, reply, source, arrived);
    case 'count': {
      const count = await countAlerts(services.readDb, source, filterOf(arrived), MOST_LISTED);
      return answer(reply, 200, { data: { count } });
    }
    default:
      return readOf(services, reply, { source, target });
  }
}

type Known<Kind extends OpsgenieTarget['kind']> = {
  arrived: Incoming;
  source: Webhook;
  target: Extract<OpsgenieTarget, { kind: Kind }>;
};

async function changeCall(
  services: OpsgenieReceiving,
  request: FastifyRequest,
  reply: FastifyReply,
  { arrived, source, target }: Known<'create' | 'action'>,
): Promise<unknown> {
  const parsed =
    target.kind === 'action' && target.action === 'attachments' ? { object: {} } : callObject(arrived);
  if ('problem' in parsed) throw new Fault('bad_request', [{ field: 'body', message: parsed.problem }]);
  const accept = (requestId: string) => accepted(reply, requestId);
  if (target.kind === 'create') {
    refuseUntitled(parsed.object);
    const alias = textField(parsed.object, 'alias');
    return acceptCall(services, request, { dedupKey: alias ? null : randomUUID(), answer: accept });
  }
  const byAlias = arrived.query.identifierType?.toLowerCase() === 'alias';
  const row = byAlias ? null : await byId(services.readDb, source, target.identifier);
  if (services.isStandBy && !row && !byAlias && isId('page', target.identifier)) throw new Fault(...NOT_HERE);
  return acceptCall(services, request, { dedupKey: row?.alias, answer: accept });
}

/** A page of the main database, whose dedup key a lifeboat cannot look up. */
const NOT_HERE: ConstructorParameters<typeof Fault> = [
  'unavailable',
  [
    {
      field: 'identifier',
      message:
        'is the id of an alert that can only be looked up when the database is back; send the request again then, or name the alert by its alias',
    },
  ],
  { 'retry-after': '2' },
];

function refuseUntitled(body: JsonObject): void {
  if (!textField(body, 'message'))
    throw new Fault('bad_request', [{ field: 'message', message: 'Message can not be empty.' }]);
}

async function byId(db: Database, source: Webhook, identifier: string): Promise<AlertRow | null> {
  return isId('page', identifier) ? findAlert(db, source, { id: identifier }) : null;
}

/** By the id of a page or by an alias, whichever the call names: no alias looks like one of our ids. */
async function findNamed(db: Database, source: Webhook, identifier: string): Promise<AlertRow> {
  const dedupKey = shortKey(identifier) ?? identifier;
  const found =
    (await byId(db, source, identifier)) ??
    (await findWaiting(db, source, dedupKey)) ??
    (await findAlert(db, source, { dedupKey }));
  if (!found) throw new Fault('not_found', [{ field: 'alert', message: 'Alert does not exist' }]);
  return found;
}

/** A waiting page as it would be raised now. It has no id yet, so its alias is its id, by which calls may name it too. */
async function findWaiting(db: Database, source: Webhook, dedupKey: string): Promise<AlertRow | null> {
  const { id: sourceId, organizationId } = source;
  const waiting = await findWaitingPage(db, { organizationId, sourceId, dedupKey });
  if (!waiting) return null;
  const { event, createdAt, source: calling } = waiting;
  const { urgency } = decide(event, calling.settings, calling.type);
  return {
    ...{ id: dedupKey, alias: dedupKey, title: event.title, text: event.text, createdAt, count: 1 },
    ...{ state: 'notifying', urgency: urgency === 'none' ? 'low' : urgency },
    ...{ acknowledgedAt: null, resolvedAt: null, remindAt: null, acknowledgedBy: null, resolvedBy: null },
  };
}

async function readOf(
  { readDb: db }: OpsgenieServices,
  reply: FastifyReply,
  { source, target }: { source: Webhook; target: OpsgenieTarget },
): Promise<unknown> {
  if (target.kind !== 'alert' && target.kind !== 'read') throw new Fault('not_found', [UNKNOWN]);
  const row = await findNamed(db, source, target.identifier);
  if (target.kind === 'alert') return answer(reply, 200, { data: presentAlert(row, source) });
  const notes = target.what === 'notes' ? await notesOfAlert(db, row.id, MOST_LISTED) : [];
  return answer(reply, 200, { data: notes.map(presentNote), paging: {} });
}

const UNKNOWN = { field: 'path', message: 'is not a path of the Alert API that Tocsin supports' };

/** The client waits a little, because libraries request the result at once, and some repeat that without pauses. */
async function outcomeOf(
  { readDb: db, watch }: OpsgenieServices,
  request: FastifyRequest,
  reply: FastifyReply,
  source: Webhook,
  id: string,
): Promise<unknown> {
  const first = await findOutcome(db, source, id);
  if (!first) throw new Fault('not_found', [{ field: 'request', message: 'Request not found.' }]);
  if (first.finishedAt === null) await watch.finished(id, OUTCOME_WAIT_MS, request.signal);
  const outcome = first.finishedAt === null ? await findOutcome(db, source, id) : first;
  if (!outcome?.finishedAt) return notProcessed(reply);
  return answer(reply, 200, { data: presentOutcome(outcome, source, askedFor(outcome.body)) });
}

/** The request of the stored call, and its alert; empty if its body was not stored. */
function askedFor(body: Buffer | null): { action: string; alias: string | null } {
  const call = readDialectCall(body ?? Buffer.alloc(0));
  const target = opsgenieTarget(call.method, call.path);
  if (target.kind === 'action') return { action: target.action, alias: call.dedup_key ?? target.identifier };
  const parsed = callObject(call);
  const alias = 'object' in parsed ? textField(parsed.object, 'alias') : null;
  return { action: 'create', alias: alias ?? call.dedup_key ?? null };
}

const MOST_LISTED = 100;
const MOST_SKIPPED = 20_000;

async function listOf(
  { readDb: db }: OpsgenieServices,
  reply: FastifyReply,
  source: Webhook,
  { path, query }: Incoming,
): Promise<unknown> {
  const limit = Math.max(1, Math.min(MOST_LISTED, Number(query.limit) || 20));
  const offset = Math.max(0, Math.min(MOST_SKIPPED, Math.floor(Number(query.offset)) || 0));
  const rows = await listAlerts(db, source, filterOf({ query }), { limit: Math.floor(limit), offset });
  const at = (skipped: number) =>
    `${path}?${new URLSearchParams({ ...shownQuery(query), limit: String(limit), offset: String(skipped) })}`;
  const next = rows.length === limit ? { next: at(offset + limit) } : {};
  return answer(reply, 200, {
    data: rows.map((row) => listedAlert(row, source)),
    paging: { first: at(0), ...next },
  });
}

function shownQuery({ apiKey: _, ...query }: Readonly<Record<string, string>>): Record<string, string> {
  return query;
}

/** Reads the status and the alias from Opsgenie's query language; other conditions are ignored. */
function filterOf({ query }: Pick<Incoming, 'query'>): AlertFilter {
  const text = query.query ?? '';
  const status = /\bstatus\s*[:=]\s*"?(open|closed)"?/i.exec(text)?.[1]?.toLowerCase();
  const alias = /\balias\s*[:=]\s*(?:"([^"]{1,512})"|([^\s"]{1,512}))/i.exec(text);
  return { open: status ? status === 'open' : null, dedupKey: shortKey(alias?.[1] ?? alias?.[2] ?? null) };
}

async function heartbeatCall(
  services: OpsgenieReceiving,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { source } = await arrive(services, request, reply);
  const { name } = request.params as { name: string };
  refuseDryRun(request);
  if (!(await services.heartbeats.beat(source, name))) throw new Fault('not_found', [NO_HEARTBEAT]);
  return answer(reply, 202, { result: 'PONG - Heartbeat received' });
}

const NO_HEARTBEAT = { field: 'heartbeat', message: 'Heartbeat not found' };

async function heartbeatsRead(
  services: OpsgenieReceiving,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { source } = await arrive(services, request, reply);
  const { name = null } = request.params as { name?: string };
  const heartbeats = (await services.heartbeats.list(source, name)).map(presentHeartbeat);
  if (name === null) return answer(reply, 200, { data: { heartbeats } });
  const [heartbeat] = heartbeats;
  if (!heartbeat) throw new Fault('not_found', [NO_HEARTBEAT]);
  return answer(reply, 200, { data: heartbeat });
}

/** A key that is stored in senders must not create heartbeats, and certainly not delete them. */
async function refuseConfiguration(
  services: OpsgenieReceiving,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<never> {
  await arrive(services, request, reply);
  throw new Fault('forbidden', [
    {
      field: 'key',
      message:
        'The key of a page source cannot change heartbeats; change them in the team’s settings, or with `tocsin source`.',
    },
  ]);
}

async function authenticate(
  services: OpsgenieReceiving,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  await arrive(services, request, reply);
  return answer(reply, 200, { result: 'Integration authenticated' });
}

const NO_TEAM = { field: 'team', message: 'Team does not exist' };

/** Sentry looks up the team that gets its alerts. A key knows only the team of its source. */
async function teamRead(
  services: OpsgenieReceiving,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { source } = await arrive(services, request, reply);
  const { name } = request.params as { name: string };
  const team = await findTeamOfSource(services.readDb, source);
  const words = team ? [team.id, team.name, team.slug] : [];
  if (!team || !words.some((word) => word.toLowerCase() === name.trim().toLowerCase()))
    throw new Fault('not_found', [NO_TEAM]);
  return answer(reply, 200, { data: { id: team.id, name: team.name } });
}
