import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { RoomRoutes } from '../kit/room-routes.ts';
import { noticeApiRoutes } from './api-routes.ts';

type Services = { db: Database; clock: Clock };

/** The inbox. */
export function routes(services: Services): RoomRoutes {
  return { api: (api) => noticeApiRoutes(api, services) };
}
