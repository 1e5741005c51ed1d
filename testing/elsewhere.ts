import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A webhook that accepts everything. With it people are reachable without an open dashboard, so that a page does not
 * escalate early.
 */
export async function reachableElsewhere(): Promise<{ url: string; close(): void }> {
  const server = createServer((_, response) => response.end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}
