import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { VERSION } from '../kit/version.ts';
import { COMMON_REFUSALS } from '../requests/contract.ts';
import { completed, completedDashboard } from './description.ts';
import { createReference } from './reference.ts';

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const SCRIPT = 'application/javascript; charset=utf-8';

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI description of the dashboard's API. */
    dashboardDescription(): object;
  }
}

const KEY = {
  type: 'http',
  scheme: 'bearer',
  description: 'An API key, made in the dashboard under API keys. `Token token="KEY"` is accepted as well.',
} as const;
const ABOUT = { version: VERSION, license: { name: 'MIT', identifier: 'MIT' } };

/**
 * Describes the two APIs in two documents: the public API, and that of the dashboard. Must be registered before the
 * routes that it describes.
 */
export async function describeApi(
  listener: FastifyInstance,
  urls: { publicUrl: string; uploadUrl: string },
): Promise<void> {
  await listener.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        ...ABOUT,
        title: 'Tocsin',
        description: `Pages, moments, availability and schedules. Uploads go to ${urls.uploadUrl}. Fields and parameters that are not known are ignored and named in \`warnings\`.`,
      },
      servers: [{ url: urls.publicUrl }],
      components: { securitySchemes: { key: KEY } },
    },
    transform: ({ schema, url, route }) => ({
      url,
      schema: isDashboard(url)
        ? { ...schema, hide: true }
        : route?.config?.parametersInBody
          ? { ...schema, ...inBody(schema) }
          : schema,
    }),
    transformObject: (made) => completed('openapiObject' in made ? made.openapiObject : made) as object,
  });
  await listener.register(swagger, {
    decorator: 'dashboardDescription' as 'swagger',
    openapi: {
      openapi: '3.1.0',
      info: {
        ...ABOUT,
        title: 'Tocsin: the API of the dashboard',
        description:
          'What the dashboard itself uses. It may change with any release; programs should prefer the public API. Browsers use the cookie of their session, programs an API key with full access.',
      },
      servers: [{ url: urls.publicUrl }],
      components: {
        securitySchemes: { key: KEY, session: { type: 'apiKey', in: 'cookie', name: 'tocsin' } },
      },
    },
    transform: ({ schema, url }) => ({
      url,
      schema: isDashboard(url) ? ofDashboard(schema, url) : { ...schema, hide: true },
    }),
    transformObject: (made) =>
      completedDashboard('openapiObject' in made ? made.openapiObject : made) as object,
  });
}

/** Paths below /api/v2/ belong to another product's API, whose senders page. */
function isDashboard(url: string): boolean {
  return url.startsWith('/api/') && !url.startsWith('/api/v2/');
}

/** Operations are grouped by the first segment of their path. Those for signing in need no credentials. */
function ofDashboard(schema: FastifySchema, url: string): FastifySchema {
  const [, , room = ''] = url.split('/');
  const answers = typeof schema?.response === 'object' ? schema.response : {};
  return {
    ...schema,
    tags: [room],
    security: room === 'sign-in' ? [] : [{ session: [] }, { key: [] }],
    response: { ...answers, ...COMMON_REFUSALS, 404: COMMON_REFUSALS[400], 409: COMMON_REFUSALS[400] },
  };
}

/** The query parameters of a GET, described as a body. */
function inBody({ querystring }: FastifySchema) {
  return { body: querystring, consumes: ['application/json', 'application/x-www-form-urlencoded'] };
}

/** The descriptions of both APIs, and the API reference at /docs that shows them. */
export function serveDocs(listener: FastifyInstance): void {
  const hidden = { schema: { hide: true } } as const;
  const reference = createReference();
  const descriptions = {
    '/openapi.json': () => listener.swagger(),
    '/openapi-dashboard.json': () => listener.dashboardDescription(),
  };
  for (const [path, describe] of Object.entries(descriptions)) {
    // Anybody may request them, and rendering a megabyte takes as long as accepting many pages.
    let rendered: Buffer | null = null;
    listener.get(path, hidden, async (_, reply) => {
      rendered ??= Buffer.from(JSON.stringify(describe()));
      return reply.header('content-type', JSON_TYPE).send(rendered);
    });
  }
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
