import type { Channel } from '../channel.ts';
import type { ChannelCode } from '../channel-code.ts';
import { isMessage, messageBody } from '../message.ts';
import { accepted, makeChannel, refused, retry } from '../outcome.ts';
import { NO_SETTINGS } from '../settings.ts';
import { webhookBody } from '../webhook/channel.ts';

const CONFIRM_MS = 3_000;

/** Writes to one open dashboard. May throw or do nothing after it was closed. */
type Stream = { write(text: string): unknown };

/** The dashboards connected to this process, by organization user. */
export type OpenDashboards = {
  /** Registers a stream of server-sent events. Call the returned function when the stream closes. */
  open(userId: string, stream: Stream): () => void;
  /**
   * A dashboard of `userId` showed this delivery. False if no send is waiting for it: the confirmation is late or
   * repeated, or the delivery is not theirs.
   */
  confirm(deliveryId: string, userId: string): boolean;
  /** Sends an event to every open dashboard of a user, and returns their number. */
  write(userId: string, event: { event: string; id?: string; data: unknown }): number;
  /** Resolves to true when a dashboard confirms, and to false after `withinMs` or when `signal` aborts. */
  confirmation(deliveryId: string, userId: string, withinMs: number, signal: AbortSignal): Promise<boolean>;
};

export function openDashboards(): OpenDashboards {
  const streams = new Map<string, Set<Stream>>();
  const waiting = new Map<string, (confirmed: boolean) => void>();

  return {
    open(userId, stream) {
      const mine = streams.get(userId) ?? new Set();
      streams.set(userId, mine.add(stream));
      return () => {
        mine.delete(stream);
        if (mine.size === 0 && streams.get(userId) === mine) streams.delete(userId);
      };
    },

    confirm(deliveryId, userId) {
      const settle = waiting.get(waitKey(deliveryId, userId));
      settle?.(true);
      return settle !== undefined;
    },

    write(userId, event) {
      const mine = streams.get(userId) ?? new Set();
      const text = eventText(event);
      for (const stream of mine) tryWrite(stream, text);
      return mine.size;
    },

    confirmation(deliveryId, userId, withinMs, signal) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const key = waitKey(deliveryId, userId);
      const late = () => resolve(false);
      const timer = setTimeout(late, withinMs);
      signal.addEventListener('abort', late, { once: true });
      waiting.set(key, resolve);
      return promise.finally(() => {
        clearTimeout(timer);
        signal.removeEventListener('abort', late);
        if (waiting.get(key) === resolve) waiting.delete(key);
      });
    },
  };
}

/** Shows notifications in open dashboards; needs no provider. */
export function browserChannel(dashboards: OpenDashboards, confirmMs = CONFIRM_MS): Channel {
  return makeChannel('browser', null, async (content, address, signal) => {
    if (isMessage(content)) {
      const event = { event: content.type, id: content.id, data: messageBody(content) };
      return dashboards.write(address.userId, event) > 0 ? accepted(null) : refused('No dashboard is open.');
    }
    const { deliveryId } = content;
    // Start waiting before writing, because a fast dashboard could confirm in between.
    const confirmation = dashboards.confirmation(deliveryId, address.userId, confirmMs, signal);
    const data = webhookBody(content);
    const open = dashboards.write(address.userId, { event: 'notification', id: deliveryId, data });
    if (open === 0) {
      return refused('No dashboard is open.');
    }
    if (await confirmation) return accepted(null);
    return retry('A dashboard is open but did not confirm that it showed the page.', { maybeSent: true });
  });
}

const waitKey = (deliveryId: string, userId: string): string => `${userId} ${deliveryId}`;

/** JSON contains no line breaks, so one `data` line is enough. */
function eventText({ event, id, data }: { event: string; id?: string; data: unknown }): string {
  return `event: ${event}\n${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(data)}\n\n`;
}

/** Ignores a stream that has just broken; its close event removes it. */
function tryWrite(stream: Stream, text: string): void {
  try {
    stream.write(text);
  } catch {
    // The person's other dashboards must still get the event.
  }
}

export const browserCode = {
  settings: NO_SETTINGS,
  build: (_: object, dashboards: OpenDashboards) => browserChannel(dashboards),
  method: null,
  load: null,
  callbacks: null,
  mutable: false,
} satisfies ChannelCode;
