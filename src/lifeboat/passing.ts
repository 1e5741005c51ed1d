import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { NotConnected } from '../db/away.ts';
import { LIFEBOAT_HEADER, type LifeboatNotice, type LifeboatState, lifeboatNotice } from './contract.ts';

type Listener = Pick<FastifyInstance, 'routing'>;

/** Decides whether requests go to the lifeboat. */
export type Berth = {
  state(): LifeboatState;
  /** The state for the dashboard; null if nothing is unusual. */
  notice(): LifeboatNotice | null;
  /** The listener of the lifeboat; null while it is not ready. */
  base(): Listener | null;
  /** Whether this delivery was made by the lifeboat and is still aboard. */
  knows(deliveryId: string): Promise<boolean>;
};

/**
 * Routes that the lifeboat answers while it is afloat: pages by API key and by page source, and requests of providers
 * and load balancers. Heartbeats are left out, because none counts as late while calls are refused. So are all reads,
 * because most of the data is in the main database.
 */
const TAKEN: readonly RegExp[] = [
  /^POST \/page\/(team|person|acknowledge|resolve)$/,
  /^POST \/page\/:token(\/:type)?$/,
  /^POST \/(v2\/enqueue|v2\/change\/enqueue|generic\/2010-04-15\/create_event\.json)$/,
  /^(POST|PUT|DELETE) (\/jsm\/ops\/integration)?\/v2\/alerts(\/\*)?$/,
  /^POST (\/jsm\/ops\/integration)?\/v2\/integrations\/authenticate$/,
  /^POST \/integrations\/v1\/:type\/:token$/,
  /^POST \/(api\/v2\/(generic|grafana|prometheusalertmanager|site24x7)\/incoming|v1\/api\/alerts)$/,
  /^POST \/integrations\/generic\/20131114\/alert\/:key(\/:routing)?$/,
  /^POST \/callbacks\/.+$/,
  /^(GET|HEAD) \/(healthz|readyz)$/,
];
const LINK = '/a/:token';

/** Whether a lifeboat that is afloat answers a route, by its method and path as in the table of rights. */
export function isTaken(route: string): boolean {
  return TAKEN.some((pattern) => pattern.test(route));
}

/** Passes requests to the lifeboat while it is afloat. */
export type Passing = {
  /** Adds the hook; call it before routes are added. */
  hook(listener: FastifyInstance): void;
  /** Resolves when the lifeboat is answering no request, or after `withinMs`. */
  idle(withinMs: number): Promise<void>;
};

export function createPassing(berth: Berth): Passing {
  const underWay = new Set<Promise<void>>();

  function passTo(base: Listener, request: IncomingMessage, response: ServerResponse): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    underWay.add(promise);
    response.once('close', () => {
      underWay.delete(promise);
      resolve();
    });
    base.routing(request, response);
  }

  /** @throws NotConnected when its page is on its way to the main database */
  async function isForLifeboat(request: FastifyRequest): Promise<boolean> {
    if (berth.state() === 'ashore') return false;
    const { url = '' } = request.routeOptions;
    if (url !== LINK) return berth.state() === 'afloat' && isTaken(`${request.method} ${url}`);
    const delivery = /^[0-9a-z]{26}/.exec((request.params as { token: string }).token)?.[0];
    const known = delivery !== undefined && (await berth.knows(`delivery_${delivery}`).catch(() => false));
    if (known && berth.state() === 'landing') throw new NotConnected();
    return known && berth.state() === 'afloat';
  }

  return {
    hook(listener) {
      listener.decorateRequest('isAfloat', false);
      listener.addHook('onRequest', async (request, reply) => {
        request.isAfloat = berth.state() === 'afloat';
        const notice = request.url.startsWith('/api/') ? berth.notice() : null;
        if (notice) reply.header(LIFEBOAT_HEADER, lifeboatNotice(notice));
        const base = (await isForLifeboat(request)) && berth.base();
        if (!base) return;
        reply.hijack();
        passTo(base, request.raw, reply.raw);
      });
    },
    async idle(withinMs) {
      const late = new Promise<void>((resolve) => setTimeout(resolve, withinMs).unref());
      await Promise.race([Promise.all(underWay), late]);
    },
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a lifeboat is afloat, for the reason of a refusal; undefined if there is none. */
    isAfloat?: boolean;
  }
}
