import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { postmasterOf } from '../testing/embedded.ts';
import { eventually } from '../testing/eventually.ts';
import { type FakeSmtp, fakeSmtp } from '../testing/fakes/fake-smtp.ts';
import { type WebhookReceiver, webhookReceiver } from '../testing/fakes/webhook-receiver.ts';
import { type Cluster, cluster, type ServerProcess } from '../testing/processes.ts';
import { type Replicas, replicas } from '../testing/replicas.ts';
import { type SeededSource, seedSource } from '../testing/seeded-source.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { webhookPeople } from '../testing/story.ts';

type Answer = { status: number; body: { service_request_id: string; warnings?: string[] } };

/** A real PostgreSQL is killed and started again; meanwhile, nodes take pages in their lifeboats. */
describe('a lifeboat', { timeout: 600_000 }, () => {
  let pair: Replicas;
  let receiver: WebhookReceiver;
  let smtp: FakeSmtp;
  let t: Cluster;
  let one: ServerProcess;
  let two: ServerProcess;
  let ada: SignedIn;
  let alerts: SeededSource;
  let pagerduty: SeededSource;
  /** Alerts of the source page after being open for a minute, some of them for an hour. */
  let patient: SeededSource;
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

  /** Repeats the page until it is accepted, as senders do. */
  async function accepted(...args: Parameters<typeof page>): Promise<Answer['body']> {
    for (;;) {
      const answer = await page(...args).catch(() => null);
      if (answer?.status === 200) return answer.body;
      assert.ok(answer === null || answer.status === 503, JSON.stringify(answer));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Repeats the event until it is accepted, as senders do. */
  async function sent(
    to: { url: string },
    path: string,
    body: Record<string, unknown>,
    headers: Record<string, string> = {},
  ): Promise<Record<string, unknown>> {
    for (;;) {
      const response = await fetch(to.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }).catch(() => null);
      const answer = (await response?.json().catch(() => null)) as Record<string, unknown>;
      if (response && [200, 202].includes(response.status)) return answer;
      assert.ok(response === null || response.status === 503, JSON.stringify(answer));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  const event = (to: { url: string }, body: Record<string, unknown>, of = alerts) => sent(to, of.path, body);
  const enqueue = (to: { url: string }, action: string, key: string) =>
    sent(to, '/v2/enqueue', {
      ...{ routing_key: pagerduty.key, event_action: action, dedup_key: key },
      payload: { summary: `PagerDuty ${key}`, source: 'db-1', severity: 'critical' },
    });
  const answered = (to: { url: string }, action: 'acknowledge' | 'resolve', key: string) =>
    sent(
      to,
      `/page/${action}`,
      { recipient: 'ops', dedup_key: key },
      { authorization: `Bearer ${t.acme.key}` },
    );
  const arrivals = (title: string, person: string) =>
    receiver.received.filter(({ path, body }) => body.title === title && path === `/${person}`).length;

  const arrival = (title: string, person: string) =>
    receiver.expect(({ path, body }) => body.title === title && path === `/${person}`, 60_000);
  const rows = <Row>(text: string) => pair.first.query(text) as Promise<Row[]>;
  const copies = async () =>
    Number((await rows<{ n: number }>('select count(copied_at)::int as n from lifeboats'))[0]?.n);
  const titles = async () =>
    (await rows<{ title: string }>('select title from pages where dedup_key is null order by title')).map(
      ({ title }) => title,
    );
  /** The state of the page of each dedup key, without pages that ended as duplicates. */
  const keyed = async () =>
    (
      await rows<{ state: string }>(`
        select dedup_key || ' ' || state as state from pages p where dedup_key is not null and not exists (
          select from page_events e where e.page_id = p.id and e.kind = 'duplicate' and e.data @> '{"kept": false}')
        order by dedup_key collate "C", id`)
    ).map(({ state }) => state);
  const timeline = async (id: string) =>
    (await ada.call('GET', `/api/pages/${id}`)).body as {
      page: { state: string; title: string };
      timeline: { at: string; kind: string; [field: string]: unknown }[];
    };

  before(async () => {
    [pair, receiver, smtp] = await Promise.all([replicas(), webhookReceiver(), fakeSmtp()]);
    t = await cluster(
      {
        people: {
          ...webhookPeople(receiver, 'ada', 'grace'),
          alan: { methods: [{ type: 'email', value: 'alan@example.com' }] },
        },
        teams: {
          sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']], delay: 0.1 }] },
          // Long enough that no page expires before it is answered.
          ops: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']], delay: 0.4 }] },
        },
      },
      env,
      { database: { url: pair.first.url, drop: async () => undefined } },
    );
    receiver.secret = t.acme.webhookSecret;
    // The first start creates the installation, which keys of sources need.
    const first = await t.start({ env: { LIFEBOAT: 'off' } });
    alerts = await seedSource(t, t.acme, { team: 'ops', name: 'Alerts' });
    pagerduty = await seedSource(t, t.acme, { team: 'ops', name: 'PagerDuty', type: 'pagerduty-events' });
    patient = await seedSource(t, t.acme, {
      ...{ team: 'ops', name: 'Patient' },
      settings: { wait_minutes: 1, rules: [{ match: ['severity=info'], then: { wait_minutes: 60 } }] },
    });
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'ada').execute();
    await setUpMail({ ...t, url: first.url });
    await first.end('SIGTERM');
    [one, two] = await Promise.all([t.start({}), t.start({})]);
    ada = await signIn({ ...t, url: one.url }, 'ada');
    await eventually(copies, 2);
  });
  after(async () => {
    await t?.stop();
    await Promise.all([receiver?.stop(), smtp?.stop()]);
    await pair?.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function setUpMail(place: Parameters<typeof signIn>[0]): Promise<void> {
    const owner = await signIn(place, 'ada');
    const { hostname: host, port, username: user } = new URL(smtp.url);
    const { status } = await owner.call('PUT', '/api/providers/smtp', {
      values: {
        ...{ host, port, user, encryption: 'if_offered' },
        ...{ password: 'correct horse', from: smtp.settings.from },
      },
    });
    assert.equal(status, 200);
  }

  /** Events that wait when the database is killed. When this resolves, one lifeboat has read each of them. */
  async function untilWaiting(): Promise<void> {
    const began = Temporal.Now.instant().subtract({ seconds: 15 }).toString();
    for (const [key, severity] of [
      ['slow', 'error'],
      ['ended', 'error'],
      ['much later', 'info'],
    ])
      await event(one, { title: `Patient ${key}`, dedup_key: key, severity, occurred_at: began }, patient);
    const [time] = await eventuallyFound<{ at: string }>(
      'select now()::text as at where (select count(lifeboat) from waiting_pages) = 3',
    );
    // A lifeboat records that it was seen once it has read what it took over.
    await eventuallyFound(`
      select where not exists (select from waiting_pages w join lifeboats b on b.id = w.lifeboat where b.seen_at <= '${time?.at}')`);
  }
  async function eventuallyFound<Row>(text: string): Promise<Row[]> {
    let found: Row[] = [];
    await eventually(async () => {
      found = await rows<Row>(text);
      return found.length > 0;
    }, true);
    return found;
  }

  it('accepts a page with a warning, notifies with a mark, and escalates', async () => {
    for (const [at, key] of [
      [one, 'before'],
      [two, 'elsewhere'],
    ] as const) {
      await event(at, { title: `Alert ${key}`, dedup_key: key, urgency: 'high' });
      await arrival(`Alert ${key}`, 'ada');
    }
    for (const key of ['flapping', 'flapping, acknowledged']) {
      await event(one, { title: `Alert ${key}`, dedup_key: key, urgency: 'high' });
      await arrival(`Alert ${key}`, 'ada');
    }
    await event(one, { action: 'acknowledge', dedup_key: 'flapping, acknowledged' });
    await eventuallyFound("select where exists (select from pages where state = 'acknowledged')");
    await untilWaiting();
    await pair.first.stop('kill');
    const { warnings } = await accepted(one, 'team', { recipient: 'sre', title: 'Disk full' });
    assert.match(
      warnings?.join() ?? '',
      /^The database is away: the lifeboat of .+ accepted this request, with people and schedules as of 20\d\d-/,
    );
    await arrival('[stand-by] Disk full', 'ada');
    await arrival('[stand-by] Disk full', 'grace');
    assert.equal((await fetch(`${one.url}/readyz`)).status, 200);
  });

  it('sends email through the mail server that was set up in the dashboard', async () => {
    await accepted(one, 'person', { recipient: 'alan@example.com', title: 'By email' });
    const { headers, envelope } = await smtp.messages.next();
    assert.match(headers.subject ?? '', /\[stand-by\] By email/);
    assert.deepEqual(envelope.to, ['alan@example.com']);
  });

  it('refuses everything else as before', async () => {
    const key = { authorization: `Bearer ${t.acme.key}`, 'content-type': 'application/json' };
    const refusal = async (path: string) => {
      const response = await fetch(one.url + path, { method: 'POST', headers: key, body: '{}' });
      const { details } = (await response.json()) as { details: { message: string }[] };
      return `${response.status} ${details[0]?.message}`;
    };
    for (const path of ['/moment/x', `/heartbeat/${alerts.token}`])
      assert.match(
        await refusal(path),
        /^503 service cannot reach its database at the moment; a lifeboat accepts pages, .+ but not this request; /,
        path,
      );
    assert.equal((await fetch(`${one.url}/api/pages`, { headers: { cookie: ada.cookie } })).status, 503);
    assert.equal((await page(one, 'team', { recipient: 'nobody', title: 'x' })).status, 400);
    const statusOf = async (path: string, headers = {}) => {
      const response = await fetch(one.url + path, {
        method: 'POST',
        headers: { ...key, ...headers },
        body: '{}',
      });
      return response.status;
    };
    assert.equal(await statusOf('/page/team', { authorization: 'Bearer wrong' }), 401);
    assert.equal(await statusOf('/page/wrong'), 404);
  });

  it('lets senders retry if their key or source may be newer than its copy', async () => {
    const [token, key] = [
      randomBytes(32).toString('base64url'),
      `tocsin_${randomBytes(24).toString('base64url')}`,
    ];
    for (const [path, headers, body] of [
      [`/page/${token}`, {}, { title: 'x' }],
      ['/page/team', { authorization: `Bearer ${key}` }, { recipient: 'ops', title: 'x', text: 'x' }],
      ['/v2/enqueue', {}, { routing_key: randomBytes(16).toString('hex'), event_action: 'trigger' }],
      ['/v2/alerts', { authorization: `GenieKey ${randomUUID()}` }, { message: 'x' }],
    ] as const) {
      const response = await fetch(one.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      assert.equal(response.status, 503, path);
      assert.match(await response.text(), /send the request again/, path);
    }
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

  it('accepts events of page sources: one page for each dedup key, which they acknowledge and resolve', async () => {
    const { warnings } = await event(one, { title: 'Alert disk', dedup_key: 'disk', urgency: 'high' });
    assert.match(String(warnings), /^The database is away: the lifeboat of /);
    await arrival('[stand-by] Alert disk', 'ada');
    await event(one, { title: 'Alert disk', dedup_key: 'disk', urgency: 'high' });
    await event(one, { action: 'resolve', dedup_key: 'disk' });
    await enqueue(one, 'trigger', 'cpu');
    await arrival('[stand-by] PagerDuty cpu', 'ada');
    await enqueue(one, 'acknowledge', 'cpu');
    assert.equal(arrivals('[stand-by] Alert disk', 'ada'), 1);
  });

  it('acknowledges and resolves by the dedup key of a program', async () => {
    for (const key of ['acked', 'over']) {
      await accepted(one, 'team', { recipient: 'ops', title: `Program ${key}`, dedup_key: key });
      await arrival(`[stand-by] Program ${key}`, 'ada');
    }
    const { warnings } = await answered(one, 'acknowledge', 'acked');
    assert.match(String(warnings), /^The database is away/);
    await answered(one, 'resolve', 'over');
  });

  it('escalates pages that a source had raised before, and resolves them, even those that only another node knows', async () => {
    await arrival('[stand-by] Alert before', 'grace');
    await event(one, { action: 'resolve', dedup_key: 'before' });
    await event(one, { action: 'resolve', dedup_key: 'elsewhere' });
    // A sender that repeats its call at another node.
    for (const to of [one, two]) await event(to, { title: 'Alert both', dedup_key: 'both', urgency: 'high' });
    await event(one, { action: 'acknowledge', dedup_key: 'both' });
  });

  it('pages again if an alert from before the outage is resolved and comes back', async () => {
    for (const key of ['flapping', 'flapping, acknowledged']) {
      await event(one, { action: 'resolve', dedup_key: key });
      await event(one, { title: `Back: ${key}`, dedup_key: key, urgency: 'high' });
      await arrival(`[stand-by] Back: ${key}`, 'ada');
    }
  });

  it('pages once for waiting pages of the main database when they are due, unless they were resolved', async () => {
    // Its sender cannot know which node has it.
    for (const to of [one, two]) await event(to, { action: 'resolve', dedup_key: 'ended' }, patient);
    const { body } = await arrival('[stand-by] Patient slow', 'ada');
    assert.equal(body.repeat, false);
    for (const to of [one, two]) await event(to, { action: 'acknowledge', dedup_key: 'slow' }, patient);
  });

  it('continues after a kill, without the database', async () => {
    await accepted(one, 'team', { recipient: 'sre', title: 'Killed' });
    await arrival('[stand-by] Killed', 'ada');
    const port = Number(new URL(one.url).port);
    await one.end('SIGKILL');
    one = await t.start({ port });
    await arrival('[stand-by] Killed', 'grace');
  });

  it('lands everything in the main database: one page for each, with a complete timeline', async () => {
    // The other node takes the same request, as when a sender repeats it there.
    await accepted(two, 'person', { recipient: 'ada@example.com', title: 'Twice' }, 'twice');
    await accepted(one, 'person', { recipient: 'ada@example.com', title: 'Twice' }, 'twice');
    await pair.first.start();
    await eventually(titles, ['By email', 'Disk full', 'Key', 'Killed', 'Twice', 'Twice']);
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
    await eventually(keyed, [
      'acked acknowledged',
      'before resolved',
      'both acknowledged',
      'cpu acknowledged',
      'disk resolved',
      'elsewhere resolved',
      'flapping resolved',
      'flapping notifying',
      'flapping, acknowledged resolved',
      'flapping, acknowledged notifying',
      'over resolved',
      'slow acknowledged',
    ]);
    const [repeated] = await rows<{ count: number }>(`
      select (data->>'count')::int as count from page_events e join pages p on p.id = e.page_id
      where p.dedup_key = 'disk' and e.kind = 'repeated'`);
    assert.equal(repeated?.count, 1);
    await eventuallyFound(
      "select where not exists (select from received_notifications where state = 'queued')",
    );
    const moments = await rows<{ name: string }>(`
      select m.dedup_key || ' ' || m.state || ' ' || case when count(l.page_id) > 0 then 'linked' else 'alone' end as name from moments m
      left join moment_pages l on l.moment_id = m.id where m.dedup_key in ('disk', 'before', 'cpu')
      group by m.id order by 1`);
    assert.deepEqual(
      moments.map(({ name }) => name),
      ['before resolved linked', 'cpu acknowledged linked', 'disk resolved linked'],
    );
    assert.deepEqual(
      receiver.received.flatMap(({ body: { title = '' } }) => (/Patient/.test(title) ? [title] : [])),
      ['[stand-by] Patient slow'],
    );
    assert.deepEqual(await rows('select dedup_key from waiting_pages'), [{ dedup_key: 'much later' }]);
    const outcomes = await rows<{ action: string }>(`
      select r.action from request_pages r join pages p on p.id = r.page_id where p.dedup_key = 'slow' order by r.request_id`);
    assert.deepEqual(
      outcomes.map(({ action }) => action),
      ['raised', 'acknowledged'],
    );
    const open = await rows<{ status: string }>(`select status from requests where status <> 'succeeded'`);
    assert.deepEqual(open, []);
  });

  it('leaves no PostgreSQL running: the next start stops those of killed lifeboats', async () => {
    await Promise.all([one, two].map((node) => node.end('SIGKILL')));
    const places = ['lifeboat', 'lifeboat-2'].map((name) => join(dataDir, name));
    assert.ok(places.every((place) => postmasterOf(place) !== undefined));
    one = await t.start({ env: { LIFEBOAT: 'off' } });
    assert.deepEqual(places.map(postmasterOf), [undefined, undefined]);
  });
});
