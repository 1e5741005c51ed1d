import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * The state of the network between a node and its database. `open` passes everything on; `silent` drops all data and
 * accepts new connections without answering, like a firewall that drops packets; `refused` refuses new connections and
 * resets existing ones.
 */
export type NetworkState = 'open' | 'silent' | 'refused';

export type TcpProxy = {
  port: number;
  /** Applies to new and existing connections. */
  set(state: NetworkState): void;
  /** Existing connections never receive anything again, new ones work: like a firewall that lost its state. */
  forgetConnections(): void;
  /** Latency in each direction. */
  delay(ms: number): void;
  /** The number of open connections. */
  readonly connections: number;
  stop(): Promise<void>;
};

type Pair = { near: Socket; far: Socket | null; dead: boolean };

/** A proxy in front of a local TCP port that simulates network faults. */
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
      // A connection that is cut off cannot be closed properly either.
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
      // Data that was dropped is lost, so these connections cannot continue afterwards.
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
