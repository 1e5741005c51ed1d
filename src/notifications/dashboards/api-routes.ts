import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { idOf } from '../../kit/path-id.ts';
import { viewerOf } from '../../sessions/contract.ts';
import type { OpenDashboards } from '../channels/browser/channel.ts';
import type { HeardElsewhere } from './announcements.ts';
import type { LiveDashboards } from './live.ts';

export type DashboardApiServices = {
  live: LiveDashboards;
  dashboards: OpenDashboards;
  /** Confirms a delivery that a dashboard connected to another node has shown. */
  confirmElsewhere(deliveryId: string, userId: string): Promise<void>;
  /** Passes on answers from dashboards that are connected to other nodes. */
  heardElsewhere: HeardElsewhere;
};

/** How long a browser waits before it reconnects. */
const RECONNECT_MS = 1_000;

const Params = Type.Object({ id: Type.String({ maxLength: 100, pattern: '^delivery_[0-9a-z]{26}$' }) });
const StreamParams = Type.Object({ id: Type.String({ maxLength: 100, pattern: '^stream_[0-9a-f]{32}$' }) });

/** The live connection of an open dashboard, its answers to beats, and its confirmation that it showed a notification. */
export function dashboardApiRoutes(api: FastifyInstance, services: DashboardApiServices): void {
  const { live, dashboards, confirmElsewhere, heardElsewhere } = services;
  api.get('/events', { schema: { hide: true } }, async (request, reply) => {
    const viewer = viewerOf(request);
    const stream = new PassThrough();
    // A client that breaks off its stream is not an error.
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
    if (!live.heard(id, userId)) heardElsewhere.announce(id, userId);
    return {};
  });

  api.post('/deliveries/:id/confirm', { schema: { hide: true, params: Params } }, async (request) => {
    const id = idOf(request);
    const { userId } = viewerOf(request);
    const confirmed = dashboards.confirm(id, userId);
    // Behind a load balancer, another node than the one with the connection may get the confirmation.
    if (!confirmed) await confirmElsewhere(id, userId);
    return { confirmed };
  });
}
