import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../faults/random.ts';
import type { Client } from './client.ts';
import { type Day, HOURS } from './hours.ts';

/** What a dashboard reads when it is opened, and again when it hears that a page changed. */
const FIRST = [
  '/api/session',
  '/api/on-call',
  '/api/pages?state=open&limit=100',
  '/api/problems',
  '/api/notices',
];
const ON_NEWS = '/api/pages?state=open&limit=100';
/** Where people look. */
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
  /** Most that were open at once, and how often one was opened. */
  most: number;
  opened: number;
  /** Word that a page changed, a notification or something else, that came over all streams. */
  events: number;
  /** Lists that were not answered 200. */
  refused: string[];
  /** Opens and closes them through the whole day; resolves when all are closed. */
  watch(): Promise<void>;
};

/** Open dashboards: each listens, reads lists, shows notifications (nine of ten times), and is closed after some hours. */
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
