import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { languageOfBrowser } from '../kit/browser-language.ts';
import { Fault } from '../kit/fault.ts';
import { PLAIN_PAGE_HEADERS } from '../kit/plain-page.ts';
import { sha256 } from '../kit/sealing.ts';
import { inLanguage } from '../language/ambient.ts';
import { t } from '../language/contract.ts';
import { type ArrivalServices, arriveWith, secondFactorTicket } from './arrival.ts';
import { signInPath } from './contract.ts';
import { isFromElsewhere } from './same-origin.ts';
import { factorsOf } from './sign-in-store.ts';
import { badLinkView, passkeyView, signInView } from './sign-in-view.ts';
import { findSignInLink, type SignInLink, spendSignInLink } from './store.ts';

const Params = Type.Object({ token: Type.String({ maxLength: 200 }) });

/** The one-time sign-in link. GET only shows a button; POST uses the link and begins a session. */
export function signInRoutes(listener: FastifyInstance, services: ArrivalServices): void {
  const { config } = services;
  listener.route({
    method: 'GET',
    url: signInPath(':token'),
    schema: { hide: true, params: Params },
    handler: async (request, reply) => {
      const link = await linkOf(request, services);
      const good = link !== null && !link.used && !link.expired;
      if (!good)
        return page(
          reply,
          statusOf(link),
          inLanguage(link?.language ?? languageOfBrowser(request), () => badLinkView(link)),
        );
      const next = await nextStep(services, link);
      return page(
        reply,
        200,
        inLanguage(link.language, () =>
          next === 'passkey' ? passkeyView(link) : signInView(link, next === 'code'),
        ),
      );
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
      const link = await linkOf(request, services);
      const next = link && (await nextStep(services, link));
      if (link && next === 'passkey')
        return page(
          reply,
          403,
          inLanguage(link.language, () => passkeyView(link)),
        );
      if (next === 'code') {
        const ticket = await exchangeForTicket(services, token);
        if (ticket) return reply.header('cache-control', 'no-store').redirect(`/sign-in#${ticket}`, 303);
      }
      if (next === 'in' && (await arriveByLink(services, token, request, reply)))
        return reply.redirect('/', 303);
      const over = await linkOf(request, services);
      return page(
        reply,
        statusOf(over),
        inLanguage(over?.language ?? languageOfBrowser(request), () => badLinkView(over)),
      );
    },
  });
}

/**
 * The requirements besides the link, which only replaces the password. People with an authenticator app also enter a
 * code. People who have only a passkey must sign in with it.
 */
async function nextStep({ db }: ArrivalServices, link: SignInLink): Promise<'in' | 'code' | 'passkey'> {
  if (link.withoutSecondFactor) return 'in';
  const { codes, passkeys } = await factorsOf(db, link);
  if (codes) return 'code';
  return passkeys > 0 ? 'passkey' : 'in';
}

/** Uses the link and begins a session; false if the link is no longer valid. */
async function arriveByLink(
  services: ArrivalServices,
  token: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  try {
    await arriveWith(services, request, reply, async (tx) => {
      const who = await spendSignInLink(tx, services.clock, sha256(token));
      if (!who) throw new LinkIsOver();
      return { ...who, method: 'link' };
    });
    return true;
  } catch (error) {
    if (error instanceof LinkIsOver) return false;
    throw error;
  }
}

/** Another request used the link first. */
class LinkIsOver extends Error {}

/** Uses the link and returns a ticket for the code; null if the link is no longer valid. */
function exchangeForTicket({ db, clock }: ArrivalServices, token: string): Promise<string | null> {
  return db.transaction().execute(async (tx) => {
    const who = await spendSignInLink(tx, clock, sha256(token));
    return who && secondFactorTicket(tx, clock, who, 'link');
  });
}

function page(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).headers(PLAIN_PAGE_HEADERS).send(body);
}

function linkOf(request: FastifyRequest, { db, clock }: ArrivalServices): Promise<SignInLink | null> {
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
    {
      field: 'Origin',
      message: t('This request came from another site; open the link itself and press its button.'),
    },
  ]);
}
