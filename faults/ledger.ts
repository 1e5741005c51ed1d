import { setTimeout as delay } from 'node:timers/promises';
import { STAND_BY_MARK } from '../src/lifeboat/contract.ts';
import type { ReceivedWebhook, WebhookReceiver } from '../testing/fakes/webhook-receiver.ts';
import type { SentPage } from './load.ts';

/** Observations from outside about the accepted pages. */
export type Judgement = {
  accepted: number;
  /** Titles of pages that never arrived. */
  lost: string[];
  /** Number of repeated notifications. */
  repeats: number;
  /** Repeats that were not marked as such. */
  unmarked: string[];
  /** Titles that had two pages, or two notifications to one person through one channel in one round, with their ids. */
  doubled: string[];
  /** From acceptance to first arrival, in milliseconds. */
  latencies: number[];
};

/** Waits until all accepted pages have arrived; gives up when none arrives for `withinMs`. */
export async function untilArrived(
  receiver: WebhookReceiver,
  pages: readonly SentPage[],
  withinMs: number,
): Promise<void> {
  let seen = -1;
  let since = performance.now();
  for (;;) {
    const titles = new Set(receiver.received.map(({ body }) => titleOf(body)));
    if (pages.every(({ title }) => titles.has(title))) return;
    if (receiver.received.length !== seen) {
      seen = receiver.received.length;
      since = performance.now();
    }
    if (performance.now() - since > withinMs) return;
    await delay(100);
  }
}

/** `forgetful`: the database may have lost a delivery, so that its repeat has another id. */
export function judge(
  pages: readonly SentPage[],
  received: readonly ReceivedWebhook[],
  forgetful = false,
): Judgement {
  const byTitle = Map.groupBy(received, ({ body }) => titleOf(body));
  const byDelivery = Map.groupBy(received, ({ id, path, body }) => (forgetful ? wayOf(path, body) : id));
  const again = [...byDelivery.values()].flatMap((attempts) => attempts.slice(1));
  return {
    accepted: pages.length,
    lost: pages.filter(({ title }) => !byTitle.has(title)).map(({ title }) => title),
    repeats: again.length,
    unmarked: again.filter(({ body }) => !body.repeat).map(({ body }) => titleOf(body)),
    doubled: [...byTitle].filter(([, all]) => isDoubled(all, forgetful)).map(namedWithIds),
    latencies: pages.flatMap(({ title, acceptedAt }) => {
      const first = byTitle.get(title)?.[0];
      return first ? [first.at.getTime() - acceptedAt] : [];
    }),
  };
}

function wayOf(path: string, body: ReceivedWebhook['body']): string {
  return `${path} ${body.type} ${body.round} ${titleOf(body)}`;
}

/** The title of a page, without the mark of a lifeboat. */
export function titleOf({ title }: ReceivedWebhook['body']): string {
  return title.startsWith(STAND_BY_MARK) ? title.slice(STAND_BY_MARK.length) : title;
}

function namedWithIds([title, all]: [title: string, all: readonly ReceivedWebhook[]]): string {
  const ids = new Set(all.map(({ id, body }) => `${id} of ${body.page_id} in round ${body.round}`));
  return `${title}: ${[...ids].join(' and ')}`;
}

function isDoubled(all: readonly ReceivedWebhook[], forgetful: boolean): boolean {
  if (new Set(all.map(({ body }) => body.page_id)).size > 1) return true;
  if (forgetful) return false;
  const ways = Map.groupBy(all, ({ path, body }) => `${path} ${body.type} ${body.round}`);
  return [...ways.values()].some((same) => new Set(same.map(({ id }) => id)).size > 1);
}

/** Broken promises that hold in every scenario, as sentences. */
export function broken(judged: Judgement, mostRepeats: number): string[] {
  const sentences: string[] = [];
  const some = (titles: readonly string[]) => `${titles.length} (${titles.slice(0, 3).join(', ')})`;
  if (judged.accepted === 0) sentences.push('no page was accepted at all');
  if (judged.lost.length > 0) sentences.push(`accepted and never delivered: ${some(judged.lost)}`);
  if (judged.unmarked.length > 0) sentences.push(`repeated without a mark: ${some(judged.unmarked)}`);
  if (judged.doubled.length > 0) sentences.push(`notified twice for one reason: ${some(judged.doubled)}`);
  if (judged.repeats > mostRepeats) sentences.push(`${judged.repeats} repeats; the bound is ${mostRepeats}`);
  return sentences;
}
