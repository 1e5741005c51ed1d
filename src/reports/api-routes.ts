import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import { type About, CsvQuery, ReportQuery } from './api-contract.ts';
import { fairnessReport, loadReport, type ReportServices, responsesReport } from './reports.ts';
import { fairnessTable, loadTable, responsesTable } from './tables.ts';

const BYTE_ORDER_MARK = '\uFEFF';

/** Reports on what lies behind and what is planned ahead; each also as a table for spreadsheets. */
export function reportApiRoutes(api: FastifyInstance, services: ReportServices): void {
  report('fairness', fairnessReport, ({ people }) => fairnessTable(people));
  report('responses', responsesReport, responsesTable);
  report('load', loadReport, loadTable);

  function report<Report extends About>(
    name: string,
    make: (services: ReportServices, viewer: Viewer, query: ReportQuery) => Promise<Report>,
    tableOf: (report: Report) => string,
  ): void {
    api.get(`/reports/${name}`, { schema: { hide: true, querystring: ReportQuery } }, (request) =>
      make(services, viewerOf(request), request.query as ReportQuery),
    );
    api.get(
      `/reports/${name}.csv`,
      { schema: { hide: true, querystring: CsvQuery }, preValidation: readBom },
      async (request, reply) => {
        const { bom = false, ...query } = request.query as CsvQuery;
        const made = await make(services, viewerOf(request), query);
        return sendTable(
          reply,
          `${name}-${made.from.slice(0, 10)}-${made.to.slice(0, 10)}`,
          tableOf(made),
          bom,
        );
      },
    );
  }
}

function sendTable(reply: FastifyReply, name: string, table: string, bom: boolean): FastifyReply {
  return reply
    .header('content-type', 'text/csv; charset=utf-8; header=present')
    .header('content-disposition', `attachment; filename="tocsin-${name}.csv"`)
    .send(bom ? BYTE_ORDER_MARK + table : table);
}

/** Everything in a query is text. */
async function readBom(request: FastifyRequest): Promise<void> {
  const query = request.query as Record<string, unknown>;
  if (query.bom === 'true' || query.bom === 'false') request.query = { ...query, bom: query.bom === 'true' };
}
