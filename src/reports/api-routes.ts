import type { FastifyInstance, FastifyReply } from 'fastify';
import { route } from '../kit/route.ts';
import { viewerOf } from '../sessions/contract.ts';
import { type About, reportsApi } from './api-contract.ts';
import {
  fairnessReport,
  loadReport,
  type ReportServices,
  responsesReport,
  withheldReport,
} from './reports.ts';
import { tableOfFairness, tableOfLoad, tableOfResponses, tableOfWithheld } from './tables.ts';

const BYTE_ORDER_MARK = '\uFEFF';

/** Reports on past and planned time, each also as CSV. */
export function reportApiRoutes(api: FastifyInstance, services: ReportServices): void {
  const { fairness, fairnessTable, responses, responsesTable, load, loadTable, withheld, withheldTable } =
    reportsApi;
  route(api, fairness, async (request) => fairnessReport(services, viewerOf(request), request.query));
  route(api, responses, async (request) => responsesReport(services, viewerOf(request), request.query));
  route(api, load, async (request) => loadReport(services, viewerOf(request), request.query));
  route(api, withheld, async (request) => withheldReport(services, viewerOf(request), request.query));
  route(api, fairnessTable, async (request, reply) => {
    const { bom = false, ...query } = request.query;
    const report = await fairnessReport(services, viewerOf(request), query);
    return sendTable(reply, fileOf('fairness', report), tableOfFairness(report.people), bom);
  });
  route(api, responsesTable, async (request, reply) => {
    const { bom = false, ...query } = request.query;
    const report = await responsesReport(services, viewerOf(request), query);
    return sendTable(reply, fileOf('responses', report), tableOfResponses(report), bom);
  });
  route(api, loadTable, async (request, reply) => {
    const { bom = false, ...query } = request.query;
    const report = await loadReport(services, viewerOf(request), query);
    return sendTable(reply, fileOf('load', report), tableOfLoad(report), bom);
  });
  route(api, withheldTable, async (request, reply) => {
    const { bom = false, ...query } = request.query;
    const report = await withheldReport(services, viewerOf(request), query);
    return sendTable(reply, fileOf('withheld', report), tableOfWithheld(report), bom);
  });
}

function fileOf(name: string, { from, to }: About): string {
  return `tocsin-${name}-${from.slice(0, 10)}-${to.slice(0, 10)}.csv`;
}

function sendTable(reply: FastifyReply, file: string, table: string, bom: boolean): FastifyReply {
  return reply
    .header('content-type', 'text/csv; charset=utf-8; header=present')
    .header('content-disposition', `attachment; filename="${file}"`)
    .send(bom ? BYTE_ORDER_MARK + table : table);
}
