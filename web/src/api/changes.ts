import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/** A part of the service: the first segment of its paths under `/api`, and of its query keys. */
export type Room = string;

/** Lists that were loaded further than this are not refreshed while somebody reads them. */
const MOST_PAGES_REFRESHED = 2;
/** A query that takes longer does not hold up the next one. */
const TURN_MS = 1_000;

const waiting = new Set<Room>();
const listeners = new Set<() => void>();

function changed(): void {
  for (const listener of listeners) listener();
}

/** Rooms whose views also show data of the room that changed. */
const ALONG: Readonly<Record<Room, readonly Room[]>> = {
  teams: ['people', 'session', 'on-call'],
  schedules: ['on-call'],
  availabilities: ['on-call', 'covers'],
  covers: ['schedules', 'on-call', 'shifts'],
  shifts: ['covers', 'schedules', 'on-call'],
  swaps: ['covers', 'schedules', 'on-call', 'shifts'],
  notifications: ['problems'],
  webhooks: ['teams', 'problems', 'notifications'],
  sources: ['teams', 'problems', 'notifications'],
};

/** Refreshes the queries of rooms that changed; long lists only offer to show newer entries. */
export function roomsChanged(client: QueryClient, rooms: readonly Room[]): void {
  for (const room of new Set(rooms.flatMap((one) => [one, ...(ALONG[one] ?? [])]))) {
    void client.invalidateQueries({
      queryKey: [room],
      predicate: ({ state }) => !isLong(state.data),
    });
    const long = client
      .getQueryCache()
      .findAll({ queryKey: [room], predicate: ({ state }) => isLong(state.data) });
    if (long.length > 0) waiting.add(room);
  }
  changed();
}

/** Refreshes all queries, because anything may have changed; long lists only offer to show newer entries. */
export function anythingChanged(client: QueryClient): void {
  void client.invalidateQueries({ predicate: ({ state }) => !isLong(state.data) });
  for (const { queryKey } of client.getQueryCache().findAll({ predicate: ({ state }) => isLong(state.data) }))
    waiting.add(String(queryKey[0]));
  changed();
}

/**
 * The same for everything that is shown, one after another and open pages first: a phone that has just drawn a view stays
 * quick meanwhile.
 */
export async function anythingMayHaveChanged(client: QueryClient): Promise<void> {
  const shown = client
    .getQueryCache()
    .findAll({ type: 'active', predicate: ({ state }) => !isLong(state.data) });
  void client.invalidateQueries({ refetchType: 'none' });
  const pagesFirst = shown.toSorted((a, b) => Number(isOfPages(b.queryKey)) - Number(isOfPages(a.queryKey)));
  for (const { queryKey } of pagesFirst) {
    const read = client.refetchQueries({ queryKey, exact: true, stale: true });
    await Promise.race([read, new Promise((resolve) => setTimeout(resolve, TURN_MS))]);
  }
}

function isOfPages([room]: readonly unknown[]): boolean {
  return room === 'pages';
}

function isLong(data: unknown): boolean {
  // Only paginated lists have `pageParams`.
  const { pageParams } = (data ?? {}) as { pageParams?: unknown };
  return Array.isArray(pageParams) && pageParams.length > MOST_PAGES_REFRESHED;
}

/** Whether a long list of this room has newer entries that are not shown. */
export function useHasNewer(room: Room): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting.has(room),
  );
}

export function forgetNewer(room: Room): void {
  waiting.delete(room);
  changed();
}
