import type { RoomRoutes } from '../kit/room-routes.ts';
import type { Means } from '../people/reachability.ts';
import { scheduleApiRoutes } from './api-routes.ts';
import { type ScheduleRouteServices, scheduleRoutes } from './routes.ts';
import { savedOnCallRoutes } from './saved/api-routes.ts';
import type { SavedLists } from './saved/keeper.ts';
import { timelineRoutes } from './timeline-routes.ts';
import { uncoveredRoutes } from './uncovered-routes.ts';

type Services = ScheduleRouteServices & { means: Means; savedLists: Pick<SavedLists, 'current'> };

/** Who is on call. */
export function routes(services: Services): RoomRoutes {
  return {
    root(listener) {
      scheduleRoutes(listener, services);
    },
    api(api) {
      scheduleApiRoutes(api, services);
      savedOnCallRoutes(api, services);
      timelineRoutes(api, services);
      uncoveredRoutes(api, services);
    },
  };
}
