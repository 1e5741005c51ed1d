import { createRecentMap } from './recent-map.ts';

/** How long an entry may be used. A revoked key works for at most this long, on any node. */
const BELIEVED_MS = 500;
/** Entries older than this are refreshed in the background on access, so that frequent callers never wait. */
const RENEWED_MS = 250;
/** A new entry beyond this removes the one that was unused for longest. */
const MOST = 10_000;

/** A short-lived cache of database lookups, so that the hot path does one query for many requests. */
export type ShortMemory<Value> = {
  /** The cached value, or else the result of `find`. Rejects when `find` does; failures are not cached. */
  get(name: string, find: () => Promise<Value>): Promise<Value>;
  /** Drops the entry and any lookup in progress, because the value has changed. */
  forget(name: string): void;
};

type Entry<Value> = { found: Promise<Value>; askedAt: number; next: Entry<Value> | null };

/**
 * `isKept` decides whether a value is cached: one that is missing or invalid now may appear or become valid at any
 * time. `elapsedMs` is a monotonic clock.
 */
export function createShortMemory<Value>(
  isKept: (value: Value) => boolean,
  elapsedMs: () => number = () => performance.now(),
): ShortMemory<Value> {
  const entries = createRecentMap<string, Entry<Value>>(MOST);
  // The age since the start of the lookup, because the result may be that old.
  const age = (entry: Entry<Value>) => elapsedMs() - entry.askedAt;
  const ask = (find: () => Promise<Value>): Entry<Value> => {
    const askedAt = elapsedMs();
    return { found: find(), askedAt, next: null };
  };

  /** Caches `entry`, and removes it again if the lookup fails or `isKept` refuses its value. */
  function remember(name: string, entry: Entry<Value>): Promise<Value> {
    entries.set(name, entry);
    const drop = () => {
      if (entries.get(name) === entry) entries.delete(name);
    };
    entry.found.then((value) => isKept(value) || drop(), drop);
    return entry.found;
  }

  function renew(name: string, known: Entry<Value>, find: () => Promise<Value>): void {
    const next = ask(find);
    known.next = next;
    next.found.then(
      (value) => {
        if (entries.get(name) !== known) return;
        if (isKept(value)) entries.set(name, next);
        else entries.delete(name);
      },
      () => {
        known.next = null;
      },
    );
  }

  return {
    get(name, find) {
      const known = entries.get(name);
      if (known && age(known) < BELIEVED_MS) {
        if (age(known) >= RENEWED_MS && !known.next) renew(name, known, find);
        return known.found;
      }
      if (known?.next && age(known.next) < BELIEVED_MS) return remember(name, known.next);
      return remember(name, ask(find));
    },
    forget(name) {
      entries.delete(name);
    },
  };
}
