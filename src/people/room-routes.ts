import type { RoomRoutes } from '../kit/room-routes.ts';
import { type PeopleApiServices, peopleApiRoutes } from './api-routes.ts';
import type { MethodServices } from './methods/actions.ts';
import { methodApiRoutes } from './methods/api-routes.ts';
import { organizationApiRoutes } from './organization-api-routes.ts';
import { type PersonServices, personApiRoutes } from './persons/api-routes.ts';
import { type RuleServices, ruleApiRoutes } from './rule-routes.ts';
import { type TeamApiServices, teamApiRoutes } from './team-api-routes.ts';

type Services = PeopleApiServices & MethodServices & RuleServices & PersonServices & TeamApiServices;

/** The organization, its people and its teams. */
export function routes(services: Services): RoomRoutes {
  return {
    api(api) {
      organizationApiRoutes(api, services);
      peopleApiRoutes(api, services);
      methodApiRoutes(api, services);
      ruleApiRoutes(api, services);
      personApiRoutes(api, services);
      teamApiRoutes(api, services);
    },
  };
}
