import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { Fault } from '../kit/fault.ts';
import { isLoopbackHost } from '../kit/loopback.ts';
import { PROBES } from './https.ts';

export type KnownHosts = Pick<Config, 'publicUrl' | 'uploadUrl' | 'host' | 'allowedHosts'>;

/**
 * Accepts requests for our own host names only. This stops DNS rebinding, where a site points its name to our address
 * and so shares our origin in a browser inside our network. Probes use IP addresses and reveal nothing.
 */
export function refuseForeignHosts(listener: FastifyInstance, settings: KnownHosts): void {
  const { publicUrl, uploadUrl, host, allowedHosts } = settings;
  const names = [new URL(publicUrl).hostname, new URL(uploadUrl).hostname, host, ...allowedHosts];
  const known = new Set(names.map(plain));
  listener.addHook('onRequest', async (request) => {
    const name = hostOf(request);
    if (isLoopbackHost(name) || known.has(plain(name)) || isProbe(request)) return;
    throw new Fault('misdirected', [
      {
        field: 'Host',
        message: `is ${JSON.stringify(name.slice(0, 255))}, which is not a name of this service; use ${publicUrl}, or have its operator add the name to ALLOWED_HOSTS`,
      },
    ]);
  });
}

/** The host name without the port; behind a trusted proxy, the name that the client requested. */
function hostOf(request: FastifyRequest): string {
  return request.hostname ?? '';
}

function isProbe(request: FastifyRequest): boolean {
  return PROBES.includes(request.routeOptions.url ?? '');
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}
