import swagger from '@fastify/swagger';
import reference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
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
  await listener.register(reference, {
    routePrefix: '/docs',
    configuration: { url: '/openapi.json', title: 'Tocsin API' },
  });
}
