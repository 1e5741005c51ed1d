import type { RoomRoutes } from '../kit/room-routes.ts';
import type { Means } from '../people/reachability.ts';
import { type PlanApiServices, planApiRoutes } from './drafts/api-routes.ts';
import { type LeavingServices, leavingApiRoutes } from './leaving-routes.ts';
import { scheduleSettingsRoutes } from './settings-routes.ts';

type Services = PlanApiServices & LeavingServices & { means: Means };

/** Settings of schedules, plans, and the departure of people. */
export function routes(services: Services): RoomRoutes {
  return {
    api(api) {
      scheduleSettingsRoutes(api, services);
      planApiRoutes(api, services);
      leavingApiRoutes(api, services);
    },
  };
}
