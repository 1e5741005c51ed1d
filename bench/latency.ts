import { Agent, createServer, type Server } from 'node:http';
import { post } from './accept.ts';
import type { RunningServer } from './server.ts';

export type Provider = { url: string; arrived: Map<string, number>; stop(): void };

/** A provider that only records when each page arrived. */
export async function startProvider(port: number): Promise<Provider> {
  const arrived = new Map<string, number>();
  const server: Server = createServer((request, response) => {
    const at = performance.now();
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk;
    });
    request.on('end', () => {
      arrived.set((JSON.parse(body) as { title: string }).title, at);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${port}/`, arrived, stop: () => server.close() };
}

/**
 * From the answer that confirms a page to the request at the provider, in milliseconds, for one page after another. May
 * be negative, because the first notification does not wait for the client to read the answer.
 */
export async function idleLatencies(
  server: RunningServer,
  provider: Provider,
  pages: number,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const accepted = new Map<string, number>();
  for (let index = 0; index < pages; index++) {
    const title = `latency ${index}`;
    await post(agent, server, '/page/team', { recipient: 'sre', title, text: 'measured', urgency: 'low' });
    accepted.set(title, performance.now());
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  agent.destroy();
  return [...accepted].flatMap(([title, at]) => {
    const arrival = provider.arrived.get(title);
    return arrival === undefined ? [] : [arrival - at];
  });
}
