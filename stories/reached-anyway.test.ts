import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../testing/eventually.ts';
import { type FakeTwilio, fakeTwilio } from '../testing/fakes/fake-twilio.ts';
import { freePort } from '../testing/free-port.ts';
import { pageSource } from '../testing/page-source.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/** Twilio's answer to a number that does not exist. */
const NO_NUMBER = { status: 400, body: JSON.stringify({ code: 21211, message: 'The number is not valid' }) };

/** Pages whose usual way leads to nobody still notify somebody. */

describe('a page that a rule of its source sends to nobody', () => {
  let t: Story;

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: { ...webhookPeople(receiver, 'ada', 'grace', 'edsger'), linus: {} },
        teams: {
          sre: { members: ['ada'], schedules: [{ stages: [['ada']] }] },
          // Its only stage has people of another team.
          web: { members: ['linus'], schedules: [{ stages: [['grace']] }] },
        },
      }),
    });
    await t.db.updateTable('users').set({ role: 'admin' }).where('username', '=', 'ada').execute();
  });
  afterEach(async () => {
    await t.resolveAcknowledged();
    t.receiver.inbox.takeAll();
  });
  after(() => t.end());

  const rule = (then: object) => ({ rules: [{ match: ['severity=critical'], then }] });

  it('is given to the team of the source if the person cannot be reached', async () => {
    const source = await pageSource(t, rule({ person: 'linus@example.com', urgency: 'high' }));
    const [page] = await source.post({ title: 'Disk full', severity: 'critical', dedup_key: 'a' });
    const [webhook] = await t.notified('ada');
    assert.equal(webhook?.body.page_id, page?.id);
    const read = (await t.get(`/api/pages/${page?.id}`)).body as {
      page: { team: { slug: string }; state: string };
    };
    assert.deepEqual([read.page.state, read.page.team.slug], ['notifying', 'sre']);
    if (webhook) await t.acknowledge(webhook);
  });

  it('notifies the team of the source if the person does not answer', async () => {
    const source = await pageSource(t, rule({ person: 'grace@example.com', urgency: 'high' }));
    await source.post({ title: 'Disk full', severity: 'critical', dedup_key: 'b' });
    await t.notified('grace');
    await t.advance({ minutes: 6 });
    const [webhook] = await t.notified('ada');
    assert.equal(webhook?.body.type, 'page.expired');
  });

  it('is given to the team of the source if the person acknowledged it and then left', async () => {
    const source = await pageSource(t, rule({ person: 'edsger@example.com', urgency: 'high' }));
    const [page] = await source.post({ title: 'Disk full', severity: 'critical', dedup_key: 'c' });
    const [first] = await t.notified('edsger');
    assert.equal(first && (await t.acknowledge(first)).status, 200);
    const ada = await signIn(t, 'ada');
    assert.equal((await ada.call('POST', `/api/people/${t.acme.users.edsger}/disable`)).status, 200);
    await t.settle();
    const [webhook] = await t.notified('ada');
    assert.deepEqual([webhook?.body.page_id, webhook?.body.type], [page?.id, 'page.notification']);
    if (webhook) await t.acknowledge(webhook);
  });

  for (const urgency of ['low', 'medium', 'high'] as const)
    it(`begins with the lowest stage if the schedule has none of its number, at ${urgency} urgency`, async () => {
      const source = await pageSource(t, rule({ team: 'web', stage: 7, urgency }));
      await source.post({ title: 'Disk full', severity: 'critical', dedup_key: urgency });
      const [webhook] = await t.notified('grace');
      assert.ok(webhook);
      await t.acknowledge(webhook);
    });
});

