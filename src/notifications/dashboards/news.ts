/** Something of these rooms changed in an organization: a room is the first word of its addresses under `/api`. */
export type Rooms = readonly string[];

/** Tells open dashboards, of all processes, in which rooms something changed. Never waits, never throws. */
export type News = {
  tell(organizationId: string, rooms: Rooms): void;
  /** Sends what is gathered, and no more after that. */
  stop(): Promise<void>;
};

/** A storm of moments must not become a storm of words about it. */
const GATHER_MS = 300;

/**
 * Gathers what changed and sends one word for each organization. `send` reaches all processes, this one included;
 * what it cannot deliver is dropped, since dashboards read everything anew now and then.
 */
export function createNews(send: (organizationId: string, rooms: Rooms) => Promise<void>): News {
  const gathered = new Map<string, Set<string>>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function flush(): Promise<void> {
    timer = undefined;
    const words = [...gathered];
    gathered.clear();
    await Promise.all(
      words.map(([organizationId, rooms]) => send(organizationId, [...rooms]).catch(() => undefined)),
    );
  }

  return {
    tell(organizationId, rooms) {
      if (stopped) return;
      const known = gathered.get(organizationId) ?? new Set();
      for (const room of rooms) known.add(room);
      gathered.set(organizationId, known);
      timer ??= setTimeout(() => void flush(), GATHER_MS).unref();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await flush();
    },
  };
}
