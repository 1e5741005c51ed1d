import type { FastifyInstance } from 'fastify';
import { Fault } from '../kit/fault.ts';

/** The paths that load balancers and Prometheus request directly, without the proxy. */
export const PROBES = ['/healthz', '/readyz', '/metrics'];

/**
 * Behind a proxy, accepts only requests that reached it over HTTPS: an API key that is sent unencrypted must not work.
 */
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
