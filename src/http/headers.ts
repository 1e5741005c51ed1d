import type { FastifyHelmetOptions } from '@fastify/helmet';

/**
 * Headers of every response. By default a response is data and may load nothing; our own pages set a policy of their
 * own. HSTS makes browsers that used HTTPS once keep using it.
 */
export function safeHeaders(publicUrl: string): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: publicUrl.startsWith('https:')
      ? { maxAge: 31_536_000, includeSubDomains: false }
      : false,
  };
}
