import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { ReceivedWebhook } from '../testing/fakes/webhook-receiver.ts';
import { signIn } from '../testing/signed-in.ts';
import type { Place } from './place.ts';

/** The steps that a monitoring system and its responders take with one page, in order. */
export type Step = 'raise' | 'repeat' | 'raise urgency' | 'acknowledge' | 'resolve';

/** A way in which pages are raised, changed and ended. */
export type Door = {
  name: string;
  steps: readonly Step[];
  /**
   * Sends one step about the page with this title, which is also its dedup key. Each try has the same idempotency key.
   */
  send(url: string, step: Step, title: string, idempotencyKey: string): Promise<Response>;
};

const JSON_BODY = { 'content-type': 'application/json' };
const ANSWER_WITHIN_MS = 25_000;
const TRIES = 600;
/** Longer than any lease. */
const SETTLED_WITHIN_MS = 60_000;

function post(url: string, body: unknown, headers: Record<string, string>): Promise<Response> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  return fetch(url, {
    method: 'POST',
    headers: { ...JSON_BODY, ...headers },
    body: JSON.stringify(body),
    signal,
  });
}

/** A page source. */
export async function sourceDoor({ cluster }: Place, url: string): Promise<Door> {
  const { db, clock, acme } = cluster;
  await db.updateTable('users').set({ role: 'owner' }).where('organization_id', '=', acme.id).execute();
  const ada = await signIn({ db, clock, url, acme }, 'ada');
  const made = await ada.call('POST', '/api/sources', { team: 'sre', name: 'statements', type: 'custom' });
  if (made.status !== 201)
    throw new Error(`the source was answered ${made.status}: ${JSON.stringify(made.body)}`);
  const { pathname } = new URL(made.body.url);
  return {
    name: 'source',
    steps: ['raise', 'repeat', 'raise urgency', 'acknowledge', 'resolve'],
    send(to, step, title, idempotencyKey) {
      const action = step === 'acknowledge' || step === 'resolve' ? step : 'trigger';
      const urgency = step === 'raise urgency' ? 'high' : 'low';
      return post(
        to + pathname,
        { title, dedup_key: title, urgency, action },
        { 'idempotency-key': idempotencyKey },
      );
    },
  };
}

/** `POST /page/team` with a dedup key, and the calls that go with it. */
export function keyedDoor({ cluster }: Place): Door {
  return {
    name: 'dedup key',
    steps: ['raise', 'repeat', 'raise urgency', 'acknowledge', 'resolve'],
    send(to, step, title, idempotencyKey) {
      const headers = { authorization: `Bearer ${cluster.acme.key}`, 'idempotency-key': idempotencyKey };
      const same = { recipient: 'sre', dedup_key: title };
      if (step === 'acknowledge' || step === 'resolve') return post(`${to}/page/${step}`, same, headers);
      const urgency = step === 'raise urgency' ? 'high' : 'low';
      return post(`${to}/page/team`, { ...same, title, text: 'x', urgency }, headers);
    },
  };
}

