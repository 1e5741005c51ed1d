import type { FastifyInstance } from 'fastify';
import type { ChangedRooms } from '../notifications/dashboards/announcements.ts';

/** Dashboards learn of changes to these in other ways, or do not need them. */
const QUIET: ReadonlySet<string> = new Set(['pages', 'deliveries', 'push', 'session', 'events']);

/**
 * Informs the open dashboards of an organization of every change through the dashboard's API, by the first segment of
 * its path, so that new routes need no code for it. Previews change nothing.
 */
export function announceChanges(
  api: FastifyInstance,
  { changedRooms }: { changedRooms: ChangedRooms },
): void {
  api.addHook('onResponse', async (request, reply) => {
    if (request.method === 'GET' || reply.statusCode >= 300 || !request.viewer) return;
    const [path = ''] = request.url.split('?');
    const [, , room = ''] = path.split('/');
    if (/^[a-z-]+$/.test(room) && !QUIET.has(room) && !path.endsWith('/preview'))
      changedRooms.announce(request.viewer.organizationId, [room]);
  });
}
