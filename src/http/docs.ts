import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { VERSION } from '../kit/version.ts';
import { completed } from './description.ts';
import { createReference } from './reference.ts';

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'application/javascript; charset=utf-8';

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
        description: `Pages, moments, availability and schedules. Uploads go to ${urls.uploadUrl}. Fields and parameters that are not known are ignored and named in \`warnings\`.`,
        license: { name: 'MIT', identifier: 'MIT' },
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
    transform: ({ schema, url, route }) => ({
      url,
      schema: route?.config?.parametersInBody ? { ...schema, ...inBody(schema) } : schema,
    }),
    transformObject: (made) => completed('openapiObject' in made ? made.openapiObject : made) as object,
  });
}

/** The query parameters of a GET, described as a body. */
function inBody({ querystring }: FastifySchema) {
  return { body: querystring, consumes: ['application/json', 'application/x-www-form-urlencoded'] };
}

/** GET /openapi.json and the API reference at /docs. */
export function serveDocs(listener: FastifyInstance): void {
  const hidden = { schema: { hide: true } } as const;
  const reference = createReference();
  listener.get('/openapi.json', hidden, async () => listener.swagger());
  listener.get('/docs', hidden, async (request, reply) => {
    // The page loads its script by a relative URL.
    if (!request.url.split('?')[0]?.endsWith('/')) return reply.redirect('/docs/', 301);
    const { page, policy } = await reference();
    return reply.headers({ 'content-type': HTML, 'content-security-policy': policy }).send(page);
  });
  listener.get('/docs/js/scalar.js', hidden, async (_, reply) => {
    const { script } = await reference();
    return reply.header('content-type', SCRIPT).send(script);
  });
}
