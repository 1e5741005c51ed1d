import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * What the network between a node and its database does: `open` passes everything on; `silent` swallows what both
 * sides say and takes new connections without a word, as a firewall that drops packets; `refused` turns new ones away
 * and resets the others.
 */
export type NetworkState = 'open' | 'silent' | 'refused';

export type TcpProxy = {
  port: number;
  /** Applies to new connections and to those that there are. */
  set(state: NetworkState): void;
  /** Connections of now never hear anything again, new ones are passed on: a firewall that forgot what it had seen. */
  forgetConnections(): void;
  /** Delay of everything that passes, each way. */
  delay(ms: number): void;
  /** How many connections there are. */
  readonly connections: number;
  stop(): Promise<void>;
};

type Pair = { near: Socket; far: Socket | null; dead: boolean };

/** Stands between a program and a TCP port of this machine, and plays the network's faults. */
export async function tcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let state: NetworkState = 'open';
  let delayMs = 0;

  function pass(pair: Pair, to: () => Socket | null, chunk: Buffer): void {
    const write = () => {
      if (state === 'open' && !pair.dead) to()?.write(chunk);
    };
    if (delayMs > 0) setTimeout(write, delayMs);
    else write();
  }

  function take(near: Socket): void {
    if (state === 'refused') return void near.resetAndDestroy();
    const pair: Pair = { near, far: null, dead: state === 'silent' };
    pairs.add(pair);
    near.on('error', () => undefined);
    if (!pair.dead) pair.far = reach(pair);
    near.on('data', (chunk: Buffer) => pass(pair, () => pair.far, chunk));
    near.on('end', () => {
      if (state !== 'silent' && !pair.dead) near.end();
    });
    near.on('close', () => {
      // Whoever is cut off cannot say farewell either.
      if (state !== 'silent' && !pair.dead) pair.far?.destroy();
      pairs.delete(pair);
    });
  }

  function reach(pair: Pair): Socket {
    const far = connect(target);
    far.on('error', () => pair.near.destroy());
    far.on('data', (chunk: Buffer) => pass(pair, () => pair.near, chunk));
    far.on('close', () => {
      left.delete(far);
      if (state !== 'silent' && !pair.dead) pair.near.destroy();
    });
    left.add(far);
    return far;
  }

  const left = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, take).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      state = next;
      if (next === 'refused') for (const { near } of pairs) near.resetAndDestroy();
      // What was said into the silence is lost: nothing that was begun in it can be understood any more.
      if (next === 'silent') for (const pair of pairs) pair.dead = true;
    },
    forgetConnections() {
      for (const pair of pairs) pair.dead = true;
    },
    delay(ms) {
      delayMs = ms;
    },
    get connections() {
      return pairs.size;
    },
    async stop() {
      for (const { near } of pairs) near.destroy();
      for (const far of left) far.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
