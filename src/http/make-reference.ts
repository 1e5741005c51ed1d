/**
 * A program that writes the API reference to stdout and exits: the page, a NUL, and the script of the page. It is a
 * separate program because the library is one string of four megabytes.
 */
import library from '@scalar/fastify-api-reference';
import fastify from 'fastify';

const listener = fastify();
await listener.register(library, {
  routePrefix: '/docs',
  configuration: {
    sources: [
      { title: 'Public API', slug: 'public', url: '/openapi.json', default: true },
      { title: 'API of the dashboard', slug: 'dashboard', url: '/openapi-dashboard.json' },
    ],
    title: 'Tocsin API',
    favicon: '/icon.svg',
    // Disables everything that the library would load from its vendor or send there: fonts, telemetry, requests and
    // documents.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
  },
});
process.stdout.write(`${await textAt('/docs/')}\0${await textAt('/docs/js/scalar.js')}`);

async function textAt(url: string): Promise<string> {
  const { statusCode, body } = await listener.inject(url);
  if (statusCode !== 200) throw new Error(`the reference of the API has nothing at ${url} (${statusCode})`);
  return body;
}
