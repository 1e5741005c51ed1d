import type { RoomRoutes } from '../kit/room-routes.ts';
import { type FeedServices, feedApiRoutes, feedRoutes } from './feed-routes.ts';
import type { FollowingServices } from './following.ts';
import { holidayRoutes } from './holiday-routes.ts';

type Services = FeedServices & FollowingServices;

/** Calendar feeds and holidays. */
export function routes(services: Services): RoomRoutes {
  return {
    root(listener) {
      feedRoutes(listener, services);
    },
    api(api) {
      feedApiRoutes(api, services);
      holidayRoutes(api, services);
    },
  };
}
