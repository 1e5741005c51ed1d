import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { NoticeView } from '../../../src/notices/api-contract.ts';
import { abandonReads, call } from './call.ts';
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

/** `lost`: the browser says that it broke. `silent`: it seems to be open, but nothing comes from the server. */
export type Connection = 'connecting' | 'live' | 'lost' | 'silent';

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 15_000;
/** The server says something at least every 20 s. A network that drops packets closes nothing, so silence must count. */
const SILENT_MS = 35_000;
const NO_HELLO_MS = 10_000;
const LOOK_MS = 1_000;

/** What the server may send; each of them shows that it is there. */
const EVENTS = ['hello', 'beat', 'pages', 'changed', 'notification', 'notice'] as const;

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
  const silence = silenceWatch();

  function open(): void {
    source = new EventSource('/api/events');
    silence.allow(NO_HELLO_MS);
    for (const event of EVENTS) source.addEventListener(event, () => silence.allow(SILENT_MS));
    let stream: string | undefined;
    // The server cannot see a dead connection either: it counts on this dashboard only while it gets these answers.
    const answer = () => void (stream && call('POST', `/api/events/${stream}/heard`).catch(() => undefined));
    source.addEventListener('beat', answer);
    source.addEventListener('hello', (event) => {
      // Servers of older releases name no stream.
      ({ stream } = JSON.parse((event as MessageEvent<string>).data) as { stream?: string });
      answer();
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
    // So many others are open that the server ended this one: it comes back when somebody looks at it again.
    source.addEventListener('replaced', () => {
      source?.close();
      source = null;
      setConnection('lost');
      window.addEventListener('focus', open, { once: true });
    });
    source.addEventListener('error', () => lost('lost'));
  }

  function lost(how: 'lost' | 'silent'): void {
    source?.close();
    source = null;
    setConnection(how);
    // The session may be over: then nobody should believe to be reachable here.
    void client.invalidateQueries({ queryKey: ['session'] });
    timer = window.setTimeout(open, retryMs);
    retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
  }

  function look(): void {
    if (source === null || !silence.isTooLong()) return;
    abandonReads();
    lost('silent');
  }

  open();
  const watch = window.setInterval(look, LOOK_MS);
  return () => {
    window.clearInterval(watch);
    window.clearTimeout(timer);
    window.removeEventListener('focus', open);
    source?.close();
  };
}

/**
 * Knows whether the server has been silent for longer than it may be. By two clocks: the one that nobody sets stands still
 * while a computer sleeps, the other one does not.
 */
function silenceWatch() {
  let allowedMs = NO_HELLO_MS;
  let since = { time: Date.now(), ticks: performance.now() };
  return {
    /** Something was heard or begun just now; the next word may take this long. */
    allow(ms: number): void {
      allowedMs = ms;
      since = { time: Date.now(), ticks: performance.now() };
    },
    isTooLong: () => Math.max(Date.now() - since.time, performance.now() - since.ticks) > allowedMs,
  };
}
