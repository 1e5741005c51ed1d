import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { credentialOf, type Keys, requireKey } from '../keys/authenticate.ts';
import type { Budgets } from '../keys/budget.ts';
import { type Detail, Fault } from '../kit/fault.ts';
import { instantText } from '../kit/instant.ts';
import { idOf } from '../kit/path-id.ts';
import { isId } from '../kit/typeid.ts';
import { type Finding, findingsToDetails } from '../kit/validation.ts';
import { COMMON_REFUSALS, ErrorEnvelope } from '../requests/contract.ts';
import {
  OncallList,
  OncallQuery,
  oncallsPath,
  SCHEDULES_PATH,
  type Schedule,
  ScheduleList,
  ScheduleQuery,
} from './contract.ts';
import { presentOncall } from './present-oncall.ts';
import {
  bodyProblems,
  parametersOf,
  parameterWarnings,
  rangeOf,
  rangeProblems,
  unreadableRange,
} from './query.ts';
import { listOncalls, listSchedules, type ScheduleRow, scheduleExists } from './read-store.ts';

export type ScheduleRouteServices = { db: Database; clock: Clock; keys: Keys; budgets: Budgets };

/** GET /schedules and GET /schedules/:id/oncalls (contract, section 5). */
export function scheduleRoutes(listener: FastifyInstance, services: ScheduleRouteServices): void {
  const common = {
    method: 'GET',
    attachValidation: true,
    config: { invalidRequest: true, parametersInBody: true },
    onRequest: requireKey(services.keys, services.budgets, 'schedules'),
  } as const;
  const documentation = { tags: ['Schedules'], security: [{ key: [] }] };
  listener.route({
    ...common,
    url: SCHEDULES_PATH,
    preValidation: gatherParameters(ScheduleQuery),
    schema: {
      ...documentation,
      operationId: 'listSchedules',
      summary: 'List schedules',
      description: `All schedules of the organization by name. ${WHERE_PARAMETERS_GO}`,
      querystring: ScheduleQuery,
      response: { 200: ScheduleList, ...COMMON_REFUSALS },
    },
    handler: (request) => readSchedules(services, request),
  });
  listener.route({
    ...common,
    url: oncallsPath(':id'),
    preValidation: gatherParameters(OncallQuery),
    schema: {
      ...documentation,
      operationId: 'listOncalls',
      summary: 'List on-calls of a schedule',
      description: `Who is on call in a time range, and how to reach them; gaps have no entry. ${WHERE_PARAMETERS_GO}`,
      params: Type.Object({ id: Type.String({ description: 'Id of the schedule.' }) }),
      querystring: OncallQuery,
      response: { 200: OncallList, ...COMMON_REFUSALS, 404: ErrorEnvelope },
    },
    handler: (request) => readOncalls(services, request),
  });
}

const WHERE_PARAMETERS_GO = 'Parameters may also be sent in the body, as JSON or as a form.';

/** Warnings and problems of the parameters as they were sent. */
const asSent = new WeakMap<FastifyRequest, { warnings: string[]; problems: Detail[] }>();

function gatherParameters(schema: typeof ScheduleQuery | typeof OncallQuery) {
  const known = Object.keys(schema.properties);
  return async (request: FastifyRequest): Promise<void> => {
    const { query, body } = request;
    asSent.set(request, {
      warnings: parameterWarnings(query, body, known),
      problems: [
        ...(known.includes('time_range') ? unreadableRange(query, body) : []),
        ...hiddenProblems(request, schema),
      ],
    });
    request.query = parametersOf(query, body);
  };
}

/** Problems in a body whose parameters the query overrides: they are reported although they have no effect. */
function hiddenProblems(request: FastifyRequest, schema: object): Detail[] {
  const { query, body } = request;
  if (!body || Object.keys(query as object).length === 0) return [];
  const validate = request.compileValidationSchema(schema as Record<string, unknown>, 'body');
  const given = parametersOf(undefined, body);
  // One end may be in the query and the other in the body.
  const isWhole = rangeProblems(parametersOf(query, undefined).time_range).length === 0;
  if (validate(given)) return isWhole && hasRange(query) ? rangeProblems(given.time_range) : [];
  return findingsToDetails((validate.errors ?? []) as unknown as Finding[], 'body');
}

function hasRange(query: unknown): boolean {
  return parametersOf(query, undefined).time_range !== undefined;
}

/** Adds the warnings about ignored parameters to a result. */
function withWarnings<T extends object>(request: FastifyRequest, result: T): T & { warnings?: string[] } {
  const { warnings = [] } = asSent.get(request) ?? {};
  return warnings.length > 0 ? { ...result, warnings } : result;
}

async function readSchedules({ db }: ScheduleRouteServices, request: FastifyRequest): Promise<ScheduleList> {
  refuse(request, bodyProblems(request.body));
  const { organizationId } = credentialOf(request);
  const { name_eq, page, per_page } = request.query as ScheduleQuery;
  const { total, schedules } = await listSchedules(
    db,
    organizationId,
    name_eq ?? null,
    slice(page, per_page),
  );
  const total_pages = Math.ceil(total / per_page);
  return withWarnings(request, {
    page,
    per_page,
    has_more: page < total_pages,
    total_pages,
    total_count: total,
    results: schedules.map(presentSchedule),
  });
}

async function readOncalls(
  { db, clock }: ScheduleRouteServices,
  request: FastifyRequest,
): Promise<OncallList> {
  const query = request.query as OncallQuery;
  refuse(request, [...bodyProblems(request.body), ...rangeProblems(query.time_range)]);
  const { organizationId } = credentialOf(request);
  const id = idOf(request);
  if (!isId('schedule', id) || !(await scheduleExists(db, organizationId, id)))
    throw new Fault('not_found', [
      { field: 'id', message: 'is not the id of a schedule of your organization; see GET /schedules' },
    ]);
  const now = await clock.now(db);
  const { limit, offset } = slice(query.page, query.per_page);
  // Read one more row than requested to know whether there are more.
  const rows = await listOncalls(db, id, rangeOf(query) ?? { start: now, end: now }, {
    limit: limit + 1,
    offset,
  });
  return withWarnings(request, {
    has_more: rows.length > limit,
    oncalls: rows.slice(0, limit).map((row) => presentOncall(id, row)),
  });
}

/** Reports all problems at once, those of the schema first. @throws Fault `invalid_request` if there are any */
function refuse(request: FastifyRequest, problems: Detail[]): void {
  const error = request.validationError as (FastifyError & { validation: Finding[] }) | undefined;
  const found = [
    ...(error ? findingsToDetails(error.validation, 'query') : []),
    ...(asSent.get(request)?.problems ?? []),
  ];
  if (found.length + problems.length === 0) return;
  const details = [...found, ...problems];
  // The body may have the same problem as the query.
  const fresh = details.filter(
    (one, index) => details.findIndex(({ field }) => field === one.field) === index,
  );
  throw new Fault('invalid_request', fresh);
}

function slice(page: number, perPage: number): { limit: number; offset: number } {
  return { limit: perPage, offset: (page - 1) * perPage };
}

function presentSchedule(row: ScheduleRow): Schedule {
  const { backstopId, backstopName, backstopEmail } = row;
  const hasBackstop = backstopId !== null && backstopName !== null && backstopEmail !== null;
  return {
    id: row.id,
    name: row.name,
    created_at: instantText(row.createdAt),
    updated_at: instantText(row.updatedAt),
    description: row.description,
    enabled: row.enabled,
    backstop: hasBackstop ? { id: backstopId, name: backstopName, email: backstopEmail } : null,
  };
}