describe('a page whose people are notified later than it lasts', () => {
  it('notifies them when it expires', async () => {
    const t = await story({
      organization: (receiver) => ({
        people: {
          ada: {
            methods: [{ type: 'webhook', value: `${receiver.url}ada` }],
            rules: { high: [{ after: 60, channels: ['webhook'] }] },
          },
        },
        teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']] }] } },
      }),
    });
    try {
      const request = await t.page('team', 'sre', { urgency: 'high' });
      for (let round = 0; round < 3; round++) await t.advance({ minutes: 5, seconds: 1 });
      const [webhook] = await t.notified('ada');
      assert.equal(webhook?.body.type, 'page.expired');
      assert.equal((await t.status(request)).page.state, 'expired');
    } finally {
      await t.end();
    }
  });
});

describe('a page that was escalated to a backstop who cannot be reached', () => {
  it('notifies those who are on call again in each round', async () => {
    const t = await story({
      organization: (receiver) => ({
        people: { ...webhookPeople(receiver, 'ada'), linus: {} },
        teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']], backstop: 'linus' }] } },
      }),
    });
    try {
      const request = await t.page('team', 'sre', { urgency: 'high' });
      const [webhook] = await t.notified('ada');
      if (webhook) await t.acknowledge(webhook);
      const { page } = await t.status(request);
      assert.equal((await t.post(`/api/pages/${page.id}/escalate`, {})).status, 200);
      for (const round of [2, 3]) {
        const [again] = await t.notified('ada');
        assert.deepEqual([again?.body.round, again?.body.type], [round, 'page.notification']);
        await t.advance({ minutes: 5, seconds: 1 });
      }
      const last = await t.notified('ada');
      assert.equal(last[0]?.body.round, 4);
    } finally {
      t.receiver.inbox.takeAll();
      await t.end();
    }
  });
});

describe('a page that goes to the backstop because nobody is on call', () => {
  for (const urgency of ['low', 'medium', 'high'] as const)
    it(`notifies the other members at once if the backstop cannot be reached, at ${urgency} urgency`, async () => {
      const t = await story({
        organization: (receiver) => ({
          people: webhookPeople(receiver, 'ada', 'grace'),
          teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [[]], backstop: 'ada' }] } },
        }),
      });
      try {
        t.receiver.script({ status: 410 });
        const request = await t.page('team', 'sre', { urgency });
        const [, , webhook] = await t.notified('ada', 'ada', 'grace');
        assert.ok(webhook);
        const { page } = await t.status(request);
        assert.equal(page.state, 'notifying');
        const { timeline } = (await (await signIn(t, 'grace')).call('GET', `/api/pages/${page.id}`)).body;
        const notified = (timeline as { kind: string; as?: string; person?: { name: string } }[])
          .filter(({ kind }) => kind === 'notified')
          .map(({ as, person }) => `${as} ${person?.name}`);
        assert.deepEqual(notified, ['backstop Ada', 'members Ada', 'members Grace']);
        await t.acknowledge(webhook);
      } finally {
        t.receiver.inbox.takeAll();
        await t.end();
      }
    });
});

describe('a page whose urgency rises while nobody of its round can be reached', () => {
  it('notifies its people again by the rules of the new urgency', async () => {
    const t = await story({
      organization: (receiver) => ({ people: webhookPeople(receiver, 'ada'), teams: {} }),
    });
    try {
      const about = { title: 'Disk full', dedup_key: 'disk' };
      const request = await t.page('person', 'ada@example.com', { ...about, urgency: 'low' });
      const [webhook] = await t.notified('ada');
      assert.ok(webhook);
      await t.acknowledge(webhook);
      const { page } = await t.status(request);
      t.receiver.script({ status: 410 });
      assert.equal((await t.post(`/api/pages/${page.id}/unacknowledge`, {})).status, 200);
      await t.notified('ada');
      assert.equal((await t.status(request)).page.state, 'notifying', 'she was reached in the round before');
      await t.page('person', 'ada@example.com', { ...about, urgency: 'high' });
      const [again] = await t.notified('ada');
      assert.deepEqual([again?.body.page_id, again?.body.urgency, again?.body.round], [page.id, 'high', 3]);
      if (again) await t.acknowledge(again);
    } finally {
      await t.end();
    }
  });
});

