/** Debian's monitoring systems page through the URL of a source while they and Tocsin are killed. */
import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../testing/eventually.ts';
import { type WebhookReceiver, webhookReceiver } from '../testing/fakes/webhook-receiver.ts';
import { freePort } from '../testing/free-port.ts';
import { type Cluster, cluster, type ServerProcess } from '../testing/processes.ts';
import { seedSource } from '../testing/seeded-source.ts';
import { icinga2 } from '../testing/senders/icinga2.ts';
import { nagios } from '../testing/senders/nagios.ts';
import type { RealSender } from '../testing/senders/sender.ts';
import { zabbix } from '../testing/senders/zabbix.ts';
import { webhookPeople } from '../testing/story.ts';

const SENDERS: Record<string, (url: string) => Promise<RealSender>> = { icinga2, nagios, zabbix };

describe('real monitoring systems', { concurrency: true, timeout: 600_000 }, () => {
  for (const [type, start] of Object.entries(SENDERS))
    describe(`a real ${type} that pages`, { concurrency: false }, () => {
      let receiver: WebhookReceiver;
      let t: Cluster;
      let port: number;
      let server: ServerProcess;
      let sender: RealSender | undefined;
      let titles: readonly string[] = [];

      before(async () => {
        receiver = await webhookReceiver();
        t = await cluster({
          people: webhookPeople(receiver, 'ada'),
          teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']] }] } },
        });
        port = await freePort();
        server = await t.start({ port });
        const { path } = await seedSource(t, t.acme, { team: 'sre', name: type, type });
        sender = await start(server.url + path);
        titles = sender.titles;
      });
      after(async () => {
        await sender?.stop();
        await t?.stop();
        await receiver?.stop();
      });

      const pages = () =>
        t.db.selectFrom('pages').select(['id', 'title', 'state', 'acknowledged_as']).orderBy('id').execute();
      /** The states of all pages of each problem, oldest first. */
      const states = async () => {
        const all = await pages();
        return titles.map((title) => all.filter((page) => page.title === title).map(({ state }) => state));
      };
      const calls = () =>
        t.db.selectFrom('received_notifications').select(['state', 'received_at', 'processed_at']).execute();
      /** Calls that wait or failed. A repeat that arrives after its problem has ended is rightly ignored. */
      const unfinished = async () =>
        (await calls()).filter(({ state }) => state !== 'success' && state !== 'ignored');
      /** How often the sender has repeated each problem. */
      async function repeats(): Promise<number[]> {
        const lines = await t.db
          .selectFrom('page_events as e')
          .innerJoin('pages as p', 'p.id', 'e.page_id')
          .select(['p.title', sql<number>`(e.data ->> 'count')::integer`.as('count')])
          .where('e.kind', '=', 'repeated')
          .execute();
        const counts = (wanted: string) =>
          lines.filter(({ title }) => title === wanted).map(({ count }) => count);
        return titles.map((title) => counts(title).reduce((sum, count) => sum + count, 0));
      }
      /** Waits until it has repeated both problems twice more; one repeat may already have been on its way. */
      async function repeatedAgain(): Promise<void> {
        const before = await repeats();
        const isSo = async () => (await repeats()).every((count, thing) => count >= (before[thing] ?? 0) + 2);
        await eventually(isSo, true);
      }
      /** The longest time from the receipt of a call to the change of its page, in milliseconds. */
      async function slowest(): Promise<number> {
        const times = (await calls()).map(({ received_at: from, processed_at: until }) =>
          until ? from.until(until).total('milliseconds') : 0,
        );
        return Math.round(Math.max(...times));
      }
      /** How many notifications have arrived about the pages of each problem. */
      const notified = () =>
        titles.map((title) => receiver.received.filter(({ body }) => body.title === title).length);
      /**
       * Waits until these numbers have arrived and Tocsin has recorded them, so that it has no reason to repeat them.
       */
      async function hasNotified(...expected: [number, number]): Promise<void> {
        const sent = () =>
          t.db.selectFrom('deliveries').select('id').where('state', '=', 'accepted').execute();
        await eventually(async () => (await sent()).length, expected[0] + expected[1]);
        assert.deepEqual(notified(), expected);
      }

      it('pages once for each problem, however often it repeats, and resolves the pages', async (test) => {
        assert.ok(sender);
        await sender.begin(0);
        await sender.begin(1);
        await eventually(states, [['notifying'], ['notifying']]);
        await hasNotified(1, 1);
        await repeatedAgain();
        await server.end('SIGKILL');
        server = await t.start({ port });
        await repeatedAgain();
        await sender.die();
        await repeatedAgain();
        await sender.acknowledge(0);
        await eventually(states, [['acknowledged'], ['notifying']]);
        const acknowledged = (await pages()).find(({ state }) => state === 'acknowledged');
        assert.match(acknowledged?.acknowledged_as ?? '', /\bada\b/);
        await sender.end(0);
        await sender.end(1);
        await eventually(states, [['resolved'], ['resolved']]);
        assert.deepEqual(notified(), [1, 1]);
        test.diagnostic(`A call of ${type} took effect after ${await slowest()} ms at most.`);
      });

      it('pages about a problem that begins, and resolves one that ends, while Tocsin is down', async () => {
        assert.ok(sender);
        await server.end('SIGKILL');
        await sender.begin(0);
        server = await t.start({ port });
        await eventually(states, [['resolved', 'notifying'], ['resolved']]);
        await hasNotified(2, 1);
        await server.end('SIGKILL');
        await sender.end(0);
        server = await t.start({ port });
        await eventually(states, [['resolved', 'resolved'], ['resolved']]);
        // The sender repeats calls; one that arrived after the call that resolved the page may still be queued.
        await eventually(unfinished, []);
        assert.deepEqual(notified(), [2, 1]);
      });
    });
});
