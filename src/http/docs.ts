import swagger from '@fastify/swagger';
import reference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { inlineHash } from '../kit/plain-page.ts';
import { VERSION } from '../kit/version.ts';

/** Must be registered before the routes that it describes. */
export async function describeApi(
  listener: FastifyInstance,
  urls: { publicUrl: string; uploadUrl: string },
): Promise<void> {
  await listener.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tocsin',
        version: VERSION,
        description: `Pages, moments, availability and schedules. Uploads go to ${urls.uploadUrl}.`,
      },
      servers: [{ url: urls.publicUrl }],
      components: {
        securitySchemes: {
          key: {
            type: 'http',
            scheme: 'bearer',
            description:
              'An API key, made in the dashboard under API keys. `Token token="KEY"` is accepted as well.',
          },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) =>
        typeof json.$id === 'string' ? json.$id : `schema-${index}`,
    },
  });
}

/** GET /openapi.json and the readable reference at /docs. */
export async function serveDocs(listener: FastifyInstance): Promise<void> {
  listener.get('/openapi.json', { schema: { hide: true } }, async () => listener.swagger());
  await listener.register(async (docs) => {
    docs.addHook('onSend', async (_, reply, payload) => {
      const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
      if (isPage && typeof payload === 'string') reply.header('content-security-policy', policyOf(payload));
      return payload;
    });
    await docs.register(reference, {
      routePrefix: '/docs',
      configuration: { url: '/openapi.json', title: 'Tocsin API', favicon: '/icon.svg', ...QUIET },
    });
  });
}

/** What the reference would otherwise load from its makers: fonts, and ways to send requests and documents to them. */
const QUIET = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
};

/** The page of the reference runs our own file and what its makers wrote into the page itself, and nothing else. */
function policyOf(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => inlineHash(text),
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.join(' ')}`,
    // It sets its looks from its script.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
