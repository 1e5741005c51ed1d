import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import type { LaneSize } from './budget.ts';

/** A part of a pool's connections, to be used like a pool. */
export type Lane = PostgresPool & {
  /** How many callers wait for a connection. */
  readonly waiting: number;
};

type Waiting = { since: number; enter(): void };

/**
 * Divides a pool into lanes. Each lane has connections that the others never use, so that a flood in one lane does not
 * stop another. All lanes share the rest, in the order in which callers arrived. Together, the reserved connections
 * must not exceed the pool. `connect` rejects when a lane had no connection for `patienceMs`.
 */
export function createLanes<Name extends string>(
  pool: Pool,
  sizes: Readonly<Record<Name, LaneSize>>,
): Record<Name, Lane> {
  const lanes = Object.entries<LaneSize>(sizes).map(([name, size]) => ({
    ...{ name, size, used: 0 },
    queue: new Set<Waiting>(),
  }));
  type OneLane = (typeof lanes)[number];
  let arrivals = 0;

  function mayEnter({ size, used }: OneLane): boolean {
    if (used < size.reserved) return true;
    const free = lanes.reduce((sum, lane) => sum - lane.used, pool.options.max);
    const kept = lanes.reduce((sum, lane) => sum + Math.max(0, lane.size.reserved - lane.used), 0);
    return used < size.most && free > kept;
  }

  function enter(lane: OneLane): Promise<void> {
    if (lane.queue.size === 0 && mayEnter(lane)) {
      lane.used++;
      return Promise.resolve();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const patience = setTimeout(() => {
      lane.queue.delete(waiting);
      reject(tooLate(lane.name, lane.size.patienceMs));
    }, lane.size.patienceMs).unref();
    const waiting = {
      since: arrivals++,
      enter() {
        clearTimeout(patience);
        resolve();
      },
    };
    lane.queue.add(waiting);
    return promise;
  }

  function leave(lane: OneLane): void {
    lane.used--;
    for (let next = longestWaiting(); next; next = longestWaiting()) {
      next.lane.queue.delete(next.waiting);
      next.lane.used++;
      next.waiting.enter();
    }
  }

  /** The first of the callers that may get a connection now. */
  function longestWaiting(): { lane: OneLane; waiting: Waiting } | undefined {
    return lanes
      .flatMap((lane) => {
        const [waiting] = lane.queue;
        return waiting && mayEnter(lane) ? [{ lane, waiting }] : [];
      })
      .toSorted((one, other) => one.waiting.since - other.waiting.since)[0];
  }

  async function connect(lane: OneLane): Promise<PoolClient> {
    await enter(lane);
    try {
      const client = await pool.connect();
      const { release } = client;
      client.release = (destroy) => {
        release(destroy);
        leave(lane);
      };
      return client;
    } catch (error) {
      leave(lane);
      throw error;
    }
  }

  return Object.fromEntries(
    lanes.map((lane): [string, Lane] => [
      lane.name,
      {
        options: pool.options,
        connect: () => connect(lane) as Promise<PostgresPoolClient>,
        // The pool has other users; its creator ends it.
        end: async () => undefined,
        get waiting() {
          return lane.queue.size;
        },
      },
    ]),
  ) as Record<Name, Lane>;
}

/** The connection use of a process: callers wait for a pool without lanes, or for a lane. */
export function connectionFigures(pools: { paging: Pool; api: Pool }, lanes: Readonly<Record<string, Lane>>) {
  const opened = ({ totalCount, idleCount }: Pool) => ({ open: totalCount, idle: idleCount });
  return {
    paging: opened(pools.paging),
    api: { ...opened(pools.api), waiting: pools.api.waitingCount },
    ...Object.fromEntries(Object.entries(lanes).map(([name, { waiting }]) => [name, { waiting }])),
  };
}

/** Worded like the driver's message, so that it counts as a database that is away (`isDatabaseAway`). */
function tooLate(name: string, patienceMs: number): Error {
  return new Error(
    `timeout exceeded when trying to connect: all connections of the lane ${name} were in use for ${patienceMs / 1_000} s`,
  );
}
