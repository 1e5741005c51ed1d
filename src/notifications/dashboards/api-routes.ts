import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { idOf } from '../../kit/path-id.ts';
import { viewerOf } from '../../sessions/contract.ts';
import type { OpenDashboards } from '../channels/browser.ts';
import type { HeardElsewhere } from './heard.ts';
import type { LiveDashboards } from './live.ts';

export type DashboardApiServices = {
  live: LiveDashboards;
  dashboards: OpenDashboards;
  /** A dashboard of this person, open on another node, showed this delivery. */
  confirmElsewhere(deliveryId: string, userId: string): Promise<void>;
  /** Dashboards that are connected to other nodes and answered a beat here. */
  heardElsewhere: HeardElsewhere;
};

/** How long a browser waits before it connects again. */
const RECONNECT_MS = 1_000;

const Params = Type.Object({ id: Type.String({ maxLength: 100, pattern: '^delivery_[0-9a-z]{26}$' }) });
const StreamParams = Type.Object({ id: Type.String({ maxLength: 100, pattern: '^stream_[0-9a-f]{32}$' }) });

/** The live connection of an open dashboard, its answers to the beats on it, and its word that it showed a notification. */
export function dashboardApiRoutes(api: FastifyInstance, services: DashboardApiServices): void {
  const { live, dashboards, confirmElsewhere, heardElsewhere } = services;
  api.get('/events', { schema: { hide: true } }, async (request, reply) => {
    const viewer = viewerOf(request);
    const stream = new PassThrough();
    // A stream that a client broke off is no error of ours.
    stream.on('error', () => undefined);
    const id = await live.connect(viewer, stream);
    const hello = { user_id: viewer.userId, stream: id };
    stream.write(`retry: ${RECONNECT_MS}\nevent: hello\ndata: ${JSON.stringify(hello)}\n\n`);
    return reply
      .headers({
        'content-type': 'text/event-stream',
        'x-accel-buffering': 'no',
        'cache-control': 'no-store',
      })
      .send(stream);
  });

  api.post('/events/:id/heard', { schema: { hide: true, params: StreamParams } }, async (request) => {
    const id = idOf(request);
    const { userId } = viewerOf(request);
    if (!live.heard(id, userId)) heardElsewhere.tell(id, userId);
    return {};
  });

  api.post('/deliveries/:id/confirm', { schema: { hide: true, params: Params } }, async (request) => {
    const id = idOf(request);
    const { userId } = viewerOf(request);
    const confirmed = dashboards.confirm(id, userId);
    // Behind a load balancer the word may come to another node than the one that holds the connection.
    if (!confirmed) await confirmElsewhere(id, userId);
    return { confirmed };
  });
}
