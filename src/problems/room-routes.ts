import type { Database } from '../db/database.ts';
import type { RoomRoutes } from '../kit/room-routes.ts';
import { problemApiRoutes } from './api-routes.ts';

type Services = { db: Database };

/** Problems that Tocsin found. */
export function routes(services: Services): RoomRoutes {
  return { api: (api) => problemApiRoutes(api, services) };
}
