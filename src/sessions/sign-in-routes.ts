import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { PLAIN_PAGE_HEADERS } from '../kit/plain-page.ts';
import { sha256 } from '../kit/sealing.ts';
import { browserOf } from './browser.ts';
import { signInPath } from './contract.ts';
import { isFromElsewhere } from './same-origin.ts';
import { sessionCookie } from './session.ts';
import type { Sessions } from './sessions.ts';
import { badLinkView, signInView } from './sign-in-view.ts';
import { findSignInLink, type SignInLink } from './store.ts';

export type SignInServices = {
  db: Database;
  clock: Clock;
  sessions: Sessions;
  config: { publicUrl: string };
};

const Params = Type.Object({ token: Type.String({ maxLength: 200 }) });

/** The one-time sign-in link: GET shows a button and changes nothing, POST uses the link up and begins a session. */
export function signInRoutes(listener: FastifyInstance, services: SignInServices): void {
  const { config, sessions } = services;
  const cookie = sessionCookie(config.publicUrl);
  listener.route({
    method: 'GET',
    url: signInPath(':token'),
    schema: { hide: true, params: Params },
    handler: async (request, reply) => {
      const link = await linkOf(request, services);
      const good = link !== null && !link.used && !link.expired;
      return reply
        .code(statusOf(link))
        .headers(PLAIN_PAGE_HEADERS)
        .send(good ? signInView(link) : badLinkView(link));
    },
  });
  listener.route({
    method: 'POST',
    url: signInPath(':token'),
    config: { forms: true },
    schema: { hide: true, params: Params },
    handler: async (request, reply) => {
      refuseElsewhere(request, config.publicUrl);
      const { token } = request.params as { token: string };
      const session = await sessions.signIn(token, browserOf(request));
      if (!session) {
        const link = await linkOf(request, services);
        return reply.code(statusOf(link)).headers(PLAIN_PAGE_HEADERS).send(badLinkView(link));
      }
      return reply
        .header('cache-control', 'no-store')
        .setCookie(cookie.name, session, cookie.options)
        .redirect('/', 303);
    },
  });
}

function linkOf(request: FastifyRequest, { db, clock }: SignInServices): Promise<SignInLink | null> {
  const { token } = request.params as { token: string };
  return findSignInLink(db, clock, sha256(token));
}

function statusOf(link: SignInLink | null): number {
  if (!link) return 404;
  return link.used || link.expired ? 410 : 200;
}

/** Another site must not be able to sign somebody in as somebody else. */
function refuseElsewhere(request: FastifyRequest, publicUrl: string): void {
  const site = [request.headers['sec-fetch-site']].flat()[0];
  if (!isFromElsewhere({ site, origin: request.headers.origin }, publicUrl)) return;
  throw new Fault('forbidden', [
    { field: 'Origin', message: 'is another site; open the link itself and press its button' },
  ]);
}
