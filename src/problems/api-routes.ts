import type { FastifyInstance } from 'fastify';
import type { Database } from '../db/database.ts';
import { instantText } from '../kit/instant.ts';
import { viewerOf } from '../sessions/contract.ts';
import { openProblems } from './store.ts';

/** GET /api/problems: what does not work just now, and how to mend it. */
export function problemApiRoutes(api: FastifyInstance, { db }: { db: Database }): void {
  api.get('/problems', { schema: { hide: true } }, async (request) => {
    const problems = await openProblems(db, viewerOf(request).organizationId);
    return {
      problems: problems.map(({ firstAt, lastAt, ...problem }) => ({
        ...problem,
        first_at: instantText(firstAt),
        last_at: instantText(lastAt),
      })),
    };
  });
}
