import type { RoomRoutes } from '../kit/room-routes.ts';
import { type FirstRunServices, firstRunApiRoutes } from './first-run-api-routes.ts';

type Services = FirstRunServices;

/** The first set-up. */
export function routes(services: Services): RoomRoutes {
  return { open: (api) => firstRunApiRoutes(api, services) };
}
