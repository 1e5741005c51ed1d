import { useSyncExternalStore } from 'react';

let away = false;
const listeners = new Set<() => void>();

/** Notes whether the last answer of the service said that its database is away. */
export function noteDatabaseAway(isAway: boolean): void {
  if (away === isAway) return;
  away = isAway;
  for (const listener of listeners) listener();
}

/** Whether the service cannot reach its database just now. */
export function useDatabaseAway(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => away,
  );
}