describe('a page that is acknowledged while the person whom it notified turns out to be unreachable', () => {
  it('notifies the other members at once when the acknowledgement is undone', async () => {
    const t = await story({
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada', 'grace'),
        teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada']] }] } },
      }),
    });
    try {
      const grace = await signIn(t, 'grace');
      t.receiver.script({ status: 410, delayMs: 1_500 });
      const accepted = await t.post('/page/team', {
        ...{ recipient: 'sre', title: 'Disk full', text: 'db-1 has no space left', urgency: 'low' },
      });
      await t.receiver.expect(({ path }) => path === '/ada');
      const { page } = await t.status(String(accepted.body.service_request_id));
      const answered = await grace.call('POST', `/api/pages/${page.id}/acknowledge`);
      assert.equal(answered.body.changed, true);
      await t.settle();
      const failed = await t.status(String(accepted.body.service_request_id));
      assert.deepEqual([failed.page.state, failed.page.deliveries[0]?.state], ['acknowledged', 'failed']);
      assert.equal((await grace.call('POST', `/api/pages/${page.id}/undo`)).status, 200);
      const [, webhook] = await t.notified('ada', 'grace');
      assert.equal(webhook?.body.page_id, page.id);
      if (webhook) await t.acknowledge(webhook);
    } finally {
      await t.end();
    }
  });
});

describe('a page to a person that was reassigned to somebody who is disabled', () => {
  it('leaves the person the usual time to answer', async () => {
    const t = await story({
      organization: (receiver) => ({ people: webhookPeople(receiver, 'ada', 'grace', 'joan'), teams: {} }),
    });
    try {
      await t.db.updateTable('users').set({ role: 'admin' }).where('username', '=', 'joan').execute();
      const joan = await signIn(t, 'joan');
      const request = await t.page('person', 'ada@example.com', { urgency: 'high' });
      const [webhook] = await t.notified('ada');
      const { page } = await t.status(request);
      await joan.call('POST', `/api/pages/${page.id}/reassign`, { users: [t.acme.users.grace] });
      await t.notified('grace');
      await joan.call('POST', `/api/people/${t.acme.users.grace}/disable`);
      await t.advance({ minutes: 1 });
      assert.equal((await t.status(request)).page.state, 'notifying');
      if (webhook) await t.acknowledge(webhook);
      assert.equal((await t.status(request)).page.state, 'acknowledged');
    } finally {
      t.receiver.inbox.takeAll();
      await t.end();
    }
  });
});

describe('a team with ten rounds of twelve minutes', () => {
  it('keeps their number and length even if only its last resort can be reached', async () => {
    const twilio = await fakeTwilio();
    const t = await story({
      env: twilio.env,
      organization: (receiver) => ({
        people: {
          ada: { methods: [{ type: 'phone', value: '+4915112345678' }] },
          ...webhookPeople(receiver, 'grace'),
        },
        teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada']], delay: 12 }] } },
      }),
    });
    try {
      await t.db.updateTable('schedules').set({ rounds: 10 }).execute();
      twilio.script(...Array.from({ length: 150 }, () => NO_NUMBER));
      const request = await t.page('team', 'sre', { urgency: 'high' });
      for (let round = 1; round <= 10; round++) {
        await t.notified('grace');
        await t.advance({ minutes: 11 });
        assert.deepEqual((await t.status(request)).page.round, round);
        await t.advance({ minutes: 1, seconds: 1 });
      }
      assert.equal((await t.status(request)).page.state, 'expired');
    } finally {
      t.receiver.inbox.takeAll();
      twilio.messages.takeAll();
      twilio.calls.takeAll();
      await t.end();
      await twilio.stop();
    }
  });
});

