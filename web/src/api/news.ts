import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/** A part of the service, as the first word of its addresses under `/api` and of the keys of what was read there. */
export type Room = string;

/** Lists that were read further than this stay as they are while somebody reads them. */
const MOST_PAGES_READ_ANEW = 2;

const waiting = new Set<Room>();
const listeners = new Set<() => void>();

function changed(): void {
  for (const listener of listeners) listener();
}

/** What is shown of other rooms, too, and changes with one. */
const ALONG: Readonly<Record<Room, readonly Room[]>> = {
  teams: ['people', 'session', 'on-call'],
  schedules: ['on-call'],
  availabilities: ['on-call', 'covers'],
  covers: ['schedules', 'on-call', 'shifts'],
  shifts: ['covers', 'schedules', 'on-call'],
  swaps: ['covers', 'schedules', 'on-call', 'shifts'],
  notifications: ['problems'],
  webhooks: ['teams', 'problems', 'notifications'],
};

/** Something of these rooms changed: what is shown of them is read anew, but long lists only say so. */
export function heardNews(client: QueryClient, rooms: readonly Room[]): void {
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

/** Anything may have changed: all that is shown is read anew, but long lists only say so. */
export function missedNews(client: QueryClient): void {
  void client.invalidateQueries({ predicate: ({ state }) => !isLong(state.data) });
  for (const { queryKey } of client.getQueryCache().findAll({ predicate: ({ state }) => isLong(state.data) }))
    waiting.add(String(queryKey[0]));
  changed();
}

function isLong(data: unknown): boolean {
  // Lists that are read bit by bit, not answers that happen to be about pages.
  const { pageParams } = (data ?? {}) as { pageParams?: unknown };
  return Array.isArray(pageParams) && pageParams.length > MOST_PAGES_READ_ANEW;
}

/** Whether a long list of this room is older than what there is. */
export function useNews(room: Room): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting.has(room),
  );
}

export function forgetNews(room: Room): void {
  waiting.delete(room);
  changed();
}
