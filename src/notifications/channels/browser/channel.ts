import type { Channel } from '../channel.ts';
import type { ChannelCode } from '../channel-code.ts';
import { isMessage, messageBody } from '../message.ts';
import { accepted, makeChannel, refused, retry } from '../outcome.ts';
import { NO_SETTINGS } from '../settings.ts';
import { webhookBody } from '../webhook/channel.ts';

const CONFIRM_MS = 3_000;

/** Writes text to one open dashboard; may throw or do nothing when it is gone. */
type Stream = { write(text: string): unknown };

/** The dashboards that are open in this process, by organization user. */
export type OpenDashboards = {
  /** Registers a server-sent event stream; call what it returns when the stream closes. */
  open(userId: string, stream: Stream): () => void;
  /** A dashboard of `userId` has shown this delivery. False when nobody waits for it: late, doubled or not theirs. */
  confirm(deliveryId: string, userId: string): boolean;
  /** Writes one event to every open dashboard of a user; returns how many there are. */
  write(userId: string, event: { event: string; id?: string; data: unknown }): number;
  /** Resolves to true when a dashboard confirms, to false after `withinMs` or when `signal` fires. */
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

/** The dashboard itself, live; works without any provider. */
export function browserChannel(dashboards: OpenDashboards, confirmMs = CONFIRM_MS): Channel {
  return makeChannel('browser', null, async (content, address, signal) => {
    if (isMessage(content)) {
      const event = { event: content.type, id: content.id, data: messageBody(content) };
      return dashboards.write(address.userId, event) > 0 ? accepted(null) : refused('No dashboard is open.');
    }
    const { deliveryId } = content;
    // Waits before it writes: a fast dashboard could confirm in between.
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

/** JSON has no line breaks of its own, so that one `data` line is enough. */
function eventText({ event, id, data }: { event: string; id?: string; data: unknown }): string {
  return `event: ${event}\n${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(data)}\n\n`;
}

/** A stream that broke a moment ago is removed by its owner's close event. */
function tryWrite(stream: Stream, text: string): void {
  try {
    stream.write(text);
  } catch {
    // The other dashboards of this person must still hear of it.
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
