import type { FastifyRequest } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { accessOf, mustConfirm } from '../people/rights.ts';
import { type Viewer, viewerOf } from './contract.ts';
import { isConfirmed } from './session-list-store.ts';

export type Person = Viewer & { pass: { kind: 'session'; hash: string } };

/** Whoever is signed in at a route that no key reaches. */
export function personOf(request: FastifyRequest): Person {
  const { pass, ...viewer } = viewerOf(request);
  if (pass.kind !== 'session') throw forPeopleOnly();
  return { ...viewer, pass };
}

/**
 * For what a stolen session or a browser left alone must not do: whoever asks has shown within the last hour that it is
 * they. The dashboard answers this refusal by asking them.
 * @throws Fault 403 on the field `confirmation`
 */
async function demandConfirmed(
  { db, clock }: { db: Database; clock: Clock },
  request: FastifyRequest,
): Promise<void> {
  if (!(await isConfirmed(db, clock, personOf(request).pass.hash)))
    throw new Fault('forbidden', [
      { field: 'confirmation', message: 'is needed: show once more that it is you, then try again' },
    ]);
}

/** The hook that holds every route to what the table of rights says about it. */
export function askForConfirmation(services: { db: Database; clock: Clock }) {
  return async (request: FastifyRequest): Promise<void> => {
    const access = accessOf(request.method, request.routeOptions.url ?? '');
    if (mustConfirm(access, request.body)) await demandConfirmed(services, request);
  };
}

/** Whether secrets may be shown to whoever asks: a person who has shown within the last hour that it is they. */
export async function mayRead(
  { db, clock }: { db: Database; clock: Clock },
  { pass }: Viewer,
): Promise<boolean> {
  return pass.kind === 'session' && (await isConfirmed(db, clock, pass.hash));
}

export function forPeopleOnly(): Fault {
  return new Fault('forbidden', [
    {
      field: 'Authorization',
      message: 'carries an API key, and no key may do this; sign in to the dashboard and do it there',
    },
  ]);
}
