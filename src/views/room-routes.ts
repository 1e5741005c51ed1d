import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { RoomRoutes } from '../kit/room-routes.ts';
import { viewRoutes } from './api-routes.ts';

type Services = { db: Database; clock: Clock };

/** Filters that teams saved. */
export function routes(services: Services): RoomRoutes {
  return { api: (api) => viewRoutes(api, services) };
}
