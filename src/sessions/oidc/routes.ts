import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Log } from '../../kit/log.ts';
import type { Sealing } from '../../kit/sealing.ts';
import { stored } from '../../language/contract.ts';
import { noteProblem } from '../../problems/store.ts';
import { type ArrivalServices, arriveWith } from '../arrival.ts';
import { sessionCookie } from '../session.ts';
import type { Arrival } from '../sessions.ts';
import { findByAddress, keepChallenge } from '../sign-in-store.ts';
import { objection, type Unwelcome, whoIs } from './arrival-by-oidc.ts';
import { secondSubject } from './identity-api-routes.ts';
import { createProvider, type Departure, type Identity, type OidcSettings } from './provider.ts';

export type OidcServices = Omit<ArrivalServices, 'config'> & {
  sealing: Sealing;
  log: Log;
  config: { publicUrl: string; oidc: OidcSettings | null; allowPrivateWebhooks: boolean };
};

/** How many minutes people have to sign in at the provider. */
const PATIENCE = 15;

/**
 * The data that the browser keeps, encrypted, while the person signs in at the provider. None of it is stored here, so
 * that strangers cannot fill the database by starting sign-ins.
 */
type Begun = { departure: Departure; until: string };

const Returned = Type.Object({ state: Type.Optional(Type.String({ maxLength: 500 })) });

/** GET /oidc/start and /oidc/callback: to the organization's identity provider, and back. */
export function oidcRoutes(listener: FastifyInstance, services: OidcServices): void {
  const { db, clock, sealing, config, log } = services;
  const { oidc } = config;
  if (!oidc) return;
  const provider = createProvider(oidc, config);
  const session = sessionCookie(config.publicUrl);
  // Only the browser that started the sign-in may finish it, so that nobody can be signed in with another person's link.
  const cookie = {
    name: `${session.name}-oidc`,
    options: { ...session.options, maxAge: PATIENCE * 60 },
  };

  listener.get('/oidc/start', { schema: { hide: true } }, async (_, reply) => {
    try {
      const { url, departure } = await provider.depart();
      const until = (await clock.now(db)).add({ minutes: PATIENCE });
      const sealed = sealing.seal(JSON.stringify({ departure, until: until.toString() } satisfies Begun));
      return reply
        .header('cache-control', 'no-store')
        .setCookie(cookie.name, sealed.toString('base64url'), cookie.options)
        .redirect(url.href, 303);
    } catch (error) {
      return failed(reply, error);
    }
  });

  listener.get(
    '/oidc/callback',
    { schema: { hide: true, querystring: Returned } },
    async (request, reply) => {
      reply.clearCookie(cookie.name, { ...cookie.options, maxAge: 0 });
      try {
        const departure = await departureOf(request);
        if (!departure) return back(reply, 'failed');
        const identity = await provider.identify(new URL(request.url, config.publicUrl), departure);
        return await welcome(identity, departure, request, reply);
      } catch (error) {
        return failed(reply, error);
      }
    },
  );

  async function departureOf(request: FastifyRequest): Promise<Departure | null> {
    const { state } = request.query as { state?: string };
    const sealed = request.cookies[cookie.name];
    if (!state || !sealed) return null;
    const { departure, until } = JSON.parse(sealing.open(Buffer.from(sealed, 'base64url'))) as Begun;
    const isOver = Temporal.Instant.compare(until, await clock.now(db)) <= 0;
    return isOver || departure.state !== state ? null : departure;
  }

  async function welcome(
    identity: Identity,
    { state }: Departure,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const unwelcome = objection(identity, oidc?.emailDomains ?? []);
    if (unwelcome) return back(reply, unwelcome);
    try {
      await arriveWith(services, request, reply, async (tx): Promise<Arrival> => {
        // Works once. Fails if the same answer of the provider was used before.
        await keepChallenge(tx, clock, 'oidc', state, PATIENCE, {
          organizationId: null,
          userId: null,
          data: {},
        });
        const who = await whoIs(tx, clock, identity);
        if (typeof who === 'string') throw new NotWelcome(who);
        return who;
      });
    } catch (error) {
      if (error instanceof NotWelcome) {
        if (error.why === 'second') await listSecond(identity);
        return back(reply, error.why);
      }
      throw error;
    }
    return reply.redirect('/', 303);
  }

  /** Lists it among the problems until an admin has decided. */
  async function listSecond({ email }: Identity): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const owner = await findByAddress(tx, email);
      if (!owner) return;
      await noteProblem(tx, clock, {
        ...{ organizationId: owner.organizationId, subject: secondSubject(owner.userId), count: 1 },
        code: 'second_identity',
        message: stored(
          'A person with the address {email} was refused, because an earlier sign-in with this address had a different identity at the provider.',
          { email },
        ),
        fix: stored(
          'Check at the identity provider who owns the address now. If it is the person who was refused, open that person under People and choose “Forget identity provider”, so that they can sign in again.',
        ),
      });
    });
  }

  function failed(reply: FastifyReply, error: unknown): FastifyReply {
    log.warn({ err: error }, 'sign-in with the identity provider failed');
    return back(reply, 'failed');
  }
}

/** Undoes the transaction that looked for them. */
class NotWelcome extends Error {
  readonly why: Unwelcome;

  constructor(why: Unwelcome) {
    super(why);
    this.why = why;
  }
}

/** Redirects to the sign-in page, which explains the code. */
function back(reply: FastifyReply, why: Unwelcome | 'failed'): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(`/?sign-in=${why}`, 303);
}
