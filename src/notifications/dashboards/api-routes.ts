import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { route } from '../../kit/route.ts';
import { viewerOf } from '../../sessions/contract.ts';
import type { OpenDashboards } from '../channels/browser/channel.ts';
import type { HeardElsewhere } from './announcements.ts';
import { dashboardsApi } from './api-contract.ts';
import type { LiveDashboards } from './live.ts';

export type DashboardApiServices = {
  live: LiveDashboards;
  dashboards: OpenDashboards;
  /** Confirms a delivery that was shown by a dashboard connected to another node. */
  confirmElsewhere(deliveryId: string, userId: string): Promise<void>;
  /** Passes on answers from dashboards that are connected to other nodes. */
  heardElsewhere: HeardElsewhere;
};

/** How long a browser waits before it reconnects. */
const RECONNECT_MS = 1_000;

/** The live connection of an open dashboard, its answers to beats, and its confirmation that it showed a notification. */
export function dashboardApiRoutes(api: FastifyInstance, services: DashboardApiServices): void {
  const { live, dashboards, confirmElsewhere, heardElsewhere } = services;
  route(api, dashboardsApi.events, async (request, reply) => {
    const viewer = viewerOf(request);
    const stream = new PassThrough();
    // A client that closes its stream is not an error.
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

  route(api, dashboardsApi.heard, async (request) => {
    const id = request.params.id;
    const { userId } = viewerOf(request);
    if (!live.heard(id, userId)) heardElsewhere.announce(id, userId);
    return {};
  });

  route(api, dashboardsApi.confirm, async (request) => {
    const id = request.params.id;
    const { userId } = viewerOf(request);
    const confirmed = dashboards.confirm(id, userId);
    // Behind a load balancer, the confirmation may arrive at a different node than the one with the connection.
    if (!confirmed) await confirmElsewhere(id, userId);
    return { confirmed };
  });
}
