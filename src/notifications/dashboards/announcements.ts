import { MOST_OF_ONE } from './live.ts';

/** Parts of the service, each the first word of its addresses under `/api`. */
export type Rooms = readonly string[];

/** Announces to the open dashboards of all processes that something changed in these rooms. Never waits and never throws. */
export type ChangedRooms = {
  announce(organizationId: string, rooms: Rooms): void;
  /** Sends the collected changes; later announcements are ignored. */
  stop(): Promise<void>;
};

/**
 * Announces to the other processes that a dashboard answered a beat here, although it is connected to one of them.
 * Never waits and never throws.
 */
export type HeardElsewhere = {
  announce(streamId: string, userId: string): void;
  /** Sends the collected answers; later announcements are ignored. */
  stop(): Promise<void>;
};

/** Prevents a storm of moments from becoming a storm of announcements. */
const ROOMS_MS = 300;
/** Many dashboards answer at the same time, and each NOTIFY locks the whole database at commit. */
const HEARD_MS = 1_000;

/**
 * Collects the changed rooms of each organization and sends them together. `send` reaches all processes, including this
 * one. A failure is ignored, because dashboards read everything again from time to time.
 */
export function createChangedRooms(
  send: (organizationId: string, rooms: Rooms) => Promise<void>,
): ChangedRooms {
  const gathered = gather(ROOMS_MS, async (rooms) => {
    await Promise.all([...rooms].map(([id, names]) => send(id, [...names]).catch(() => undefined)));
  });
  return {
    announce: (organizationId, rooms) => gathered.add(organizationId, rooms),
    stop: gathered.stop,
  };
}

/**
 * Collects answers to beats and sends them together, by person. A failure is ignored, because several answers in a row
 * must be lost before a dashboard counts as gone.
 */
export function createHeardElsewhere(
  send: (heard: ReadonlyMap<string, ReadonlySet<string>>) => Promise<void>,
): HeardElsewhere {
  // A person has at most `MOST_OF_ONE` streams, however many ids a client sends.
  const gathered = gather(HEARD_MS, (heard) => send(heard).catch(() => undefined), MOST_OF_ONE);
  return {
    announce: (streamId, userId) => gathered.add(userId, [streamId]),
    stop: gathered.stop,
  };
}

/** Collects values by key, at most `most` for each, and sends them `afterMs` after the first one. */
function gather(
  afterMs: number,
  send: (gathered: ReadonlyMap<string, ReadonlySet<string>>) => Promise<void>,
  most = Number.POSITIVE_INFINITY,
) {
  let gathered = new Map<string, Set<string>>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function flush(): Promise<void> {
    timer = undefined;
    const sending = gathered;
    gathered = new Map();
    if (sending.size > 0) await send(sending);
  }

  return {
    add(key: string, values: readonly string[]): void {
      if (stopped) return;
      const known = gathered.get(key) ?? new Set();
      for (const value of values) if (known.size < most) known.add(value);
      gathered.set(key, known);
      timer ??= setTimeout(() => void flush(), afterMs).unref();
    },
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await flush();
    },
  };
}
