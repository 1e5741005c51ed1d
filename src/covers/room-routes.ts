import type { RoomRoutes } from '../kit/room-routes.ts';
import { type CoverApiServices, coverApiRoutes } from './api-routes.ts';

type Services = CoverApiServices;

/** Covers, swaps and overrides. */
export function routes(services: Services): RoomRoutes {
  return { api: (api) => coverApiRoutes(api, services) };
}
