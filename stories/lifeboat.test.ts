import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../testing/eventually.ts';
import { type WebhookReceiver, webhookReceiver } from '../testing/fakes/webhook-receiver.ts';
import { type Cluster, cluster, type ServerProcess } from '../testing/processes.ts';
import { type Replicas, replicas } from '../testing/replicas.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { webhookPeople } from '../testing/story.ts';

type Answer = { status: number; body: { service_request_id: string; warnings?: string[] } };

/** A real PostgreSQL that is killed and started again, and nodes that take pages in their lifeboats meanwhile. */
describe('a lifeboat', { timeout: 600_000 }, () => {
  let pair: Replicas;
  let receiver: WebhookReceiver;
  let t: Cluster;
  let one: ServerProcess;
  let two: ServerProcess;
  let ada: SignedIn;
  const dataDir = mkdtempSync(join(tmpdir(), 'tocsin-lifeboat-'));
  const env = {
    DATA_DIR: dataDir,
    SECRET_KEY: randomBytes(32).toString('base64'),
    LIFEBOAT: 'on',
    LIFEBOAT_AFTER_SECONDS: '2',
    LOG_LEVEL: process.env.LIFEBOAT_LOG ?? 'error',
  };

  async function page(
    to: { url: string },
    kind: 'team' | 'person',
    body: Record<string, unknown>,
    key?: string,
  ): Promise<Answer> {
    const response = await fetch(`${to.url}/page/${kind}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${t.acme.key}`,
        'content-type': 'application/json',
        ...(key ? { 'idempotency-key': key } : {}),
      },
      body: JSON.stringify({ text: 'db-1', ...body }),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }

  /** Pages until it is accepted, as senders do. */
  async function accepted(...args: Parameters<typeof page>): Promise<Answer['body']> {
    for (;;) {
      const answer = await page(...args).catch(() => null);
      if (answer?.status === 200) return answer.body;
      assert.ok(answer === null || answer.status === 503, JSON.stringify(answer));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  const arrival = (title: string, person: string) =>
    receiver.expect(({ path, body }) => body.title === title && path === `/${person}`, 60_000);
  const rows = <Row>(text: string) => pair.first.query(text) as Promise<Row[]>;
  const copies = async () =>
    Number((await rows<{ n: number }>('select count(copied_at)::int as n from lifeboats'))[0]?.n);
  const titles = async () =>
    (await rows<{ title: string }>('select title from pages order by title')).map(({ title }) => title);
  const timeline = async (id: string) =>
    (await ada.call('GET', `/api/pages/${id}`)).body as {
      page: { state: string; title: string };
      timeline: { at: string; kind: string; [field: string]: unknown }[];
    };

  before(async () => {
    [pair, receiver] = await Promise.all([replicas(), webhookReceiver()]);
    t = await cluster(
      {
        people: webhookPeople(receiver, 'ada', 'grace'),
        teams: {
          sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']], delay: 0.1 }] },
        },
      },
      env,
      { database: { url: pair.first.url, drop: async () => undefined } },
    );
    receiver.secret = t.acme.webhookSecret;
    [one, two] = await Promise.all([t.start({}), t.start({})]);
    ada = await signIn({ ...t, url: one.url }, 'ada');
    await eventually(copies, 2);
  });
  after(async () => {
    await t?.stop();
    await receiver?.stop();
    await pair?.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('takes a page, says so, notifies with a mark, and escalates', async () => {
    await pair.first.stop('kill');
    const { warnings } = await accepted(one, 'team', { recipient: 'sre', title: 'Disk full' });
    assert.match(
      warnings?.join() ?? '',
      /^The database is away: the lifeboat of .+ took this page, with people and schedules as of 20\d\d-/,
    );
    await arrival('[stand-by] Disk full', 'ada');
    await arrival('[stand-by] Disk full', 'grace');
    assert.equal((await fetch(`${one.url}/readyz`)).status, 200);
  });

  it('refuses everything else as before', async () => {
    const key = { authorization: `Bearer ${t.acme.key}`, 'content-type': 'application/json' };
    const post = async (path: string) =>
      (await fetch(one.url + path, { method: 'POST', headers: key, body: '{}' })).status;
    assert.equal(await post('/page/acknowledge'), 503);
    assert.equal(await post('/moment/x'), 503);
    assert.equal((await fetch(`${one.url}/api/pages`, { headers: { cookie: ada.cookie } })).status, 503);
    assert.equal((await page(one, 'team', { recipient: 'nobody', title: 'x' })).status, 400);
    const unknown = await fetch(`${one.url}/page/team`, {
      method: 'POST',
      headers: { ...key, authorization: 'Bearer wrong' },
      body: '{}',
    });
    assert.equal(unknown.status, 401);
  });

  it('acknowledges through the link of its message, and answers a repeated key with the first answer', async () => {
    const first = await accepted(one, 'person', { recipient: 'ada@example.com', title: 'Key' }, 'once');
    const again = await accepted(one, 'person', { recipient: 'ada@example.com', title: 'Key' }, 'once');
    assert.equal(again.service_request_id, first.service_request_id);
    const { body } = await arrival('[stand-by] Key', 'ada');
    const path = new URL(body.acknowledge_url).pathname;
    const answer = await fetch(one.url + path, { method: 'POST', headers: { accept: 'application/json' } });
    assert.equal(answer.status, 200);
    assert.equal(((await answer.json()) as { response: { state: string } }).response.state, 'acknowledged');
  });

  it('goes on after a kill, without the database', async () => {
    await accepted(one, 'team', { recipient: 'sre', title: 'Killed' });
    await arrival('[stand-by] Killed', 'ada');
    const port = Number(new URL(one.url).port);
    await one.end('SIGKILL');
    one = await t.start({ port });
    await arrival('[stand-by] Killed', 'grace');
  });

  it('brings everything to the main database: one page for each, with a true timeline', async () => {
    // The other node takes the same request, as when a sender repeats it there.
    await accepted(two, 'person', { recipient: 'ada@example.com', title: 'Twice' }, 'twice');
    await accepted(one, 'person', { recipient: 'ada@example.com', title: 'Twice' }, 'twice');
    await pair.first.start();
    await eventually(titles, ['Disk full', 'Key', 'Killed', 'Twice', 'Twice']);
    const pages = await rows<{ id: string; title: string; state: string }>(
      'select id, title, state from pages',
    );
    const key = pages.find(({ title }) => title === 'Key');
    const told = await timeline(key?.id ?? '');
    assert.equal(told.page.state, 'acknowledged');
    assert.deepEqual(
      told.timeline.map(({ kind }) => kind).filter((kind) => kind !== 'attempt'),
      ['raised', 'stand_by', 'notified', 'acknowledged'],
    );
    const twice = pages.filter(({ title }) => title === 'Twice').map(({ state }) => state);
    assert.deepEqual(twice.sort(), ['notifying', 'resolved']);
    const open = await rows<{ status: string }>(`select status from requests where status <> 'succeeded'`);
    assert.deepEqual(open, []);
  });
});
