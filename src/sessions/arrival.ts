import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { randomToken, type Sealing } from '../kit/sealing.ts';
import { t } from '../language/contract.ts';
import type { SignInAnswer } from './api-contract.ts';
import { browserOf } from './browser.ts';
import { rememberDevice } from './known-device.ts';
import { sessionCookie } from './session.ts';
import type { Arrival, Sessions } from './sessions.ts';
import { factorsOf, keepChallenge } from './sign-in-store.ts';

export type ArrivalServices = {
  db: Database;
  clock: Clock;
  sessions: Sessions;
  sealing: Sealing;
  config: { publicUrl: string };
};

/** How many minutes people have to enter the code after their password. */
const PATIENCE = 10;

/**
 * Signs in a person who gave the right password, or requires their second factor. @throws Fault 403 if the organization
 * requires two factors and they have a passkey, which counts as both
 */
export async function arriveByPassword(
  services: ArrivalServices,
  who: { organizationId: string; userId: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignInAnswer> {
  const { db, clock } = services;
  const factors = await factorsOf(db, who);
  if (factors.codes) {
    return { signed_in: false, ticket: await secondFactorTicket(db, clock, who, 'password') };
  }
  if (factors.required && factors.passkeys > 0)
    throw new Fault('forbidden', [
      {
        field: 'password',
        message: t(
          'is correct, but your organization requires two factors; sign in with your passkey, which counts as both',
        ),
      },
    ]);
  return arrive(services, { ...who, method: 'password' }, request, reply);
}

/** A ticket to send with the second factor's code within ten minutes. It records how the first factor was given. */
export async function secondFactorTicket(
  db: Handle,
  clock: Clock,
  { organizationId, userId }: { organizationId: string; userId: string },
  method: 'password' | 'link',
): Promise<string> {
  const ticket = randomToken();
  await keepChallenge(db, clock, 'second_factor', ticket, PATIENCE, {
    ...{ organizationId, userId, data: { method } },
  });
  return ticket;
}

/** Begins a session in this browser and ends the one before, so that nobody can plant a session beforehand. */
export async function arrive(
  services: ArrivalServices,
  arrival: Arrival,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ signed_in: true }> {
  return arriveWith(services, request, reply, async () => arrival);
}

/** The same for a person whose account is written in the same transaction. */
export async function arriveWith(
  services: ArrivalServices,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (tx: Tx, at: Temporal.Instant) => Promise<Arrival>,
): Promise<{ signed_in: true }> {
  const { db, clock, sessions, config } = services;
  const cookie = sessionCookie(config.publicUrl);
  const former = request.cookies[cookie.name];
  const { token, userId } = await db.transaction().execute(async (tx) => {
    const at = await clock.now(tx);
    const arrival = await work(tx, at);
    return { token: await sessions.begin(tx, at, arrival, browserOf(request)), userId: arrival.userId };
  });
  if (former) await sessions.end(former);
  reply.header('cache-control', 'no-store').setCookie(cookie.name, token, cookie.options);
  rememberDevice(services, userId, request, reply);
  return { signed_in: true };
}
