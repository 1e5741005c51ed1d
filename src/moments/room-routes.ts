import type { RoomRoutes } from '../kit/room-routes.ts';
import { type MomentApiServices, momentApiRoutes } from './api-routes.ts';

type Services = MomentApiServices;

/** Moments, for people. */
export function routes(services: Services): RoomRoutes {
  return { api: (api) => momentApiRoutes(api, services) };
}
