import type { ClientBase, ClientConfig, Pool } from 'pg';
import type { Log } from '../kit/log.ts';
import { emptyPool, leaveWhenReturned } from './connection.ts';
import { findLaterPrimary, forgetHosts } from './hosts.ts';
import { type Identity, isBehind, isElsewhere, notPrimary, ReadOnlyFault, readIdentity } from './identity.ts';

/** How often other hosts are looked at for a primary that was promoted behind our back. */
const LOOK_MS = 3_000;

/**
 * What PostgreSQL says where it takes no writes, shuts down, crashes or is not up yet: the server that a connection leads to is
 * not, or not for long, the one to work with.
 */
const LEAVING = new Set(['25006', '57P01', '57P02', '57P03']);

/** Whether an error means that its connection, and all others to the same server, should be left. */
function saysToLeave(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && LEAVING.has(code);
}

/**
 * The server that takes this process's writes. After a fail-over connections may still lead to the former primary, which answers
 * every question and takes no writes, or takes writes that nobody will ever see: all of them are left together.
 */
export type Primary = {
  /** Connections of this pool are closed when the server changes. */
  follow(pool: Pool): void;
  /**
   * Lets a new connection be used, or asks again whether one may still be: its server takes writes, and has not been left behind
   * by a promotion. @throws ReadOnlyFault
   */
  check(client: ClientBase): Promise<void>;
  /** A statement failed on this connection; when the error says so, all connections to that server are left. */
  failed(client: ClientBase, error: unknown): void;
  /** A server that answers turned out to take no writes: leaves all connections to it, and returns the error to fail with. */
  foundReadOnly(): ReadOnlyFault;
  /** Called when connections are left. Unless that is `certain`, one that is fine by `check` may stay. */
  onLeave(listener: (certain: boolean) => void): void;
  stop(): void;
};

/**
 * `connection`: past any pooler. `onArrival` is called with the very first connection, and with the first one to another
 * timeline or another copy of the data. Nobody gets a connection before that has ended; when it fails, the next one tries again.
 */
export function createPrimary(options: {
  connection: ClientConfig;
  log: Log;
  onArrival(client: ClientBase): Promise<void>;
}): Primary {
  const { connection, log, onArrival } = options;
  const pools = new Set<Pool>();
  const listeners: ((certain: boolean) => void)[] = [];
  /** When each connection was let in; what belongs to an earlier count has been left already. */
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
        'the database was promoted on another server, or replaced: leaving all connections to the former one',
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
    log.warn('another host of the database was promoted while this one went on: leaving this one');
    leave(true);
  }

  function lookAgain(): void {
    looking = setTimeout(async () => {
      await look().catch((error) =>
        log.warn({ err: error }, 'looking at the other hosts of the database failed'),
      );
      if (!stopped) lookAgain();
    }, LOOK_MS).unref();
  }

  let looking: NodeJS.Timeout;
  lookAgain();

  return {
    follow(pool) {
      pools.add(pool);
      // Let in a moment before all others were left.
      pool.on('connect', (client) => {
        if (letIn.get(client) !== leavings) leaveWhenReturned(pool, client);
      });
    },
    check,
    failed(client, error) {
      if (stopped || !saysToLeave(error) || letIn.get(client) !== leavings) return;
      log.warn({ err: error }, 'the database takes no writes or ends: leaving all connections to it');
      forgetHosts();
      leave(false);
    },
    foundReadOnly() {
      log.warn('the database takes no writes any more: leaving all connections to it');
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
    `the database is on timeline ${seen.timeline}, a copy that was left behind when timeline ${known.timeline} began; restart Tocsin if you went back to it on purpose`,
  );
}
