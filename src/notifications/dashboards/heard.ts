import { MOST_OF_ONE } from './live.ts';

/** Passes on that a dashboard, connected to another process, answered a beat. Never waits, never throws. */
export type HeardElsewhere = {
  tell(streamId: string, userId: string): void;
  /** Sends what is gathered, and takes no more. */
  stop(): Promise<void>;
};

/** Many dashboards answer at once, and NOTIFY takes a lock of the whole database at commit. */
const GATHER_MS = 1_000;

/**
 * Gathers the answers of about a second. `send` reaches all processes, by person; what it cannot deliver is dropped, since several
 * answers in a row must be lost before a dashboard counts as gone.
 */
export function createHeardElsewhere(
  send: (heard: ReadonlyMap<string, ReadonlySet<string>>) => Promise<void>,
): HeardElsewhere {
  let gathered = new Map<string, Set<string>>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function flush(): Promise<void> {
    timer = undefined;
    const heard = gathered;
    gathered = new Map();
    if (heard.size > 0) await send(heard).catch(() => undefined);
  }

  return {
    tell(streamId, userId) {
      if (stopped) return;
      const streams = gathered.get(userId) ?? new Set();
      // Nobody has more dashboards open, whatever the requests name.
      if (streams.size < MOST_OF_ONE) streams.add(streamId);
      gathered.set(userId, streams);
      timer ??= setTimeout(() => void flush(), GATHER_MS).unref();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await flush();
    },
  };
}
