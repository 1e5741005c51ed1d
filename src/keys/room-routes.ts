import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { RoomRoutes } from '../kit/room-routes.ts';
import { keyApiRoutes } from './api-routes.ts';

type Services = { db: Database; clock: Clock };

/** API keys. */
export function routes(services: Services): RoomRoutes {
  return { api: (api) => keyApiRoutes(api, services) };
}
