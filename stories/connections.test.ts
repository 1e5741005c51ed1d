/** Counts the connections of a real process from outside while requests of all kinds flood it. */
import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { Client } from 'pg';
import { FEWEST_CONNECTIONS } from '../src/db/budget.ts';
import { eventually } from '../testing/eventually.ts';
import { type WebhookReceiver, webhookReceiver } from '../testing/fakes/webhook-receiver.ts';
import { type Cluster, cluster, type ServerProcess } from '../testing/processes.ts';
import { seedSource } from '../testing/seeded-source.ts';
import { webhookPeople } from '../testing/story.ts';

const CLIENTS = 40;
/** Requests per client. */
const TIMES = 15;

let receiver: WebhookReceiver;
let t: Cluster;
let server: ServerProcess;
let operator: Client;
let source: { path: string };
const dataDir = mkdtempSync(join(tmpdir(), 'tocsin-connections-'));

before(async () => {
  receiver = await webhookReceiver();
  t = await cluster({
    people: webhookPeople(receiver, 'ada', 'grace'),
    teams: { sre: { members: ['grace'], schedules: [{ stages: [['grace']] }] } },
  });
  source = await seedSource(t, t.acme, { team: 'sre', name: 'alerts' });
  operator = new Client({ connectionString: t.database.url, application_name: 'operator' });
  await operator.connect();
  server = await t.start({ role: 'all', env: { DATA_DIR: dataDir, LIFEBOAT: 'on' } });
});
after(async () => {
  await operator?.end();
  await t?.stop();
  await receiver?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

type Counted = { most: number; by: Record<string, number>; counts: number };

/** Counts the connections of the process repeatedly until `work` is done. */
async function countDuring(work: Promise<unknown>): Promise<Counted> {
  let over = false;
  const ended = work.finally(() => {
    over = true;
  });
  const counted: Counted = { most: 0, by: {}, counts: 0 };
  while (!over) {
    const { rows } = await operator.query<{ name: string; n: number }>(
      `select application_name as name, count(*)::int as n from pg_stat_activity
       where datname = current_database() and application_name like 'tocsin%' group by 1`,
    );
    const all = rows.reduce((sum, { n }) => sum + n, 0);
    counted.most = Math.max(counted.most, all);
    for (const { name, n } of rows) counted.by[name] = Math.max(counted.by[name] ?? 0, n);
    counted.counts++;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await ended;
  return counted;
}

async function send(path: string, body?: object): Promise<number> {
  const answer = await fetch(server.url + path, {
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    headers: { authorization: `Bearer ${t.acme.key}`, 'content-type': 'application/json' },
  });
  await answer.arrayBuffer();
  return answer.status;
}

function page(person: string, title: string): Promise<number> {
  const recipient = `${person}@example.com`;
  return send('/page/person', { recipient, title, text: 'x', urgency: 'low' });
}

async function clients(work: (time: number, client: number) => Promise<number>): Promise<Set<number>> {
  const statuses = new Set<number>();
  const one = async (client: number) => {
    for (let time = 0; time < TIMES; time++) statuses.add(await work(time, client));
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => one(client)));
  return statuses;
}

it(`a process with all roles and a lifeboat has at most ${FEWEST_CONNECTIONS}`, {
  timeout: 600_000,
}, async () => {
  const statuses = Promise.all([
    clients((time, client) => page('ada', `page ${client} ${time}`)),
    clients((time, client) => send(source.path, { title: 'Disk full', dedup_key: `${client} ${time % 3}` })),
    clients((time) => send(time % 2 === 0 ? '/api/pages' : '/api/moments')),
  ]);
  const counted = await countDuring(statuses);
  assert.deepEqual(await statuses, [new Set([200]), new Set([200]), new Set([200])]);
  assert.ok(counted.most <= FEWEST_CONNECTIONS, JSON.stringify(counted));
  // All connections for requests and pages were open, so this really was a flood.
  const { by } = counted;
  assert.deepEqual([by['tocsin paging'], by['tocsin api'], by['tocsin node']], [5, 3, 1], JSON.stringify(by));
  assert.ok(counted.counts > 10, JSON.stringify(counted));
  const titles = Array.from(
    { length: CLIENTS * TIMES },
    (_, n) => `page ${n % CLIENTS} ${Math.floor(n / CLIENTS)}`,
  );
  await eventually(async () => {
    const arrived = new Set(receiver.received.map(({ body }) => body.title));
    return titles.filter((title) => !arrived.has(title)).length;
  }, 0);
});

it('pages are accepted, sent and acknowledged while others use every connection for requests', {
  timeout: 600_000,
}, async () => {
  await operator.query('begin; lock table calendar_feeds in access exclusive mode');
  let over = false;
  const refused: number[] = [];
  const lists = Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (!over) refused.push(await send('/api/calendars'));
    }),
  );
  const waiting = async () => {
    const { rows } = await operator.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'tocsin api'
         and datname = current_database()`,
    );
    return rows[0]?.n;
  };
  try {
    await eventually(waiting, 3);
    for (let number = 0; number < 5; number++) {
      const title = `in the crowd ${number}`;
      assert.equal(await page('grace', title), 200);
      const { body } = await receiver.expect((one) => one.body.title === title);
      const acknowledged = await fetch(body.acknowledge_url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      });
      assert.equal(acknowledged.status, 200, await acknowledged.text());
      assert.equal(await waiting(), 3, 'nobody else could use the connections for requests');
    }
  } finally {
    over = true;
    await operator.query('rollback');
    await lists;
  }
  assert.deepEqual(
    [...new Set(refused)].filter((status) => ![200, 503].includes(status)),
    [],
  );
});
