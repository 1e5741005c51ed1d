import type { FastifyInstance } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { route } from '../kit/route.ts';
import { newId } from '../kit/typeid.ts';
import { t } from '../language/contract.ts';
import { viewerOf } from '../sessions/contract.ts';
import {
  countPushSubscriptions,
  deletePushSubscription,
  listColleagues,
  savePushSubscription,
} from './contact-store.ts';
import { peopleApi } from './person-contract.ts';
import { pushApi } from './push-api-contract.ts';
import { MOST_SUBSCRIPTIONS, subscriptionProblems } from './push-subscription.ts';

export type PeopleApiServices = {
  db: Database;
  clock: Clock;
  /** Public half of the key that signs our push messages, in URL-safe base64. */
  vapidPublicKey: string;
};

/** Colleagues, and push for the viewer's browsers. */
export function peopleApiRoutes(api: FastifyInstance, services: PeopleApiServices): void {
  const { db, clock, vapidPublicKey } = services;
  route(api, peopleApi.list, async (request) => ({
    people: await listColleagues(db, viewerOf(request).organizationId),
  }));

  route(api, pushApi.key, async () => ({ key: vapidPublicKey }));

  route(api, pushApi.subscribe, async (request) => {
    const viewer = viewerOf(request);
    const subscription = request.body;
    const problems = subscriptionProblems(subscription);
    if (problems.length > 0) throw new Fault('bad_request', problems);
    const id = await db.transaction().execute(async (tx) => {
      const saved = await savePushSubscription(tx, clock, viewer, newId('contact_method'), subscription);
      if (saved === null) throw notTheirs();
      if ((await countPushSubscriptions(tx, viewer.userId)) > MOST_SUBSCRIPTIONS) throw tooMany();
      return saved;
    });
    return { id };
  });

  route(api, pushApi.unsubscribe, async (request) => {
    const { endpoint } = request.body;
    return { removed: await deletePushSubscription(db, viewerOf(request), endpoint) };
  });
}

function notTheirs(): Fault {
  return new Fault('conflict', [
    {
      field: 'endpoint',
      message: t('belongs to the browser of another person; turn push off and on again in this browser'),
    },
  ]);
}

function tooMany(): Fault {
  return new Fault('conflict', [
    {
      field: 'endpoint',
      message: t(
        'A person can use push in at most {most} browsers; turn it off in one that you no longer use.',
        { most: MOST_SUBSCRIPTIONS },
      ),
    },
  ]);
}
