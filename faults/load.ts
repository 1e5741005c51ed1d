import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from './random.ts';

/** A page from the perspective of its sender. An answer of 200 is the promise that the service must keep. */
export type SentPage = {
  title: string;
  requestId: string;
  /** Epoch milliseconds: before the accepted request was sent, and when its answer arrived. */
  sentAt: number;
  acceptedAt: number;
  /** Number of requests. All but the last were refused, or their answers were lost. */
  tries: number;
};

export type Load = {
  accepted: SentPage[];
  /** The number of answers by status; 0 for those that never arrived. */
  answers: Map<number, number>;
  /** The longest time until a page was accepted, in milliseconds. */
  readonly longestMs: number;
  /** Stops raising pages; resolves when all that were begun are accepted. */
  end(): Promise<SentPage[]>;
};

export type LoadOptions = {
  /** URLs that may receive requests at this moment. */
  targets(): readonly string[];
  key: string;
  perSecond: number;
  random: Random;
  /** Recipient and urgency. */
  page?: { path: '/page/person' | '/page/team'; recipient: string; urgency: 'low' | 'medium' | 'high' };
  name: string;
};

const CLIENTS = 8;
/** A page that is not accepted within this time fails the scenario. */
const PATIENCE_MS = 120_000;
const ANSWER_WITHIN_MS = 25_000;

/**
 * Raises pages continuously, as programs should: each has its own idempotency key and is sent again until it is
 * accepted. So every page must arrive exactly once, even if answers were lost.
 */
export function startLoad(options: LoadOptions): Load {
  const page = options.page ?? { path: '/page/person', recipient: 'ada@example.com', urgency: 'low' };
  const accepted: SentPage[] = [];
  const answers = new Map<number, number>();
  let number = 0;
  let over = false;
  let longestMs = 0;

  async function ask(title: string): Promise<string | null> {
    const [target] = [options.random.pick(options.targets())];
    const response = await fetch(target + page.path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${options.key}`,
        'content-type': 'application/json',
        'idempotency-key': title,
      },
      body: JSON.stringify({ recipient: page.recipient, urgency: page.urgency, title, text: 'x' }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    }).catch(() => null);
    const text = (await response?.text().catch(() => '')) ?? '';
    const status = text === '' ? 0 : (response?.status ?? 0);
    answers.set(status, (answers.get(status) ?? 0) + 1);
    return status === 200
      ? String((JSON.parse(text) as { service_request_id: string }).service_request_id)
      : null;
  }

  async function pageUntilAccepted(title: string): Promise<void> {
    const begun = Date.now();
    for (let tries = 1; Date.now() - begun < PATIENCE_MS; tries++) {
      const sentAt = Date.now();
      const requestId = await ask(title);
      if (requestId) {
        const acceptedAt = Date.now();
        longestMs = Math.max(longestMs, acceptedAt - begun);
        accepted.push({ title, requestId, sentAt, acceptedAt, tries });
        return;
      }
      await delay(100);
    }
    throw new Error(`${title} was not accepted within ${PATIENCE_MS / 1_000} s`);
  }

  async function client(): Promise<void> {
    while (!over) {
      await Promise.all([
        pageUntilAccepted(`${options.name} ${++number}`),
        delay((1_000 * CLIENTS) / options.perSecond),
      ]);
    }
  }

  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  // The error is reported by `end`.
  clients.catch(() => undefined);
  return {
    accepted,
    answers,
    get longestMs() {
      return longestMs;
    },
    async end() {
      over = true;
      await clients;
      return accepted;
    },
  };
}
