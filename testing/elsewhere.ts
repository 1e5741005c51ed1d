import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A webhook that takes everything: where people can be reached beside the dashboard, so that a page does not hurry on
 * because nobody can be.
 */
export async function reachableElsewhere(): Promise<{ url: string; close(): void }> {
  const server = createServer((_, response) => response.end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}
