import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { call } from './call.ts';

/** A notification as the open dashboard gets it. */
export type Alarm = {
  type: 'page.notification' | 'page.expired';
  page_id: string;
  delivery_id: string;
  title: string;
  text: string;
  urgency: 'low' | 'medium' | 'high';
  team: string | null;
  stage: number | null;
  sent_at: string;
};

export type Connection = 'connecting' | 'live' | 'lost';

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 15_000;

let connection: Connection = 'connecting';
const listeners = new Set<() => void>();

function setConnection(next: Connection): void {
  connection = next;
  for (const listener of listeners) listener();
}

/** Whether alarms reach this browser just now. */
export function useConnection(): Connection {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => connection,
  );
}

/**
 * Keeps the live connection: alarms go to `onAlarm`, changes of pages make what is shown be read anew. Whatever
 * happened while it was lost is read when it is back. Returns how to end it.
 */
export function connect(client: QueryClient, onAlarm: (alarm: Alarm) => void): () => void {
  let source: EventSource | null = null;
  let timer = 0;
  let retryMs = FIRST_RETRY_MS;

  function open(): void {
    source = new EventSource('/api/events');
    source.addEventListener('hello', () => {
      retryMs = FIRST_RETRY_MS;
      setConnection('live');
      void client.invalidateQueries({ queryKey: ['pages'] });
    });
    source.addEventListener('pages', () => void client.invalidateQueries({ queryKey: ['pages'] }));
    source.addEventListener('notification', (event) => {
      const alarm = JSON.parse((event as MessageEvent<string>).data) as Alarm;
      onAlarm(alarm);
      void call('POST', `/api/deliveries/${alarm.delivery_id}/confirm`).catch(() => undefined);
      void client.invalidateQueries({ queryKey: ['pages'] });
    });
    source.addEventListener('error', lost);
  }

  function lost(): void {
    source?.close();
    setConnection('lost');
    // The session may be over: then nobody should believe to be reachable here.
    void client.invalidateQueries({ queryKey: ['session'] });
    timer = window.setTimeout(open, retryMs);
    retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
  }

  open();
  return () => {
    window.clearTimeout(timer);
    source?.close();
  };
}
