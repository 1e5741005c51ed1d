import type { RoomRoutes } from '../kit/room-routes.ts';
import type { Sealing } from '../kit/sealing.ts';
import { type AccountServices, accountApiRoutes } from './account/api-routes.ts';
import { type SessionRouteServices, sessionApiRoutes } from './api-routes.ts';
import type { ArrivalServices } from './arrival.ts';
import { acceptApiRoutes } from './invitations/accept-api-routes.ts';
import { type InvitationServices, invitationApiRoutes } from './invitations/api-routes.ts';
import { identityApiRoutes } from './oidc/identity-api-routes.ts';
import { type OidcServices, oidcRoutes } from './oidc/routes.ts';
import { type SignInApiServices, signInApiRoutes } from './sign-in-api-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';

type Services = AccountServices &
  ArrivalServices &
  InvitationServices &
  OidcServices &
  SessionRouteServices &
  SignInApiServices & { sealing: Sealing };

/** Signing in, accounts and invitations. */
export function routes(services: Services): RoomRoutes {
  return {
    root(listener) {
      signInRoutes(listener, services);
      oidcRoutes(listener, services);
    },
    open(api) {
      signInApiRoutes(api, services);
      acceptApiRoutes(api, services);
    },
    api(api) {
      sessionApiRoutes(api, services);
      accountApiRoutes(api, services);
      invitationApiRoutes(api, services);
      identityApiRoutes(api, services);
    },
  };
}
