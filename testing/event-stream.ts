import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PATIENCE_MS } from './patience.ts';

export type ServerEvent = { event: string; id: string | null; data: Record<string, unknown> };

/** A client of GET /api/events. */
export type EventStream = {
  /** Takes the first event of this name. @throws when none arrives in time or before the stream ends */
  next(event: string, withinMs?: number): Promise<ServerEvent>;
  /** Resolves when the server ends the stream. */
  ended: Promise<void>;
  close(): void;
};

export async function eventStream(url: string, headers: Record<string, string>): Promise<EventStream> {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  assert.equal(response.status, 200, await (response.ok ? '' : response.text()));
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  const events: ServerEvent[] = [];
  let wake = Promise.withResolvers<void>();

  async function read(): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      events.push(...blocks.flatMap(parse));
      wake.resolve();
      wake = Promise.withResolvers();
    }
  }

  let isOver = false;
  const ended = read()
    .catch((error) => {
      if (!abort.signal.aborted) throw error;
    })
    .finally(() => {
      isOver = true;
    });

  return {
    async next(event, withinMs = PATIENCE_MS) {
      const late = new AbortController();
      // Cleared in the end, because a timer keeps its process running.
      const timer = setTimeout(() => late.abort(), withinMs);
      const tooLate = once(late.signal, 'abort');
      try {
        for (;;) {
          const index = events.findIndex((one) => one.event === event);
          const [found] = index < 0 ? [] : events.splice(index, 1);
          if (found) return found;
          if (isOver) throw new Error(`the stream ended before an event ${event} came`);
          if (late.signal.aborted) throw new Error(`no event ${event} came within ${withinMs} ms`);
          await Promise.race([wake.promise, ended, tooLate]);
        }
      } finally {
        clearTimeout(timer);
      }
    },
    ended,
    close: () => abort.abort(),
  };
}

function parse(block: string): ServerEvent[] {
  const field = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  const event = field('event');
  return event ? [{ event, id: field('id') ?? null, data: JSON.parse(field('data') ?? 'null') }] : [];
}
