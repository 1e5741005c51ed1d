import { createFairQueue } from '../kit/fair-queue.ts';
import type { Outgoing } from './outcome-store.ts';

/** The most deliveries that a channel holds in this process before those of busy teams wait in the database. */
const MOST = 300;
/** After that, a team may still add deliveries while it has this few waiting, */
const MOST_OF_QUIET = 30;
/** up to this limit. */
const MOST_OF_ALL = 600;
/** The fraction of a channel's calls that one team may use; the others stay free for other teams. */
const SHARE_OF_ONE = 0.75;

/** A delivery that this process has leased. */
export type Leased = { outgoing: Outgoing; leasedAt: number };

/**
 * The deliveries that wait for one channel. Teams take turns, high urgency goes first within a turn, and a team whose
 * provider hangs never uses all calls of the channel.
 */
export type SendingQueue = {
  push(leased: Leased): void;
  /** The next delivery to send, which counts as running until `ended`. Undefined if none may begin. */
  begin(): Leased | undefined;
  ended(leased: Leased): void;
  /** Whether nothing more should be claimed for this channel. */
  readonly full: boolean;
  /** Whether a new delivery of this team or person should wait in the database. */
  fullFor(organizationId: string, turnOf: string): boolean;
  /** Takes all deliveries that were not begun. */
  clear(): Leased[];
};

/** @param concurrency how many calls of the channel may run at a time */
export function createSendingQueue(concurrency: number): SendingQueue {
  const waiting = createFairQueue<Leased>(turnFor);
  const running = new Map<string, number>();
  const mostOfOne = Math.max(1, Math.floor(concurrency * SHARE_OF_ONE));
  let all = 0;

  function count(leased: Leased, by: 1 | -1): void {
    const name = nameOf(leased.outgoing.organizationId, leased.outgoing.turnOf);
    const now = (running.get(name) ?? 0) + by;
    if (now === 0) running.delete(name);
    else running.set(name, now);
    all += by;
  }

  return {
    push: (leased) => waiting.push(leased),
    begin() {
      if (all >= concurrency) return undefined;
      const next = waiting.shift((...turn) => (running.get(nameOf(...turn)) ?? 0) < mostOfOne);
      if (next) count(next, 1);
      return next;
    },
    ended: (leased) => count(leased, -1),
    get full() {
      return waiting.size + all >= MOST;
    },
    fullFor(organizationId, turnOf) {
      const size = waiting.size + all;
      if (size < MOST) return false;
      return size >= MOST_OF_ALL || waiting.sizeOf(organizationId, turnOf) >= MOST_OF_QUIET;
    },
    clear: () => waiting.clear(),
  };
}

function turnFor({ outgoing }: Leased) {
  const { organizationId, turnOf, turnRank: rank } = outgoing;
  return { organizationId, turnOf, rank };
}

function nameOf(organizationId: string, turnOf: string): string {
  return `${organizationId} ${turnOf}`;
}
