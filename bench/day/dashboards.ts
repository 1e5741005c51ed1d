import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../faults/random.ts';
import type { Client } from './client.ts';
import { type Day, HOURS } from './hours.ts';

/**
 * Requests of a dashboard when it is opened. It sends the one of `ON_NEWS` again when an event reports a changed page.
 */
const FIRST = [
  '/api/session',
  '/api/on-call',
  '/api/pages?state=open&limit=100',
  '/api/problems',
  '/api/notices',
];
const ON_NEWS = '/api/pages?state=open&limit=100';
/** Views that people open. */
const VIEWS = [
  ON_NEWS,
  '/api/pages?state=all&limit=30',
  '/api/pages?state=all&limit=30&text=rate',
  '/api/moments?state=open,acknowledged&limit=50',
  '/api/moments?limit=50',
  '/api/moments?limit=50&text=checkout',
  '/api/notifications',
  '/api/on-call',
  '/api/requests?limit=50',
  '/api/schedules',
  '/api/teams',
  '/api/people/overview',
  '/api/audit',
];

export type Dashboards = {
  open: number;
  /** The most dashboards that were open at once, and how many were opened in all. */
  most: number;
  opened: number;
  /** Events that arrived on all streams: changed pages, notifications and others. */
  events: number;
  /** Requests that were not answered with 200. */
  refused: string[];
  /** Opens and closes dashboards throughout the day; resolves when all are closed. */
  watch(): Promise<void>;
};

/**
 * Open dashboards: each listens to events, reads lists, shows notifications (in nine of ten cases), and is closed after
 * some hours.
 */
export function createDashboards(
  client: Client,
  day: Day,
  random: Random,
  keys: readonly string[],
): Dashboards {
  const dashboards = { open: 0, most: 0, opened: 0, events: 0, refused: [] as string[] };

  async function read(path: string, key: string): Promise<void> {
    const { status } = await client.get(path, 'list', key);
    if (status !== 200) dashboards.refused.push(`${path} was answered ${status}`);
  }

  async function one(): Promise<void> {
    const key = random.pick(keys);
    const closesAt = performance.now() + day.minutesMs(random.between(30, 240));
    let news = false;
    const close = await client.listen('/api/events', key, (text) => {
      for (const [, event, id] of text.matchAll(/^event: (\S+)\n(?:id: (\S+)\n)?/gm)) {
        dashboards.events++;
        news ||= event === 'pages' || event === 'changed';
        if (event === 'notification' && id && random.between(0, 1) < 0.9)
          void client.post(`/api/deliveries/${id}/confirm`, {}, 'confirm', key);
      }
    });
    try {
      await Promise.all(FIRST.map((path) => read(path, key)));
      while (performance.now() < closesAt && day.hour() < HOURS) {
        await delay(Math.max(50, day.minutesMs(1)));
        if (news) await read(ON_NEWS, key);
        news = false;
        if (random.between(0, 1) < 0.3) await read(random.pick(VIEWS), key);
      }
    } finally {
      close();
    }
  }

  return Object.assign(dashboards, {
    async watch() {
      const running = new Set<Promise<void>>();
      while (day.hour() < HOURS) {
        for (const wanted = day.dashboards(); running.size < wanted; dashboards.opened++) {
          const tab = one()
            .catch((error: unknown) => void dashboards.refused.push(String(error)))
            .finally(() => running.delete(tab));
          running.add(tab);
        }
        dashboards.open = running.size;
        dashboards.most = Math.max(dashboards.most, running.size);
        await delay(Math.max(50, day.minutesMs(1)));
      }
      await Promise.all(running);
    },
  });
}
