import type { Database } from '../db/database.ts';
import type { RoomRoutes } from '../kit/room-routes.ts';
import type { Raiser } from '../pages/raise.ts';
import { type AcknowledgeServices, acknowledgeRoutes } from './acknowledge-routes.ts';
import { type Channels, callbackRoutes } from './channels/registry.ts';
import { channelApiRoutes } from './channels-api-routes.ts';
import { type DashboardApiServices, dashboardApiRoutes } from './dashboards/api-routes.ts';
import type { InboundPorts } from './inbound/ports.ts';
import type { PreviewServices } from './preview.ts';
import { previewApiRoutes } from './preview-routes.ts';
import { type ProviderApiServices, providerApiRoutes } from './providers-api-routes.ts';

type Services = AcknowledgeServices &
  DashboardApiServices &
  PreviewServices &
  ProviderApiServices & {
    /** The pool that accepts pages. */
    acceptDb: Database;
    answers: InboundPorts;
    channels: Channels;
    raiser: Raiser;
  };

/** Channels, their providers, answers to notifications, and open dashboards. */
export function routes(services: Services): RoomRoutes {
  return {
    root(listener) {
      // Uses the connections of pages, so that an answer never waits for people who read lists.
      acknowledgeRoutes(listener, { ...services, db: services.acceptDb });
      const { providers, answers } = services;
      for (const callbacks of callbackRoutes(providers.settings, answers)) listener.register(callbacks);
    },
    api(api) {
      previewApiRoutes(api, services);
      channelApiRoutes(api, services);
      providerApiRoutes(api, services);
      dashboardApiRoutes(api, services);
    },
  };
}
