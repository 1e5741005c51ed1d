import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { NoticeView } from '../../../src/notices/api-contract.ts';
import { call } from './call.ts';
import { heardNews, missedNews } from './news.ts';

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

/** Who is told of what arrives. */
export type Hearer = { page(alarm: Alarm): void; notice(notice: NoticeView): void };

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
 * Keeps the live connection: alarms and notices go to who hears them, changes of pages make what is shown be read anew. Whatever
 * happened while it was lost is read when it is back. Returns how to end it.
 */
export function connect(client: QueryClient, hears: Hearer): () => void {
  let source: EventSource | null = null;
  let timer = 0;
  let retryMs = FIRST_RETRY_MS;

  function open(): void {
    source = new EventSource('/api/events');
    source.addEventListener('hello', () => {
      retryMs = FIRST_RETRY_MS;
      setConnection('live');
      // Whatever happened before, or while it was lost, was not heard.
      missedNews(client);
    });
    source.addEventListener('pages', () => heardNews(client, ['pages']));
    source.addEventListener('changed', (event) => {
      const { rooms } = JSON.parse((event as MessageEvent<string>).data) as { rooms: string[] };
      heardNews(client, rooms);
    });
    source.addEventListener('notification', (event) => {
      const alarm = JSON.parse((event as MessageEvent<string>).data) as Alarm;
      hears.page(alarm);
      void call('POST', `/api/deliveries/${alarm.delivery_id}/confirm`).catch(() => undefined);
      heardNews(client, ['pages']);
    });
    source.addEventListener('notice', (event) => {
      hears.notice(JSON.parse((event as MessageEvent<string>).data) as NoticeView);
      void client.invalidateQueries({ queryKey: ['notices'] });
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
