import type { FastifyInstance } from 'fastify';
import { Fault } from '../kit/fault.ts';
import { route } from '../kit/route.ts';
import { t } from '../language/contract.ts';
import { audit } from '../people/store.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import { payApi } from './api-contract.ts';
import { csvOfStatements } from './csv.ts';
import {
  checkPeriod,
  createPeriod,
  exportedStatements,
  mayManage,
  type PeriodServices,
  publishPeriod,
  removePeriod,
  reopenPeriod,
  shownPeriod,
  shownPeriods,
  shownStatements,
} from './periods.ts';
import {
  assign,
  changeRates,
  changeTable,
  createTable,
  removeRates,
  removeTable,
  setRates,
  shownPeople,
  shownTables,
  unassign,
} from './tables.ts';

/** Rate tables, and the people who are paid by each. */
export function payTableRoutes(api: FastifyInstance, services: PeriodServices): void {
  route(api, payApi.tables, async (request) => ({ tables: await shownTables(services, manager(request)) }));
  route(api, payApi.createTable, async (request, reply) => {
    const made = await createTable(services, manager(request), request.body);
    reply.code(201);
    return made;
  });
  route(api, payApi.changeTable, async (request) =>
    changeTable(services, manager(request), request.params.id, request.body),
  );
  route(api, payApi.removeTable, async (request) => {
    await removeTable(services, manager(request), request.params.id);
    return { removed: true };
  });
  route(api, payApi.putRates, async (request) => {
    const { id, from } = request.params;
    const { until = null, rates, only_new = false } = request.body;
    return setRates(services, manager(request), id, { from, until, rates }, only_new);
  });
  route(api, payApi.changeRates, async (request) =>
    changeRates(services, manager(request), request.params.id, request.params.from, request.body),
  );
  route(api, payApi.removeRates, async (request) =>
    removeRates(services, manager(request), request.params.id, request.params.from),
  );
  route(api, payApi.people, async (request) => ({ people: await shownPeople(services, manager(request)) }));
  route(api, payApi.assign, async (request) =>
    assign(services, manager(request), request.params.id, request.body),
  );
  route(api, payApi.unassign, async (request) =>
    unassign(services, manager(request), request.params.id, request.params.from),
  );
}

/** Periods and their statements. */
export function payPeriodRoutes(api: FastifyInstance, services: PeriodServices): void {
  const { db, clock } = services;
  route(api, payApi.periods, async (request) => {
    const viewer = viewerOf(request);
    return { periods: await shownPeriods(services, viewer), may_manage: mayManage(viewer) };
  });
  route(api, payApi.createPeriod, async (request, reply) => {
    const made = await createPeriod(services, manager(request), request.body);
    reply.code(201);
    return made;
  });
  route(api, payApi.period, async (request) => shownPeriod(services, viewerOf(request), request.params.id));
  route(api, payApi.statement, async (request) => {
    const { id, person } = request.params;
    return { statements: await shownStatements(services, viewerOf(request), id, person) };
  });
  route(api, payApi.csv, async (request, reply) => {
    const viewer = manager(request);
    const { id } = request.params;
    const statements = await exportedStatements(services, viewer, id);
    const { periods } = { periods: await shownPeriods(services, viewer) };
    const { first = '', last = '' } = periods.find((period) => period.id === id) ?? {};
    await audit(db, await clock.now(db), viewer, 'pay.export', id, { first, last });
    return reply
      .header('content-type', 'text/csv; charset=utf-8; header=present')
      .header('content-disposition', `attachment; filename="tocsin-pay-${first}-${last}.csv"`)
      .send((request.query.bom ? '\uFEFF' : '') + csvOfStatements(statements, { first, last }));
  });
  route(api, payApi.check, async (request) =>
    checkPeriod(services, manager(request), request.params.id, request.body.figures),
  );
  route(api, payApi.reopen, async (request) => reopenPeriod(services, manager(request), request.params.id));
  route(api, payApi.publish, async (request) => publishPeriod(services, manager(request), request.params.id));
  route(api, payApi.removePeriod, async (request) => {
    await removePeriod(services, manager(request), request.params.id);
    return { removed: true };
  });
}

function manager(request: Parameters<typeof viewerOf>[0]): Viewer {
  const viewer = viewerOf(request);
  if (mayManage(viewer)) return viewer;
  throw new Fault('forbidden', [
    { field: 'pay', message: t('of the organization is managed by admins and owners; ask one of them') },
  ]);
}
