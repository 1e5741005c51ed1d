import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { RoomRoutes } from '../kit/room-routes.ts';
import { recordRoutes } from './record-routes.ts';
import type { SourceServices } from './sources.ts';
import { availabilitySourceRoutes } from './sources-routes.ts';
import type { Spool } from './spool.ts';
import { uploadApiRoute } from './upload-api-route.ts';

type Services = SourceServices & { db: Database; clock: Clock; spool: Spool };

/** Absences: records, uploads and followed calendars. */
export function routes(services: Services): RoomRoutes {
  return {
    api(api) {
      availabilitySourceRoutes(api, services);
      recordRoutes(api, services);
      uploadApiRoute(api, services);
    },
  };
}
