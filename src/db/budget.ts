/** The connections to PostgreSQL that one process may have. Every pool gets its size from here. */

/** The default number of connections of a process. With fewer, some part would have none. */
export const FEWEST_CONNECTIONS = 12;
/** The embedded database allows 100, of which commands and backups need some. */
export const MOST_CONNECTIONS = 80;

/** The lock that shows that the process is alive, and database notifications. */
const NODE = 1;
/** Migrations that run while the service runs, in one process at a time. */
const MIGRATING = 1;
/** One records every second whether the main database accepts writes, while the other copies the configuration. */
export const LIFEBOAT_CONNECTIONS = 2;

/** A part of a pool. */
export type LaneSize = {
  /** The number of connections that are kept free for this lane, whatever the others do. */
  reserved: number;
  /** The most connections that it uses. */
  most: number;
  /** How long its callers wait for a connection. */
  patienceMs: number;
};

export type LaneName = 'accept' | 'engine' | 'duties';

export type ConnectionBudget = {
  /** For requests of people and programs that page nobody. */
  api: number;
  /** For pages. Accepting them, working on them and periodic work share these connections. */
  paging: { size: number; lanes: Record<LaneName, LaneSize> };
};

/** As long as callers of a pool wait. */
const SOON_MS = 5_000;
/** Nobody waits for periodic work. */
const LATER_MS = 60_000;

/**
 * Divides the rest of the connections, without those that have a single use. `total` is at least `FEWEST_CONNECTIONS`.
 */
export function divideConnections(total: number, hasLifeboat: boolean): ConnectionBudget {
  const left = total - NODE - MIGRATING - (hasLifeboat ? LIFEBOAT_CONNECTIONS : 0);
  const api = Math.floor(left * 0.4);
  const size = left - api;
  return {
    api,
    paging: {
      size,
      lanes: {
        // Two writes of requests at a time, and their keys and answers of people who were paged.
        accept: { reserved: 2, most: Math.ceil(size / 2), patienceMs: SOON_MS },
        // Steps, deliveries, their outcomes and calls at a time.
        engine: { reserved: 2, most: size - 2, patienceMs: SOON_MS },
        duties: { reserved: 1, most: Math.max(1, Math.floor(size / 3)), patienceMs: LATER_MS },
      },
    },
  };
}
