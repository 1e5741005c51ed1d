import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import type { Latencies } from './latencies.ts';

export type Answer = { status: number; body: Record<string, unknown> };

/** A program or browser with keep-alive connections. `what` is the name under which the latency is recorded. */
export type Client = {
  post(path: string, body: object, what?: string, key?: string): Promise<Answer>;
  /** A call of a webhook: without a key, and with the exact bytes of its sender. */
  call(path: string, body: string, headers: Record<string, string>): Promise<Answer>;
  get(path: string, what?: string, key?: string): Promise<Answer>;
  /** An event stream; `onText` gets its data. Resolves once it is open, to a function that closes it. */
  listen(path: string, key: string, onText: (text: string) => void): Promise<() => void>;
  stop(): void;
};

export function createClient(url: string, ownKey: string, latencies: Latencies): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 128 });
  const streams = new Agent();
  const bearer = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });

  async function timed(what: string | undefined, path: string, options: RequestOptions, body = '') {
    const began = performance.now();
    const answer = await ask(url + path, { ...options, agent }, body);
    if (what) latencies.note(what, performance.now() - began);
    return answer;
  }

  return {
    post: (path, body, what, key = ownKey) =>
      timed(what, path, { method: 'POST', headers: bearer(key) }, JSON.stringify(body)),
    call: (path, body, headers) =>
      timed(
        'call',
        path,
        { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
        body,
      ),
    get: (path, what, key = ownKey) => timed(what, path, { headers: bearer(key) }),
    listen(path, key, onText) {
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const outgoing = request(url + path, { agent: streams, headers: bearer(key) }, (stream) => {
        stream.setEncoding('utf8').on('data', onText);
        stream.on('error', () => undefined);
        if (stream.statusCode === 200) resolve(() => outgoing.destroy());
        else reject(new Error(`${path} answered ${stream.statusCode}`));
      });
      outgoing.on('error', reject).end();
      return promise;
    },
    stop() {
      agent.destroy();
      streams.destroy();
    },
  };
}

/** Status 0: no answer arrived. */
function ask(url: string, options: RequestOptions, body: string): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const outgoing = request(url, options, (incoming) => {
    read(incoming).then(
      (text) => resolve({ status: incoming.statusCode ?? 0, body: parse(text) }),
      () => resolve({ status: 0, body: {} }),
    );
  });
  outgoing.on('error', () => resolve({ status: 0, body: {} }));
  outgoing.end(body);
  return promise;
}

async function read(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
  return text;
}

function parse(text: string): Record<string, unknown> {
  return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
}
