import type { QueryClient } from '@tanstack/react-query';
import { urlOf } from '../../../src/kit/endpoint-contract.ts';
import type { NoticeView } from '../../../src/notices/api-contract.ts';
import { dashboardsApi } from '../../../src/notifications/dashboards/api-contract.ts';
import { sharedValue } from '../kit/shared-value.ts';
import { abandonReads, send } from './call.ts';
import { anythingChanged, anythingMayHaveChanged, roomsChanged } from './changes.ts';

/** A notification as an open dashboard receives it. */
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

/** Receives alarms and notices. */
export type Listener = { page(alarm: Alarm): void; notice(notice: NoticeView): void };

/** `lost`: the browser reports that it broke. `silent`: it seems open, but nothing arrives. */
export type Connection = 'connecting' | 'live' | 'lost' | 'silent';

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 15_000;
/**
 * The server sends something at least every 20 s. A network that drops packets closes no connection, so a silent
 * connection is treated as lost.
 */
const SILENT_MS = 35_000;
const NO_HELLO_MS = 10_000;
const LOOK_MS = 1_000;

/** The events of the server; each one shows that the connection works. */
const EVENTS = ['hello', 'beat', 'pages', 'changed', 'notification', 'notice'] as const;

const connection = sharedValue<Connection>('connecting');

/** Whether alarms reach this browser. */
export const useConnection = connection.use;

/**
 * Keeps the live connection: passes on alarms and notices, and refreshes what is shown when something changes. After a
 * loss of the connection, everything is refreshed. Returns a function that ends it.
 */
export function connect(client: QueryClient, listener: Listener): () => void {
  let source: EventSource | null = null;
  let timer = 0;
  let retryMs = FIRST_RETRY_MS;
  let isFirst = true;
  const silence = silenceWatch();

  function open(): void {
    source = new EventSource(urlOf(dashboardsApi.events));
    silence.allow(NO_HELLO_MS);
    for (const event of EVENTS) source.addEventListener(event, () => silence.allow(SILENT_MS));
    let stream: string | undefined;
    // The server cannot detect a dead connection either, so it treats this dashboard as open only while it answers
    // beats.
    const answer = () =>
      void (stream && send(dashboardsApi.heard, { params: { id: stream } }).catch(() => undefined));
    source.addEventListener('beat', answer);
    source.addEventListener('hello', (event) => {
      // Servers of older releases send no stream id.
      ({ stream } = JSON.parse((event as MessageEvent<string>).data) as { stream?: string });
      answer();
      retryMs = FIRST_RETRY_MS;
      connection.set('live');
      // Events from before the connection were missed.
      if (isFirst) void anythingMayHaveChanged(client);
      else anythingChanged(client);
      isFirst = false;
    });
    source.addEventListener('pages', () => roomsChanged(client, ['pages']));
    source.addEventListener('changed', (event) => {
      const { rooms } = JSON.parse((event as MessageEvent<string>).data) as { rooms: string[] };
      roomsChanged(client, rooms);
    });
    source.addEventListener('notification', (event) => {
      const alarm = JSON.parse((event as MessageEvent<string>).data) as Alarm;
      listener.page(alarm);
      void send(dashboardsApi.confirm, { params: { id: alarm.delivery_id } }).catch(() => undefined);
      roomsChanged(client, ['pages']);
    });
    source.addEventListener('notice', (event) => {
      listener.notice(JSON.parse((event as MessageEvent<string>).data) as NoticeView);
      void client.invalidateQueries({ queryKey: ['notices'] });
    });
    // The server closed this connection because too many are open. Reconnect when the window gets the focus.
    source.addEventListener('replaced', () => {
      source?.close();
      source = null;
      connection.set('lost');
      window.addEventListener('focus', open, { once: true });
    });
    source.addEventListener('error', () => lost('lost'));
  }

  function lost(how: 'lost' | 'silent'): void {
    source?.close();
    source = null;
    connection.set(how);
    // The session may have ended, in which case the viewer must not seem reachable here.
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
 * Detects that the server has been silent for too long, by two clocks: the monotonic clock stops while a computer
 * sleeps, the wall clock does not.
 */
function silenceWatch() {
  let allowedMs = NO_HELLO_MS;
  let since = { time: Date.now(), ticks: performance.now() };
  return {
    /** Restarts the measurement; the next event may take this long. */
    allow(ms: number): void {
      allowedMs = ms;
      since = { time: Date.now(), ticks: performance.now() };
    },
    isTooLong: () => Math.max(Date.now() - since.time, performance.now() - since.ticks) > allowedMs,
  };
}
