import type { ClientBase, ClientConfig, Pool } from 'pg';
import type { Log } from '../kit/log.ts';
import { emptyPool, leaveWhenReturned } from './connection.ts';
import { findLaterPrimary, forgetHosts } from './hosts.ts';
import { type Identity, isBehind, isElsewhere, notPrimary, ReadOnlyFault, readIdentity } from './identity.ts';

/** How often to probe the other hosts for a primary that was promoted. */
const LOOK_MS = 3_000;

/**
 * SQLSTATEs of a server that accepts no writes, shuts down, has crashed or is still starting: it is not, or soon not,
 * the right server.
 */
const LEAVING = new Set(['25006', '57P01', '57P02', '57P03']);

/** Whether an error means that all connections to this server should be closed. */
function saysToLeave(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && LEAVING.has(code);
}

/**
 * Tracks the server that accepts this process's writes. After a failover, connections may still lead to the former
 * primary, which answers queries but accepts no writes, or accepts writes that are lost. All of them are then closed
 * together.
 */
export type Primary = {
  /** Closes the connections of this pool when the server changes. */
  follow(pool: Pool): void;
  /**
   * Checks a connection before its first use, or again later: the server must accept writes, and a promotion must not
   * have left it behind. @throws ReadOnlyFault
   */
  check(client: ClientBase): Promise<void>;
  /** Reports a failed statement. If the error requires it, all connections to that server are closed. */
  failed(client: ClientBase, error: unknown): void;
  /**
   * Reports that a connection got no answer. The others are probably as dead, and each would wait for its own time limit, so all are
   * closed: idle ones at once, those in use when they are released.
   */
  unanswered(): void;
  /**
   * Reports a server that answers but accepts no writes: closes all connections to it, and returns the error to throw.
   */
  foundReadOnly(): ReadOnlyFault;
  /** Called when connections are closed. Unless `certain`, a connection that passes `check` may stay. */
  onLeave(listener: (certain: boolean) => void): void;
  stop(): void;
};

/**
 * `connection` must bypass any pooler. `onArrival` is called with the first connection of this process, and with the
 * first one to another timeline or another copy of the data. Other connections wait until it has ended; if it fails,
 * the next connection tries again.
 */
export function createPrimary(options: {
  connection: ClientConfig;
  log: Log;
  onArrival(client: ClientBase): Promise<void>;
}): Primary {
  const { connection, log, onArrival } = options;
  const pools = new Set<Pool>();
  const listeners: ((certain: boolean) => void)[] = [];
  /**
   * The value of `leavings` when each connection passed `check`. Connections with an earlier value are already being
   * closed.
   */
  const letIn = new WeakMap<ClientBase, number>();
  let leavings = 0;
  let known: Identity | null = null;
  let unsettled = false;
  let settling: Promise<void> | null = null;
  let stopped = false;

  function leave(certain: boolean): void {
    leavings++;
    for (const pool of pools) emptyPool(pool);
    for (const listener of listeners) listener(certain);
  }

  async function settle(client: ClientBase, seen: Identity): Promise<void> {
    const former = known;
    known = seen;
    if (former !== null && !unsettled) {
      log.warn(
        { from: former.timeline, to: seen.timeline },
        'the database was promoted on another server, or replaced: closing all connections to the old one',
      );
      leave(true);
    }
    unsettled = true;
    await onArrival(client);
    unsettled = false;
  }

  async function check(client: ClientBase): Promise<void> {
    const seen = await readIdentity(client);
    if (seen.readOnly) throw notPrimary();
    while (settling) await settling.catch(() => undefined);
    if (known && isBehind(seen, known)) throw leftBehind(seen, known);
    if (known === null || unsettled || isElsewhere(seen, known)) {
      settling = settle(client, seen);
      await settling.finally(() => {
        settling = null;
      });
    }
    letIn.set(client, leavings);
  }

  async function look(): Promise<void> {
    if (!known || !(await findLaterPrimary(connection, known))) return;
    log.warn('another host of the database was promoted while this one kept running: switching to it');
    leave(true);
  }

  function lookAgain(): void {
    looking = setTimeout(async () => {
      await look().catch((error) =>
        log.warn({ err: error }, 'could not check the other hosts of the database'),
      );
      if (!stopped) lookAgain();
    }, LOOK_MS).unref();
  }

  let looking: NodeJS.Timeout;
  lookAgain();

  return {
    follow(pool) {
      pools.add(pool);
      // A connection that passed `check` just before all others were closed.
      pool.on('connect', (client) => {
        if (letIn.get(client) !== leavings) leaveWhenReturned(pool, client);
      });
    },
    check,
    failed(client, error) {
      if (stopped || !saysToLeave(error) || letIn.get(client) !== leavings) return;
      log.warn(
        { err: error },
        'the database accepts no writes or is shutting down: closing all connections to it',
      );
      forgetHosts();
      leave(false);
    },
    unanswered() {
      for (const pool of pools) emptyPool(pool);
    },
    foundReadOnly() {
      log.warn('the database no longer accepts writes: closing all connections to it');
      forgetHosts();
      leave(false);
      return notPrimary();
    },
    onLeave: (listener) => void listeners.push(listener),
    stop() {
      stopped = true;
      clearTimeout(looking);
    },
  };
}

function leftBehind(seen: Identity, known: Identity): ReadOnlyFault {
  return new ReadOnlyFault(
    `the database is on timeline ${seen.timeline}, an old copy from before timeline ${known.timeline} began; restart Tocsin if you returned to it on purpose`,
  );
}
