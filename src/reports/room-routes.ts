import type { RoomRoutes } from '../kit/room-routes.ts';
import { reportApiRoutes } from './api-routes.ts';
import type { ReportServices } from './reports.ts';

type Services = ReportServices;

/** Reports. */
export function routes(services: Services): RoomRoutes {
  return { api: (api) => reportApiRoutes(api, services) };
}
