import type { FastifyRequest } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import { accessOf, mustConfirm } from '../people/rights.ts';
import { type Viewer, viewerOf } from './contract.ts';
import { isConfirmed } from './store.ts';

export type Person = Viewer & { authentication: { kind: 'session'; hash: string } };

/** The person who is signed in, at a route that refuses API keys. */
export function personOf(request: FastifyRequest): Person {
  const { authentication, ...viewer } = viewerOf(request);
  if (authentication.kind !== 'session') throw forPeopleOnly();
  return { ...viewer, authentication };
}

/**
 * Protects actions that a stolen session or an unattended browser must not do: the person must have re-authenticated
 * within the last hour. Otherwise, the dashboard requests it. @throws Fault 403 on the field `confirmation`
 */
async function demandConfirmed(
  { db, clock }: { db: Database; clock: Clock },
  request: FastifyRequest,
): Promise<void> {
  if (!(await isConfirmed(db, clock, personOf(request).authentication.hash)))
    throw new Fault('forbidden', [{ field: 'confirmation', message: t('Re-authenticate, then try again.') }]);
}

/** The hook that demands re-authentication where the table of rights does. */
export function askForConfirmation(services: { db: Database; clock: Clock }) {
  return async (request: FastifyRequest): Promise<void> => {
    const access = accessOf(request.method, request.routeOptions.url ?? '');
    const byKey = request.viewer?.authentication.kind === 'key';
    if (mustConfirm(access, request.body, byKey)) await demandConfirmed(services, request);
  };
}

/** Whether secrets may be shown: only to a person who re-authenticated within the last hour. */
export async function mayRead(
  { db, clock }: { db: Database; clock: Clock },
  { authentication }: Viewer,
): Promise<boolean> {
  return authentication.kind === 'session' && (await isConfirmed(db, clock, authentication.hash));
}

export function forPeopleOnly(): Fault {
  return new Fault('forbidden', [
    {
      field: 'Authorization',
      message: t('This cannot be done with an API key; sign in to the dashboard and do it there.'),
    },
  ]);
}
