import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { Fault } from '../kit/fault.ts';
import { isLoopbackHost } from '../kit/loopback.ts';
import { PROBES } from './https.ts';

export type KnownHosts = Pick<Config, 'publicUrl' | 'uploadUrl' | 'host' | 'allowedHosts'>;

/**
 * Accepts only requests for our own host names. This stops DNS rebinding, where a site points its name to our address
 * and so shares our origin in a browser inside our network. Probes use IP addresses and reveal nothing.
 */
export function refuseForeignHosts(listener: FastifyInstance, settings: KnownHosts): void {
  const { publicUrl, uploadUrl, host, allowedHosts } = settings;
  const names = [new URL(publicUrl).hostname, new URL(uploadUrl).hostname, host, ...allowedHosts];
  const known = new Set(names.map(plain));
  listener.addHook('onRequest', (request, reply, done) => {
    if (isWithoutHost(request)) {
      reply.header('connection', 'close');
      const message = `is missing; send the host name of ${publicUrl}`;
      throw new Fault('bad_request', [{ field: 'Host', message }]);
    }
    const name = isProbe(request)
      ? undefined
      : namesOf(request).find((one) => !isLoopbackHost(one) && !known.has(plain(one)));
    if (name === undefined) return done();
    throw new Fault('misdirected', [
      {
        field: 'Host',
        message: `is ${JSON.stringify(name.slice(0, 255))}, which is not a host name of this service; use ${publicUrl}, or have its operator add the name to ALLOWED_HOSTS`,
      },
    ]);
  });
}

/** HTTP/1.1 requires the header. Node.js would refuse such a request itself, without a body that says why. */
function isWithoutHost({ raw }: FastifyRequest): boolean {
  return raw.headers.host === undefined && raw.httpVersion === '1.1';
}

/**
 * The host names of a request without their ports: of its header (behind a trusted proxy, the one that the client
 * requested) and of its target if that is a whole URL. Several headers, or a header with more than a name and a port,
 * never match, because other software might read a different name in them.
 */
function namesOf(request: FastifyRequest): string[] {
  const { rawHeaders, url = '' } = request.raw;
  const sent = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host',
  );
  const header = sent.length > 1 ? sent.join(', ') : (request.host ?? '');
  const target = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
  return (target === undefined ? [header] : [header, target]).map(
    (text) => NAME_AND_PORT.exec(text)?.[1] ?? text,
  );
}

const NAME_AND_PORT = /^(\[[^\]]*\]|[^:[\]@/\\]*)(?::\d{0,5})?$/;

function isProbe(request: FastifyRequest): boolean {
  return PROBES.includes(request.routeOptions.url ?? '');
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}
