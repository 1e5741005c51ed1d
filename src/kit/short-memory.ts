/** For so long what was found is believed: a key that is revoked works for at most that long, on any node. */
const BELIEVED_MS = 500;
/** From this age on whoever asks has it looked up anew, without waiting: who asks again and again never waits. */
const RENEWED_MS = 250;
/** Names that are remembered at once. */
const MOST = 10_000;

/** What the database said about a name a moment ago: the hot path asks once for many requests. */
export type ShortMemory<Value> = {
  /** What is remembered of a name, or else what `find` finds. Rejects as `find` does; that is never remembered. */
  get(name: string, find: () => Promise<Value>): Promise<Value>;
  /** What is remembered of a name is not true any more, nor what is being found out. */
  forget(name: string): void;
};

type Entry<Value> = { found: Promise<Value>; askedAt: number; next: Entry<Value> | null };

/**
 * `isKept` says of what was found whether it may be remembered: what is missing or bad may be there, or be good, a moment
 * later. `elapsedMs` is a steady clock.
 */
export function createShortMemory<Value>(
  isKept: (value: Value) => boolean,
  elapsedMs: () => number = () => performance.now(),
): ShortMemory<Value> {
  const entries = new Map<string, Entry<Value>>();
  // Counted from asking: the answer may be as old as that.
  const age = (entry: Entry<Value>) => elapsedMs() - entry.askedAt;
  const ask = (find: () => Promise<Value>): Entry<Value> => {
    const askedAt = elapsedMs();
    return { found: find(), askedAt, next: null };
  };

  /** Makes `entry` what is remembered, for as long as it turns out to be worth it. */
  function remember(name: string, entry: Entry<Value>): Promise<Value> {
    if (entries.size >= MOST) entries.clear();
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
