import type { FastifyHelmetOptions } from '@fastify/helmet';

/**
 * Headers of every answer. An answer is data unless it says otherwise: pages of ours bring a policy of their own along.
 * Whoever came over HTTPS once never comes without it again.
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