describe('a notification that was bundled into the message of another page', () => {
  let t: Story;
  let twilio: FakeTwilio;

  before(async () => {
    const port = await freePort();
    twilio = await fakeTwilio({ publicUrl: `http://127.0.0.1:${port}` });
    t = await story({
      env: { ...twilio.env, PORT: String(port) },
      organization: (receiver) => ({
        people: {
          ada: {
            methods: [
              { type: 'phone', value: '+4915112345678' },
              { type: 'webhook', value: `${receiver.url}ada` },
            ],
            rules: { high: [{ after: 0, channels: ['voice'] }] },
          },
        },
        teams: { sre: { members: ['ada'] } },
      }),
    });
  });
  afterEach(async () => {
    for (const { id } of await t.db.selectFrom('pages').select('id').execute())
      await t.post(`/api/pages/${id}/resolve`, {});
    await t.settle();
    t.receiver.inbox.takeAll();
    for (const inbox of [twilio.calls, twilio.messages, twilio.ended]) inbox.takeAll();
    await t.advance({ minutes: 3 });
  });
  after(async () => {
    await t.end();
    await twilio.stop();
  });

  /** Three pages to Ada: a call for the first, and a minute later one call for both of the others. */
  async function carrierOfTwo() {
    await t.page('person', 'ada@example.com', { title: 'first' });
    await twilio.calls.next();
    for (const title of ['second', 'third']) await t.page('person', 'ada@example.com', { title });
    await t.advance({ seconds: 61 });
    return twilio.calls.next();
  }

  it('fails over if a receipt reports that nobody answered the call', async () => {
    const call = await carrierOfTwo();
    await twilio.receipt(call, 'no-answer');
    await t.settle();
    const webhooks = await t.notified('ada', 'ada');
    assert.deepEqual(webhooks.map(({ body }) => body.title).sort(), ['second', 'third']);
  });

  it('fails over even if the page of that message was acknowledged meanwhile', async () => {
    const call = await carrierOfTwo();
    const carrier = await t.db
      .selectFrom('deliveries')
      .innerJoin('pages', 'pages.id', 'deliveries.page_id')
      .select(['pages.id', 'pages.title'])
      .where('deliveries.state', '=', 'accepted')
      .where('pages.title', '<>', 'first')
      .where('pages.state', '=', 'notifying')
      .executeTakeFirstOrThrow();
    await t.post(`/api/pages/${carrier.id}/acknowledge`, {});
    await twilio.receipt(call, 'no-answer');
    await t.settle();
    const [webhook] = await t.notified('ada');
    assert.equal(webhook?.body.title, carrier.title === 'second' ? 'third' : 'second');
  });

  it('fails over if one of them is about the end of an expired page', async () => {
    const request = await t.page('team', 'sre', { title: 'expiring', urgency: 'low' });
    await t.notified('ada');
    await t.page('person', 'ada@example.com', { title: 'first' });
    await twilio.calls.next();
    // The page expires while no other call may be made.
    const { id } = (await t.status(request)).page;
    await t.db.updateTable('pages').set({ urgency: 'high' }).where('id', '=', id).execute();
    const now = await t.clock.now(t.db);
    await t.db
      .updateTable('page_steps')
      .set({ due_at: now })
      .where('page_id', '=', id)
      .where('state', '=', 'due')
      .execute();
    await t.settle();
    await t.page('person', 'ada@example.com', { title: 'second' });
    twilio.script(NO_NUMBER);
    await t.advance({ seconds: 61 });
    const webhooks = await t.notified('ada', 'ada');
    assert.deepEqual(webhooks.map(({ body }) => `${body.type} ${body.title}`).sort(), [
      'page.expired expiring',
      'page.notification second',
    ]);
  });
});