/** `POST /page/team` without a dedup key; the person who is notified acknowledges by the link in the notification. */
export function plainDoor({ cluster, receiver }: Place): Door {
  return {
    name: 'page',
    steps: ['raise', 'acknowledge'],
    send(to, step, title, idempotencyKey) {
      const headers = { authorization: `Bearer ${cluster.acme.key}`, 'idempotency-key': idempotencyKey };
      const page = { recipient: 'sre', title, text: 'x', urgency: 'low' };
      if (step === 'raise') return post(`${to}/page/team`, page, headers);
      const link = receiver.received.find(({ body }) => body.title === title)?.body.acknowledge_url;
      if (link === undefined) throw new Error(`nobody was notified of ${title}`);
      const { pathname, search } = new URL(link);
      return fetch(to + pathname + search, {
        method: 'POST',
        headers: { accept: 'application/json' },
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
    },
  };
}

/**
 * Sends one step until it is accepted: to `first`, and after that to any of `targets`. Returns the id of its request, or null for
 * an answer without one.
 */
export async function sendUntilAccepted(
  door: Door,
  { first, targets }: { first: string; targets(): readonly string[] },
  step: Step,
  { title, idempotencyKey }: { title: string; idempotencyKey: string },
): Promise<string | null> {
  let last: unknown;
  for (let tries = 0; tries < TRIES; tries++) {
    const urls = targets();
    const to = tries === 0 ? first : (urls[tries % urls.length] ?? first);
    const answer = await door.send(to, step, title, idempotencyKey).catch((error: unknown) => error as Error);
    last = answer;
    if (!(answer instanceof Error)) {
      const text = await answer.text().catch(() => '');
      if (answer.status === 200 && text !== '')
        return (JSON.parse(text) as { service_request_id?: string }).service_request_id ?? null;
      last = `${answer.status} ${text}`;
    }
    await delay(50);
  }
  throw new Error(`“${step}” of ${title} was not accepted: ${String(last)}`);
}

/** The final state of the page with one title, as far as it can be seen from outside. */
export type Tale = {
  /** The state and urgency of each page. */
  pages: string[];
  /** The timeline: each event, and how often it was repeated. */
  timeline: string[];
  /** What each accepted request did, and its final status. */
  requests: string[];
  /** Notifications, by type; repeats of one are counted once. */
  notified: string[];
};

/** Waits until nothing is due or under way. Returns whether that happened in time. */
export async function settle({ cluster }: Place): Promise<boolean> {
  for (
    const deadline = performance.now() + SETTLED_WITHIN_MS;
    performance.now() < deadline;
    await delay(20)
  ) {
    const { rows } = await sql<{ busy: boolean }>`
      select exists (select from requests where finished_at is null)
        or exists (select from received_notifications where state = 'queued')
        or exists (select from page_steps where state = 'due' and due_at <= now())
        or exists (select from deliveries where state = 'sending' or (state in ('waiting', 'retrying') and due_at <= now()))
        or exists (select from all_clears where state = 'waiting') as busy`.execute(cluster.db);
    if (rows[0]?.busy === false) return true;
  }
  return false;
}

export async function taleOf(
  { cluster: { db }, receiver }: Place,
  title: string,
  requestIds: readonly string[],
): Promise<Tale> {
  const pages = await sql<{ line: string }>`
    select state || ', ' || urgency as line from pages where title = ${title} order by id`.execute(db);
  const timeline = await sql<{ line: string }>`
    select concat_ws(' ', e.kind, e.data->>'action', e.data->>'count', e.data->>'round', jsonb_array_length(e.data->'people')) as line
    from page_events e join pages p on p.id = e.page_id where p.title = ${title} order by e.id`.execute(db);
  const requests = await sql<{ line: string }>`
    select concat_ws(' ', r.status, o.action) as line
    from unnest(${[...requestIds]}::text[]) with ordinality as mine(id, number)
    join requests r on r.id = mine.id left join request_pages o on o.request_id = r.id
    order by mine.number, o.position`.execute(db);
  const about = [...receiver.received, ...receiver.over].filter(({ body }) => body.title === title);
  const each = new Map(about.map((one) => [one.id, one]));
  const lines = ({ rows }: { rows: readonly { line: string }[] }) => rows.map(({ line }) => line);
  return {
    pages: lines(pages),
    timeline: lines(timeline),
    requests: lines(requests),
    notified: [...each.values()]
      .map(({ path, body }) => `${path} ${body.type} ${body.round ?? ''}`.trim())
      .sort(),
  };
}

/** Compares the results of two nodes that share the work in any order, so repetitions are counted together. */
export function inAnyOrder({ pages, timeline, requests, notified }: Tale): Tale {
  const counts = new Map<string, number>();
  const once = timeline.filter((line) => {
    const [, action, count] = /^repeated (\w+) (\d+)$/.exec(line) ?? [];
    if (action !== undefined) counts.set(action, (counts.get(action) ?? 0) + Number(count));
    return action === undefined;
  });
  const repeated = [...counts].map(([action, count]) => `repeated ${action} ${count}`);
  return { pages, timeline: [...once, ...repeated].sort(), requests: requests.toSorted(), notified };
}

/** The difference between two results, as a sentence; null if there is none. */
export function difference(expected: Tale, found: Tale): string | null {
  const parts = (['pages', 'timeline', 'requests', 'notified'] as const)
    .filter((part) => !isDeepStrictEqual(expected[part], found[part]))
    .map((part) => `${part} are [${found[part].join('; ')}] instead of [${expected[part].join('; ')}]`);
  return parts.length > 0 ? parts.join(', and ') : null;
}

/**
 * Notifications of one title that arrived more often than allowed. A notification that had arrived when the process
 * died may come once more, with the same id. Unless it is an all-clear, the repeat must be marked.
 */
export function wrongRepeats(
  { receiver }: Place,
  title: string,
  arrivedBefore: ReadonlySet<string>,
): { allowed: number; wrong: string[] } {
  const about = [...receiver.received, ...receiver.over].filter(({ body }) => body.title === title);
  const again = [...Map.groupBy(about, ({ id }) => id).values()].flatMap((all) =>
    all.slice(1).map((one, index) => ({ one, index })),
  );
  const isAllowed = ({ one, index }: { one: ReceivedWebhook; index: number }) =>
    index === 0 && arrivedBefore.has(one.id) && (one.body.repeat || one.body.type === 'page.resolved');
  return {
    allowed: again.filter(isAllowed).length,
    wrong: again
      .filter((one) => !isAllowed(one))
      .map(
        ({ one }) => `${one.body.type} ${one.id} arrived again${one.body.repeat ? '' : ' without a mark'}`,
      ),
  };
}
