import type { FastifyRequest } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { type Viewer, viewerOf } from './contract.ts';
import { isConfirmed } from './session-list-store.ts';

/**
 * For what a stolen session or a browser left alone must not do: whoever asks has shown within the last hour that it is
 * they. The dashboard answers this refusal by asking them.
 * @throws Fault 403 on the field `confirmation`
 */
export async function demandConfirmed(
  { db, clock }: { db: Database; clock: Clock },
  request: FastifyRequest,
): Promise<Viewer & { pass: { kind: 'session'; hash: string } }> {
  const { pass, ...viewer } = viewerOf(request);
  if (pass.kind !== 'session')
    throw new Fault('forbidden', [
      { field: 'Authorization', message: 'carries an API key; this is for people who are signed in' },
    ]);
  if (!(await isConfirmed(db, clock, pass.hash)))
    throw new Fault('forbidden', [
      { field: 'confirmation', message: 'is needed: show once more that it is you, then try again' },
    ]);
  return { ...viewer, pass };
}

/** The hook that holds routes to `config.confirmed`. */
export function askForConfirmation(services: { db: Database; clock: Clock }) {
  return async (request: FastifyRequest): Promise<void> => {
    const { confirmed } = request.routeOptions.config;
    if (confirmed === undefined) return;
    if (confirmed === true || confirmed(request.body)) await demandConfirmed(services, request);
  };
}
