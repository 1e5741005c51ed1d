import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Budgets, Rate } from '../keys/budget.ts';
import type { RoomRoutes } from '../kit/room-routes.ts';
import type { Sealing } from '../kit/sealing.ts';
import type { Means } from '../people/reachability.ts';
import type { RequestWatch } from '../requests/watch.ts';
import type { ReceivingServices } from '../webhooks/receiving.ts';
import type { WebhookTokens } from '../webhooks/tokens.ts';
import { sourceApiRoutes } from './api-routes.ts';
import type { DialectHeartbeats } from './dialects/heartbeats.ts';
import { dialectRoutes } from './dialects/routes.ts';
import { createFirstEvents } from './first-events.ts';
import { heartbeatRoutes } from './heartbeat-routes.ts';
import { noteBeat, noteNamedBeat, teamHeartbeats } from './heartbeat-store.ts';
import { createHashKey } from './key.ts';
import { sourcePageRoutes } from './page-routes.ts';
import { createTries } from './try.ts';
import { tryRoutes } from './try-routes.ts';
import { windowRoutes } from './windows-routes.ts';

type Services = {
  db: Database;
  /** Connections that accept calls, apart from those of other requests. */
  acceptDb: Database;
  clock: Clock;
  sealing: Sealing;
  config: { publicUrl: string; rateLimit: Rate };
  means: Means;
  budgets: Budgets;
  tokens: WebhookTokens;
  watch: RequestWatch;
  /** This is the service on the database of a lifeboat. */
  isStandBy: boolean;
  receiving: ReceivingServices;
};

/** The most heartbeats in one answer to a client of Opsgenie. */
const MOST_HEARTBEATS = 1_000;

/** Page sources: their URLs, drop-in APIs, heartbeats, settings and maintenance windows. */
export function routes(services: Services): RoomRoutes {
  const { db, acceptDb, clock, receiving, watch } = services;
  const tries = createTries(services);
  const firstEvents = createFirstEvents(acceptDb, services.config.rateLimit);
  const hashKey = createHashKey(acceptDb, services.sealing);
  const heartbeats: DialectHeartbeats = {
    note: async ({ id }) => (await noteBeat(acceptDb, clock, id)) !== null,
    beat: (source, name) => noteNamedBeat(acceptDb, clock, source.id, name),
    list: (source, name) => teamHeartbeats(db, clock, source.id, { name, limit: MOST_HEARTBEATS }),
  };
  return {
    root(listener) {
      sourcePageRoutes(listener, { ...receiving, tries, firstEvents });
      dialectRoutes(listener, {
        ...receiving,
        ...{ isStandBy: services.isStandBy, readDb: db, watch, heartbeats, firstEvents, tries, hashKey },
      });
      heartbeatRoutes(listener, { ...services, db: acceptDb });
    },
    api(api) {
      sourceApiRoutes(api, services);
      windowRoutes(api, services);
      tryRoutes(api, { ...services, tries });
    },
  };
}
