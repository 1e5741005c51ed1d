import type { FastifyInstance } from 'fastify';
import type { Database } from '../db/database.ts';
import { instantText, instantTextOrNull } from '../kit/instant.ts';
import { route } from '../kit/route.ts';
import { storedText } from '../language/stored.ts';
import { viewerOf } from '../sessions/contract.ts';
import { problemsApi } from './api-contract.ts';
import { closedProblems, openProblems } from './store.ts';

/** GET /api/problems: open problems and how to fix them, or with `state=closed` those that closed. */
export function problemApiRoutes(api: FastifyInstance, { db }: { db: Database }): void {
  route(api, problemsApi.list, async (request) => {
    const { organizationId } = viewerOf(request);
    const { state } = request.query;
    const read = state === 'open' ? openProblems : closedProblems;
    const problems = await read(db, organizationId);
    return {
      problems: problems.map(({ firstAt, lastAt, closedAt, lastAddress, message, fix, ...problem }) => ({
        ...problem,
        message: storedText(message),
        fix: storedText(fix),
        last_address: lastAddress,
        first_at: instantText(firstAt),
        last_at: instantText(lastAt),
        closed_at: instantTextOrNull(closedAt),
      })),
    };
  });
}