describe('a page that waits for its source', () => {
  let t: Story;
  let ada: SignedIn;
  let silences = 0;

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada', 'grace'),
        teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] } },
      }),
    });
    ada = await signIn(t, 'ada');
  });
  after(() => t.end());

  const silence = (minutes: number) =>
    ada.call('POST', '/api/windows', { team: 'sre', name: `silence ${++silences}`, minutes, silence: true });

  it('waits on if its request was deleted and a second window holds it', async () => {
    const source = await pageSource(t);
    assert.equal((await silence(30)).status, 201);
    assert.equal((await source.post({ title: 'Held', dedup_key: 'held' }))[0]?.action, 'waiting');
    await t.advance({ minutes: 20 });
    assert.equal((await silence(30)).status, 201);
    // As retention does after a while.
    await t.db.updateTable('waiting_pages').set({ request_id: null }).execute();
    await t.advance({ minutes: 15 });
    await t.notified();
    await t.advance({ minutes: 20 });
    const [webhook] = await t.notified('ada');
    assert.ok(webhook);
    await t.acknowledge(webhook);
    await t.resolveAcknowledged();
  });

  it('holds up neither other waiting pages nor the steps of open pages if it cannot be raised', async () => {
    const source = await pageSource(t, { wait_minutes: 5 });
    for (const title of ['Broken', 'Whole']) await source.post({ title, dedup_key: title });
    await t.page('team', 'sre', { urgency: 'high' });
    await t.notified('ada');
    await sql`create function refuse_broken() returns trigger language plpgsql as $$
      begin if new.title = 'Broken' then raise exception 'refused'; end if; return new; end $$`.execute(t.db);
    await sql`create trigger refuse_broken before insert on pages for each row execute function refuse_broken()`.execute(
      t.db,
    );
    await t.advance({ minutes: 5, seconds: 1 });
    const webhooks = await t.notified('ada', 'grace');
    assert.deepEqual(webhooks.map(({ body }) => body.title).sort(), ['Disk full', 'Whole']);
    await sql`drop trigger refuse_broken on pages`.execute(t.db);
    await t.advance({ seconds: 11 });
    const [broken] = await t.notified('ada');
    assert.equal(broken?.body.title, 'Broken');
    for (const webhook of [...webhooks, broken]) if (webhook) await t.acknowledge(webhook);
    await t.resolveAcknowledged();
  });

  it('pages if the hours of its source or a window have a time zone that the service does not know', async () => {
    const hours = {
      weekly: [{ days: [1], from: '00:00', to: '00:01' }],
      zone: 'UTC',
      outside: 'hold' as const,
    };
    const source = await pageSource(t, { hours });
    await t.db
      .updateTable('page_sources')
      .set({ settings: JSON.stringify({ hours: { ...hours, zone: 'Mars/Olympus' } }) })
      .where('id', '=', source.id)
      .execute();
    const now = await t.clock.now(t.db);
    const made = await ada.call('POST', '/api/windows', {
      ...{ team: 'sre', name: 'nightly', rrule: 'FREQ=DAILY', zone: 'UTC' },
      ...{ starts_at: now.toString(), ends_at: now.add({ minutes: 1 }).toString() },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    await t.db
      .updateTable('maintenance_windows')
      .set({ zone: 'Mars/Olympus' })
      .where('name', '=', 'nightly')
      .execute();
    t.clock.advance({ minutes: 2 });
    assert.equal((await source.post({ title: 'Urgent', dedup_key: 'urgent' }))[0]?.action, 'raised');
    const [webhook] = await t.notified('ada');
    assert.ok(webhook);
    await t.acknowledge(webhook);
    await t.resolveAcknowledged();
  });
});

