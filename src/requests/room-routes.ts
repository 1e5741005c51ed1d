import type { RoomRoutes } from '../kit/room-routes.ts';
import { requestApiRoutes } from './api-routes.ts';
import { type RequestRouteServices, requestRoutes } from './routes.ts';

type Services = RequestRouteServices;

/** The state of accepted requests. */
export function routes(services: Services): RoomRoutes {
  return {
    root(listener) {
      requestRoutes(listener, services);
    },
    api(api) {
      requestApiRoutes(api, services);
    },
  };
}
