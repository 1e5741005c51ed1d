import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { RoomRoutes } from '../kit/room-routes.ts';
import { systemApiRoutes } from './api-routes.ts';

type Services = { db: Database; clock: Clock; config: { databaseUrl: string | null } };

/** The state of the installation. */
export function routes(services: Services): RoomRoutes {
  return { api: (api) => systemApiRoutes(api, services) };
}
