import type { FastifyInstance } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { route } from '../kit/route.ts';
import { TIME_ZONES_VERSION, VERSION } from '../kit/version.ts';
import { t } from '../language/contract.ts';
import { may } from '../people/rights.ts';
import { viewerOf } from '../sessions/contract.ts';
import { systemApi } from './api-contract.ts';
import { countWaiting, describeDatabase, listNodes, readLag } from './store.ts';

/** Queues, nodes and database, for owners and admins. */
export function systemApiRoutes(
  api: FastifyInstance,
  { db, clock, config }: { db: Database; clock: Clock; config: { databaseUrl: string | null } },
): void {
  route(api, systemApi.show, async (request) => {
    if (!may(viewerOf(request), 'system.read'))
      throw new Fault('forbidden', [
        { field: 'system', message: t('is shown to owners and admins; ask one of them') },
      ]);
    const since = (await clock.now(db)).subtract({ hours: 24 });
    const [database, nodes, lag, waiting] = await Promise.all([
      describeDatabase(db),
      listNodes(db, since),
      readLag(db, clock),
      countWaiting(db),
    ]);
    return {
      version: VERSION,
      time_zones: TIME_ZONES_VERSION,
      database: { ...database, embedded: config.databaseUrl === null },
      nodes,
      queues: {
        steps: lag.stepSeconds,
        deliveries: lag.deliverySeconds,
        notifications: lag.callSeconds,
      },
      waiting,
    };
  });
}