describe('a person who closed every dashboard', () => {
  it('is unreachable even if the service failed while it found out', async () => {
    const t = await story({ organization: { people: { ada: {} } } });
    try {
      const dead = await t.db
        .insertInto('nodes')
        .values({ role: 'api', host: 'gone', pid: 1, version: '0', started_at: t.clock.sql })
        .returning('id')
        .executeTakeFirstOrThrow();
      const person = { organization_id: t.acme.id, user_id: t.acme.users.ada ?? '' };
      await t.db
        .insertInto('open_dashboards')
        .values({ ...person, node: dead.id, opened_at: t.clock.sql })
        .execute();
      // Only that node could send it, so `settle` would wait for it.
      const page = { recipient: 'ada@example.com', title: 'Disk full', text: 'db-1' };
      const request = String((await t.post('/page/person', page)).body.service_request_id);
      await eventually(async () => (await t.db.selectFrom('deliveries').select('state').execute()).length, 1);
      t.clock.advance({ seconds: 16 });
      await sql`create function refuse() returns trigger language plpgsql as $$
        begin raise exception 'refused'; end $$`.execute(t.db);
      await sql`create trigger refuse before update on responders for each row execute function refuse()`.execute(
        t.db,
      );
      await assert.rejects(t.app.duties.runAll(), /refused/);
      await sql`drop trigger refuse on responders`.execute(t.db);
      await t.app.duties.runAll();
      await t.settle();
      const { status, message } = await t.status(request);
      assert.deepEqual([status, /^Nobody could be reached/.test(message)], ['failed', true], message);
    } finally {
      await t.end();
    }
  });
});

/** Senders cut texts in the middle of a character, and pass on whatever a program printed. */
describe('an event with texts that cannot be stored', () => {
  let t: Story;

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada'),
        teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']] }] } },
      }),
    });
  });
  after(() => t.end());

  const alert = async (broken: string) => ({
    version: '4',
    status: 'firing',
    groupKey: `key ${broken}`,
    alerts: [
      {
        status: 'firing',
        startsAt: (await t.clock.now(t.db)).toString(),
        labels: { alertname: 'DiskFull', severity: `critical${broken}`, [`team${broken}`]: `web${broken}` },
        annotations: { summary: `The disk is full ${broken}` },
      },
    ],
  });

  for (const [what, broken] of [
    ['a NUL character', '\0'],
    ['half of an emoji', '\ud83d'],
  ] as const)
    for (const wait of [0, 5])
      it(`pages with ${what}, ${wait === 0 ? 'at once' : 'after its wait'}`, async () => {
        const source = await t.source({
          team: 'sre',
          type: 'alertmanager',
          settings: { wait_minutes: wait },
        });
        const answer = await t.post(source.path, await alert(broken));
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        await t.settle();
        await t.advance({ minutes: wait, seconds: 1 });
        const [webhook] = await t.notified('ada');
        assert.ok(webhook);
        await t.acknowledge(webhook);
        await t.resolveAcknowledged();
        t.receiver.inbox.takeAll();
      });

  it('changes a page of the API of Opsgenie', async () => {
    const source = await t.source({ team: 'sre', type: 'opsgenie-api' });
    const call = async (method: string, path: string, body: object) =>
      (
        await fetch(t.url + path, {
          method,
          headers: { authorization: `GenieKey ${source.key}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).status;
    assert.equal(
      await call('POST', '/v2/alerts', { message: 'Disk full', alias: 'disk', priority: 'P3' }),
      202,
    );
    await t.settle();
    await t.notified('ada');
    for (const broken of ['\0', '\ud83d']) {
      for (const [method, path, body] of [
        ['POST', 'notes', { note: `Seen ${broken}`, user: `Ada ${broken}` }],
        ['PUT', 'message', { message: `Disk ${broken} full` }],
        ['PUT', 'description', { description: `Nothing ${broken} left` }],
        ['POST', 'responders', { responder: { type: 'team', name: `web ${broken}` } }],
      ] as const)
        assert.equal(await call(method, `/v2/alerts/disk/${path}?identifierType=alias`, body), 202, path);
      await t.settle();
    }
    const failed = await t.db
      .selectFrom('received_notifications')
      .select(['state', 'reason'])
      .where('state', 'not in', ['success', 'ignored'])
      .execute();
    assert.deepEqual(failed, []);
    t.receiver.inbox.takeAll();
  });
});
