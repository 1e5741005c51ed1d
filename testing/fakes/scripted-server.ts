import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A valid HTTP answer, after `delayMs`. Without a status, the fake's default answer is sent. */
export type Reply = { status?: number; headers?: Record<string, string>; body?: string; delayMs?: number };

/**
 * Faulty answers: `hang` never answers; `reset` resets the connection at once, `cut` in the middle of the status line;
 * `malformed` is not HTTP; `drip-head` and `drip` never finish the headers or the body; `endless` never ends.
 */
export type Fault = 'hang' | 'reset' | 'cut' | 'malformed' | 'drip-head' | 'drip' | 'endless';
export type Answer = Reply | Fault;

export type FakeRequest = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  raw: string;
  bytes: Buffer;
};

/** Validates a request, reports problems through `unexpected`, and returns the default answer. */
export type Handler = (request: FakeRequest, unexpected: (problem: string) => void) => Answer;

const DRIP_MS = 50;

/** A real HTTP server on the loopback address that answers by script, then by default. All fake providers use it. */
export class ScriptedServer {
  readonly origin: string;
  readonly problems: string[] = [];
  readonly #server;
  readonly #script: Answer[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  #always: Answer | null = null;

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** `port` 0 takes any free port. */
  static async start(handler: Handler, port = 0): Promise<ScriptedServer> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    // A story that fails before it stops its fakes must still exit.
    server.unref();
    const scripted = new ScriptedServer(server);
    server.on('request', (request, response) => void scripted.#serve(request, response, handler));
    return scripted;
  }

  /** Answers for the next requests, in order. */
  script(...answers: Answer[]): void {
    this.#script.push(...answers);
  }

  /** The answer to every request that is not scripted; null for the default one. */
  always(answer: Answer | null): void {
    this.#always = answer;
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#server.closeAllConnections();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse, handler: Handler): Promise<void> {
    const bytes = await readAll(request);
    const { method = '', url: path = '', headers } = request;
    const usual = handler({ method, path, headers, bytes, raw: bytes.toString('utf8') }, (problem) =>
      this.problems.push(`${method} ${path}: ${problem}`),
    );
    const answer = this.#script.shift() ?? this.#always ?? usual;
    if (typeof answer === 'string') return this.#misbehave(answer, response);
    const reply = typeof usual === 'string' ? answer : { ...usual, ...answer };
    if (reply.delayMs) this.#later(reply.delayMs, () => send(response, reply));
    else send(response, reply);
  }

  #misbehave(fault: Fault, response: ServerResponse): void {
    const socket = response.socket as Socket;
    // The client may reset the connection at any time.
    socket.on('error', () => {});
    const faults: Record<Fault, () => void> = {
      hang: () => {},
      reset: () => socket.resetAndDestroy(),
      cut: () => socket.write('HTTP/1.1 20', () => socket.resetAndDestroy()),
      malformed: () => socket.end('220 this is no web server\r\n'),
      'drip-head': () => {
        socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
        this.#drip(socket);
      },
      drip: () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
        this.#drip(socket);
      },
      endless: () => flood(response),
    };
    faults[fault]();
  }

  #drip(socket: Socket): void {
    const timer = setInterval(() => socket.writable && socket.write('a'), DRIP_MS);
    this.#timers.add(timer);
    socket.once('close', () => clearInterval(timer));
  }

  #later(ms: number, action: () => void): void {
    this.#timers.add(setTimeout(action, ms));
  }
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function send(response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status ?? 200, reply.headers);
  response.end(reply.body ?? '');
}

function flood(response: ServerResponse): void {
  const chunk = Buffer.alloc(16 * 1024, 'a');
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.on('drain', pour);
  pour();
}
