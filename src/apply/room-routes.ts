import type { RoomRoutes } from '../kit/room-routes.ts';
import { type ApplyApiServices, applyApiRoutes } from './api-routes.ts';

type Services = ApplyApiServices;

/** The operator's file over HTTP. */
export function routes(services: Services): RoomRoutes {
  return { api: (api) => applyApiRoutes(api, services) };
}
