import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../faults/random.ts';
import type { Client } from './client.ts';
import type { Day } from './hours.ts';
import type { Latencies } from './latencies.ts';
import { email, PEOPLE, slug, TEAMS } from './organization.ts';

/**
 * The fate of a page: acknowledged by a program or by the link, at once or after it escalated; resolved; or unanswered.
 */
const ANSWERS = ['api', 'api', 'api', 'link', 'link', 'link', 'climbs', 'resolved', 'nobody'] as const;

/** One notification at the receiver. `sentAt` is by the database's clock, everything else by the receiver's. */
type Arrival = { type: string; deliveryId: string; repeat: boolean; stage: number | null; sentAt: number };

/** What is known about a page from outside. Times are epoch milliseconds. */
export type KnownPage = {
  title: string;
  answer: (typeof ANSWERS)[number];
  requestId: string | null;
  /** `performance.now()` when the answer arrived; null before. */
  acceptedAt: number | null;
  /** `performance.now()` when the first notification arrived. */
  arrivedAt: number | null;
  arrivals: Arrival[];
  /** When the acknowledgement or resolution was answered. No notification may be sent after that. */
  answeredAt: number | null;
  answering: boolean;
};

export type Pages = {
  known: Map<string, KnownPage>;
  /** Arrivals that were not pages: alarms to the owners when the machine is overloaded. */
  notices: number;
  refused: number;
  /** Failed answers of people. */
  failures: string[];
  /** Raises one page and tracks it. */
  raise(): Promise<void>;
  /** Resolves when all intended answers were given; to false when that takes longer than `withinMs`. */
  settled(withinMs: number): Promise<boolean>;
};

type Notification = {
  type: string;
  title: string;
  page_id: string;
  delivery_id: string;
  repeat: boolean;
  stage: number | null;
  sent_at: string;
  acknowledge_url: string;
};

/** Raises pages, and answers them as the paged people would, some of them late. */
export function createPages(
  client: Client,
  day: Day,
  random: Random,
  latencies: Latencies,
  receiver: Receiver,
): Pages {
  const known = new Map<string, KnownPage>();
  const running = new Set<Promise<void>>();
  let raised = 0;

  function later(minutes: number, act: () => Promise<void>): void {
    const one = delay(day.minutesMs(minutes))
      .then(act)
      .catch((error: unknown) => void pages.failures.push(String(error)))
      .finally(() => running.delete(one));
    running.add(one);
  }

  async function acknowledge(page: KnownPage, { page_id, acknowledge_url }: Notification): Promise<void> {
    const way = page.answer === 'link' || page.answer === 'climbs' ? 'link' : page.answer;
    const { pathname } = new URL(acknowledge_url);
    if (way === 'link') await client.get(pathname);
    const path = { link: pathname, resolved: `/api/pages/${page_id}/resolve` }[way as string];
    const { status } = await client.post(path ?? `/api/pages/${page_id}/acknowledge`, {}, 'acknowledge');
    if (status !== 200)
      throw new Error(`${page.title}: answering it (${page.answer}) was answered ${status}`);
    page.answeredAt = Date.now();
    if (way !== 'resolved' && random.between(0, 1) < 0.7) {
      later(random.between(5, 30), async () => {
        const { status } = await client.post(`/api/pages/${page_id}/resolve`, {});
        if (status !== 200) throw new Error(`${page.title}: resolving it was answered ${status}`);
      });
    }
  }

  function noteDelay({ acceptedAt, arrivedAt }: KnownPage): void {
    if (acceptedAt !== null && arrivedAt !== null) latencies.note('page → provider', arrivedAt - acceptedAt);
  }

  async function poll(page: KnownPage): Promise<void> {
    const path = `/request/${page.requestId}/status`;
    for (const wait of ['', '?wait=5', '']) {
      const { status } = await client.get(path + wait, wait ? undefined : 'status');
      if (status !== 200) pages.failures.push(`${path} was answered ${status}`);
      await delay(day.minutesMs(1));
    }
  }

  const pages: Pages = {
    ...{ known, notices: 0, refused: 0, failures: [] },
    async raise() {
      const toTeam = random.between(0, 1) < 0.75;
      const urgency = random.pick(['low', 'medium', 'high', 'high'] as const);
      const recipient = toTeam
        ? slug(Math.floor(random.between(0, TEAMS)))
        : email(Math.floor(random.between(0, PEOPLE)));
      const wish = random.pick(ANSWERS);
      const page: KnownPage = {
        ...{ title: `page ${++raised}`, requestId: null, acceptedAt: null, arrivedAt: null, arrivals: [] },
        ...{ answeredAt: null, answering: false },
        // Only pages of teams escalate, and not those of low urgency.
        answer: wish === 'climbs' && (!toTeam || urgency === 'low') ? 'link' : wish,
      };
      known.set(page.title, page);
      const body = { recipient, urgency, title: page.title, text: 'Error rate 41 %. '.repeat(20) };
      const { status, body: answer } = await client.post(
        toTeam ? '/page/team' : '/page/person',
        body,
        'page',
      );
      if (status !== 200) {
        pages.refused++;
        known.delete(page.title);
        return;
      }
      page.acceptedAt = performance.now();
      page.requestId = String(answer.service_request_id);
      noteDelay(page);
      if (random.between(0, 1) < 0.5) later(0, () => poll(page));
    },
    async settled(withinMs) {
      const end = performance.now() + withinMs;
      const open = () =>
        [...known.values()].some(({ answer, answeredAt }) => answer !== 'nobody' && answeredAt === null);
      while (running.size > 0 || open()) {
        if (performance.now() > end) return false;
        await delay(50);
      }
      return true;
    },
  };
  receiver.arrived = (body, at) => {
    if (!body.type.startsWith('page.')) {
      pages.notices++;
      return;
    }
    const page = known.get(body.title);
    if (!page) {
      pages.failures.push(`a notification of ${JSON.stringify(body.title)}, which nobody raised`);
      return;
    }
    const { type, repeat, stage } = body;
    page.arrivals.push({
      ...{ type, repeat, stage },
      deliveryId: body.delivery_id,
      sentAt: Date.parse(body.sent_at),
    });
    if (page.arrivedAt === null) {
      page.arrivedAt = at;
      noteDelay(page);
    }
    if (page.answering || page.answer === 'nobody' || (page.answer === 'climbs' && stage === 1)) return;
    page.answering = true;
    later(random.between(0.5, 4), () => acknowledge(page, body));
  };
  return pages;
}

/** The receiver of all notifications; calls `arrived` with each one and its time. */
export type Receiver = { url: string; arrived(notification: Notification, at: number): void; stop(): void };

export async function startReceiver(port: number): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const at = performance.now();
    const text = await read(request);
    response.writeHead(204).end();
    receiver.arrived(JSON.parse(text) as Notification, at);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/`,
    arrived: () => undefined,
    stop: () => void server.close(),
  };
  return receiver;
}

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
