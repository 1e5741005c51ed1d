import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { Fault } from '../../kit/fault.ts';
import { route } from '../../kit/route.ts';
import { t } from '../../language/contract.ts';
import { endSessions } from '../../people/access-store.ts';
import { mayActOn } from '../../people/rights.ts';
import { audit } from '../../people/store.ts';
import { closeProblems } from '../../problems/store.ts';
import { viewerOf } from '../contract.ts';
import { signInHelpApi } from '../invitation-contract.ts';
import { lockForLink } from '../invitations/invitation-store.ts';
import { noActivePerson } from '../invitations/sign-in-link-for.ts';
import { forgetIdentities } from '../sign-in-store.ts';

/** The subject of the problem that an address has a second identity. */
export function secondSubject(userId: string): string {
  return `identity:${userId}`;
}

/** DELETE /api/people/:id/identity: unlinks a person from their identity at the provider and signs them out. */
export function identityApiRoutes(api: FastifyInstance, { db, clock }: { db: Database; clock: Clock }): void {
  route(api, signInHelpApi.unlink, async (request) => {
    const viewer = viewerOf(request);
    const { organizationId } = viewer;
    const userId = request.params.id;
    return db.transaction().execute(async (tx) => {
      const person = await lockForLink(tx, organizationId, userId);
      if (!person) throw noActivePerson();
      if (!mayActOn(viewer.role, person.role))
        throw new Fault('forbidden', [
          { field: 'id', message: t('You may not change this person; ask an owner or admin.') },
        ]);
      const at = await clock.now(tx);
      const forgotten = await forgetIdentities(tx, { organizationId, userId });
      await endSessions(tx, at, { organizationId, userId });
      await closeProblems(tx, clock, [secondSubject(userId)]);
      await audit(tx, at, viewer, 'identity.forgotten', userId, { forgotten });
      return { forgotten };
    });
  });
}
