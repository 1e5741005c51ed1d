import type { FastifyInstance } from 'fastify';
import { Fault } from '../kit/fault.ts';

/** What load balancers and Prometheus ask for, from next door. */
export const PROBES = ['/healthz', '/readyz', '/metrics'];

/** Behind a proxy, only what reached the proxy over HTTPS is answered: a key sent in the clear must not work. */
export function requireHttps(listener: FastifyInstance): void {
  listener.addHook('onRequest', async (request) => {
    if (request.protocol === 'https' || PROBES.includes(request.routeOptions.url ?? '')) return;
    throw new Fault('forbidden', [
      {
        field: 'X-Forwarded-Proto',
        message: 'is not https; send the request over HTTPS, and have the proxy set this header',
      },
    ]);
  });
}
