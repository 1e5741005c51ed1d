/** A map of the most recently used entries. A new one beyond `most` removes the one that was unused for longest. */
export type RecentMap<Key, Value> = {
  /** The value, which counts as used. */
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  readonly size: number;
};

export function createRecentMap<Key, Value extends {}>(most: number): RecentMap<Key, Value> {
  // A map keeps the order of insertion.
  const entries = new Map<Key, Value>();

  function set(key: Key, value: Value): void {
    entries.delete(key);
    entries.set(key, value);
    if (entries.size <= most) return;
    for (const oldest of entries.keys()) {
      entries.delete(oldest);
      return;
    }
  }

  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
    delete: (key) => void entries.delete(key),
    get size() {
      return entries.size;
    },
  };
}
