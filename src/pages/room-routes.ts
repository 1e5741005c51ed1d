import type { RoomRoutes } from '../kit/room-routes.ts';
import { type PageApiServices, pageApiRoutes } from './api-routes.ts';
import { type ComposeServices, composeApiRoutes } from './compose-api-routes.ts';
import { keyedPageRoutes, type PageRouteServices, pageRoutes } from './routes.ts';

type Services = PageApiServices & ComposeServices & PageRouteServices;

/** Raising, answering and reading pages. */
export function routes(services: Services): RoomRoutes {
  return {
    root(listener) {
      pageRoutes(listener, services);
      keyedPageRoutes(listener, services);
    },
    api(api) {
      pageApiRoutes(api, services);
      composeApiRoutes(api, services);
    },
  };
}
