import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { FuzzRequest } from './requests.ts';

export type WireAnswer = {
  statusCode: number;
  headers: Record<string, unknown>;
  body: string;
};

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Sends a request as it is; `fetch` would normalize its URL. */
export function overTheWire(
  origin: string,
  { method, url, headers, body }: FuzzRequest,
): Promise<WireAnswer> {
  const { hostname, port } = new URL(origin);
  const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>();
  const sent = request({ agent, hostname, port, method, path: url, headers }, (response) => {
    text(response).then(
      (read) => resolve({ statusCode: response.statusCode ?? 0, headers: response.headers, body: read }),
      reject,
    );
  });
  sent.on('error', reject);
  sent.end(body ?? undefined);
  return promise;
}
