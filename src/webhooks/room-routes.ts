import type { RoomRoutes } from '../kit/room-routes.ts';
import { type WebhookApiServices, webhookApiRoutes } from './api-routes.ts';
import { type CallApiServices, callApiRoutes } from './call-api-routes.ts';
import type { ReceivingServices } from './receiving.ts';
import { type MomentRouteServices, momentRoutes } from './routes.ts';
import { type TestApiServices, webhookTestRoutes } from './test-api-routes.ts';

type Services = WebhookApiServices &
  CallApiServices &
  TestApiServices & { keys: MomentRouteServices['keys']; receiving: ReceivingServices };

/** Webhooks: the calls of senders, and their settings. */
export function routes(services: Services): RoomRoutes {
  return {
    root(listener) {
      momentRoutes(listener, { ...services.receiving, keys: services.keys });
    },
    api(api) {
      webhookApiRoutes(api, services);
      callApiRoutes(api, services);
      webhookTestRoutes(api, services);
    },
  };
}
