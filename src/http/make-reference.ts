/**
 * A program that writes the readable reference and ends: its page, a NUL, and the script that the page loads. The
 * library is one text of four megabytes.
 */
import library from '@scalar/fastify-api-reference';
import fastify from 'fastify';

const listener = fastify();
await listener.register(library, {
  routePrefix: '/docs',
  configuration: {
    url: '/openapi.json',
    title: 'Tocsin API',
    favicon: '/icon.svg',
    // What it would otherwise load from its makers: fonts, and ways to send requests and documents to them.
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
