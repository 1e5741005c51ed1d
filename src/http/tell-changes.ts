import type { FastifyInstance } from 'fastify';
import type { ChangedRooms } from '../notifications/dashboards/announcements.ts';

/** Dashboards hear of these in other ways, or nobody else needs to. */
const QUIET: ReadonlySet<string> = new Set(['pages', 'deliveries', 'push', 'session', 'events']);

/**
 * Whatever somebody changed through the dashboard's API is told to the open dashboards of their organization, by the
 * first word of its address: whoever adds a route need not think of it.
 */
export function tellChanges(api: FastifyInstance, { changedRooms }: { changedRooms: ChangedRooms }): void {
  api.addHook('onResponse', async (request, reply) => {
    if (request.method === 'GET' || reply.statusCode >= 300 || !request.viewer) return;
    const [, , room = ''] = request.url.split(/[/?]/);
    if (/^[a-z-]+$/.test(room) && !QUIET.has(room))
      changedRooms.announce(request.viewer.organizationId, [room]);
  });
}
