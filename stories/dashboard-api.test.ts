import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type EventStream, eventStream } from '../testing/event-stream.ts';
import { eventually } from '../testing/eventually.ts';
import { type Organization, seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn, signInLink } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** What stories read of a timeline's entries. */
type Facts = {
  kind: string;
  as?: string;
  stage?: number | null;
  people?: { name: string }[];
  by?: { name: string };
  via?: string;
  text?: string;
};

describe("the dashboard's API", () => {
  let t: Story;
  let ada: SignedIn;
  let edsger: SignedIn;
  let others: Organization;
  let theirKey: string;

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: { ...webhookPeople(receiver, 'ada', 'grace', 'edsger'), linus: {} },
        teams: {
          sre: {
            members: ['ada', 'grace'],
            schedules: [{ stages: [['ada'], ['grace']], backstop: 'grace' }],
          },
          web: { members: ['linus'] },
        },
      }),
    });
    ada = await signIn(t, 'ada');
    edsger = await signIn(t, 'edsger');
    others = await seedOrganization(t, { people: { eve: {} } }, 'Evil');
    theirKey = others.key;
  });
  after(() => t.end());

  async function newPage(body: Record<string, unknown> = {}): Promise<string> {
    const { page } = await t.status(await t.page('team', 'sre', { urgency: 'high', ...body }));
    await t.notified('ada');
    return page.id;
  }

  async function listen(headers: Record<string, string>): Promise<EventStream> {
    const stream = await eventStream(`${t.url}/api/events`, headers);
    await stream.next('hello');
    return stream;
  }

  describe('signing in', () => {
    it('shows a button first: mail scanners use nothing up', async () => {
      const link = await signInLink(t, 'grace');
      for (let visit = 0; visit < 2; visit++) {
        const shown = await fetch(link);
        assert.equal(shown.status, 200);
        assert.equal(shown.headers.get('set-cookie'), null);
        assert.match(await shown.text(), /Welcome, Grace.*<form method="post">/s);
      }
    });

    it('works once, however many try at the same time', async () => {
      const link = await signInLink(t, 'grace');
      const tries = await Promise.all(
        Array.from({ length: 8 }, () => fetch(link, { method: 'POST', headers: FORM, redirect: 'manual' })),
      );
      assert.deepEqual(tries.map(({ status }) => status).toSorted(), [303, ...Array(7).fill(410)]);
      assert.match(await (await fetch(link)).text(), /was used already.*owner create/s);
    });

    it('gives a cookie that scripts cannot read and other sites cannot use', async () => {
      const answer = await fetch(await signInLink(t, 'grace'), {
        method: 'POST',
        headers: FORM,
        redirect: 'manual',
      });
      const cookie = answer.headers.get('set-cookie') ?? '';
      assert.match(cookie, /^tocsin=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
      assert.equal(answer.headers.get('location'), '/');
    });

    it('ends with the day, and is refused to forms of other sites', async () => {
      const link = await signInLink(t, 'grace');
      const elsewhere = await fetch(link, {
        method: 'POST',
        headers: { ...FORM, 'sec-fetch-site': 'cross-site' },
      });
      assert.equal(elsewhere.status, 403);
      t.clock.advance({ hours: 24 });
      assert.equal((await fetch(link)).status, 410);
      assert.equal((await fetch(link, { method: 'POST', headers: FORM, redirect: 'manual' })).status, 410);
      t.clock.advance({ hours: -24 });
      assert.equal((await fetch(`${t.url}/sign-in/${'x'.repeat(43)}`)).status, 404);
    });

    it('is over after 30 days, at sign-out, and when the person is disabled', async () => {
      const session = await signIn(t, 'linus');
      const status = async () => (await session.call('GET', '/api/session')).status;
      assert.equal(await status(), 200);
      t.clock.advance({ hours: 30 * 24 });
      await eventually(status, 401);
      t.clock.advance({ hours: -30 * 24 });
      assert.equal(await status(), 200);
      assert.equal((await session.call('DELETE', '/api/session')).status, 200);
      assert.equal(await status(), 401);
      const another = await signIn(t, 'linus');
      const linus = t.app.db.updateTable('users').where('id', '=', t.acme.users.linus ?? '');
      await linus.set({ disabled_at: await t.clock.now(t.app.db) }).execute();
      await eventually(async () => (await another.call('GET', '/api/session')).status, 401);
      await linus.set({ disabled_at: null }).execute();
    });
  });

  describe('who may do what', () => {
    it('says who is signed in, and nothing to anybody else', async () => {
      const { body } = await ada.call('GET', '/api/session');
      assert.deepEqual(
        [body.user.email, body.organization.name, body.teams[0].slug],
        ['ada@example.com', 'Acme', 'sre'],
      );
      for (const path of [
        '/api/session',
        '/api/pages',
        '/api/people',
        '/api/problems',
        '/api/keys',
        '/api/events',
      ])
        assert.equal((await fetch(t.url + path)).status, 401, path);
      assert.equal(
        (await fetch(`${t.url}/api/session`, { headers: { cookie: 'tocsin=wrong' } })).status,
        401,
      );
    });

    it('takes changes by cookie only from our own pages, as JSON', async () => {
      const id = await newPage();
      const path = `/api/pages/${id}/acknowledge`;
      const own = { origin: t.url };
      for (const headers of [
        {},
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://evil.example' },
        { 'sec-fetch-site': 'cross-site', ...own },
      ])
        assert.equal((await ada.call('POST', path, {}, headers as Record<string, string>)).status, 403);
      const form = { 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain' };
      assert.equal((await ada.call('POST', path, {}, form)).status, 415);
      assert.equal((await ada.call('GET', `/api/pages/${id}`)).body.page.state, 'notifying');
      assert.equal((await ada.call('POST', path, {}, own)).body.page.state, 'acknowledged');
    });

    it('lets everybody read, and those act whom the page concerns', async () => {
      const id = await newPage();
      const seen = await edsger.call('GET', `/api/pages/${id}`);
      assert.deepEqual([seen.status, seen.body.page.may_act, seen.body.page.mine], [200, false, false]);
      const refused = await edsger.call('POST', `/api/pages/${id}/resolve`);
      assert.equal(refused.status, 403);
      assert.match(refused.body.details[0].message, /belongs to the team SRE/);
      await t.app.db
        .updateTable('users')
        .set({ role: 'admin' })
        .where('id', '=', t.acme.users.edsger ?? '')
        .execute();
      await eventually(async () => (await edsger.call('GET', `/api/pages/${id}`)).body.page.may_act, true);
      assert.equal((await edsger.call('POST', `/api/pages/${id}/resolve`)).body.changed, true);
      await t.app.db
        .updateTable('users')
        .set({ role: 'member' })
        .where('id', '=', t.acme.users.edsger ?? '')
        .execute();
    });

    it('shows another organization nothing', async () => {
      const id = await newPage();
      const bearer = { authorization: `Bearer ${theirKey}`, 'content-type': 'application/json' };
      for (const [method, path] of [
        ['GET', `/api/pages/${id}`],
        ['POST', `/api/pages/${id}/acknowledge`],
      ] as const)
        assert.equal((await fetch(t.url + path, { method, headers: bearer })).status, 404);
      const list = await (await fetch(`${t.url}/api/pages?state=all`, { headers: bearer })).json();
      assert.deepEqual(list, { pages: [], has_more: false });
      const people = await (await fetch(`${t.url}/api/people`, { headers: bearer })).json();
      assert.deepEqual(
        (people as { people: { name: string }[] }).people.map(({ name }) => name),
        ['Eve'],
      );
      await ada.call('POST', `/api/pages/${id}/resolve`);
    });
  });

  describe('pages', () => {
    it('are listed newest first, the open ones or all', async () => {
      const first = await newPage({ title: 'First' });
      const second = await newPage({ title: 'Second' });
      const open = (await ada.call('GET', '/api/pages')).body;
      assert.deepEqual(open.pages.map(({ id }: { id: string }) => id).slice(0, 2), [second, first]);
      const [page] = open.pages;
      assert.deepEqual(
        [
          page.title,
          page.team.slug,
          page.asked[0].person.name,
          page.channels[0].channel,
          page.next.stage,
          page.mine,
        ],
        ['Second', 'sre', 'Ada', 'webhook', 2, true],
      );
      const rest = (await ada.call('GET', `/api/pages?limit=1&before=${second}`)).body;
      assert.deepEqual([rest.pages[0].id, rest.has_more], [first, rest.has_more]);
      for (const id of [first, second]) await ada.call('POST', `/api/pages/${id}/resolve`);
      assert.equal(
        (await ada.call('GET', '/api/pages')).body.pages.some(({ id }: { id: string }) => id === first),
        false,
      );
      assert.equal((await ada.call('GET', '/api/pages?state=all')).body.pages[0].id, second);
      assert.equal((await ada.call('GET', '/api/pages?limit=0')).status, 400);
    });

    it('tell all that happened: who was asked and why, what was sent, what comes next', async () => {
      const id = await newPage();
      const before = (await ada.call('GET', `/api/pages/${id}`)).body;
      const kinds = before.timeline.map(({ kind }: { kind: string }) => kind);
      assert.deepEqual(kinds, ['raised', 'asked', 'attempt']);
      const [raised, asked, attempt] = before.timeline;
      assert.equal(raised.by.name, 'Ada');
      assert.deepEqual(
        [asked.person.name, asked.stage, asked.why.reason, asked.why.schedule],
        ['Ada', 1, 'on call', 'sre 0'],
      );
      assert.deepEqual(
        [attempt.channel, attempt.outcome, attempt.address],
        ['webhook', 'accepted', new URL(t.receiver.url).host],
      );
      assert.deepEqual(
        before.upcoming.map(({ kind, as, stage, people }: Facts) => [kind, as, stage, people?.[0]?.name]),
        [
          ['ask', 'stage', 2, 'Grace'],
          ['ask', 'backstop', null, 'Grace'],
          ['ask', 'stage', 1, 'Ada'],
        ],
      );
      await ada.call('POST', `/api/pages/${id}/comments`, { text: 'Looking into it' });
      await ada.call('POST', `/api/pages/${id}/acknowledge`);
      const later = (await ada.call('GET', `/api/pages/${id}`)).body;
      const told = later.timeline
        .slice(3)
        .map(({ kind, by, via, text }: Facts) => [kind, by?.name, via ?? text]);
      assert.deepEqual(told, [
        ['comment', 'Ada', 'Looking into it'],
        ['acknowledged', 'Ada', 'dashboard'],
      ]);
      assert.deepEqual(later.upcoming, []);
      await ada.call('POST', `/api/pages/${id}/resolve`);
    });

    it('are escalated, shared and handed over', async () => {
      const id = await newPage();
      assert.equal((await ada.call('POST', `/api/pages/${id}/escalate`)).body.changed, true);
      await t.settle();
      await t.notified('grace');
      const nobody = await ada.call('POST', `/api/pages/${id}/responders`, {
        users: ['ada@example.com', 'eve@example.com'],
      });
      assert.equal(nobody.status, 400);
      assert.match(nobody.body.details[0].message, /"eve@example.com", who is nobody of your organization/);
      assert.equal(
        (await ada.call('POST', `/api/pages/${id}/responders`, { users: ['EDSGER@example.com'] })).status,
        200,
      );
      await t.settle();
      await t.notified('edsger');
      assert.equal((await edsger.call('GET', `/api/pages/${id}`)).body.page.mine, true);
      const handed = await edsger.call('POST', `/api/pages/${id}/reassign`, { users: [t.acme.users.grace] });
      assert.equal(handed.body.changed, true);
      await t.settle();
      await t.notified('grace');
      await edsger.call('POST', `/api/pages/${id}/resolve`);
      const late = await ada.call('POST', `/api/pages/${id}/escalate`);
      assert.deepEqual(
        [late.status, late.body.details[0].message],
        [409, 'is resolved, so that nothing escalates any more'],
      );
      assert.equal((await ada.call('POST', `/api/pages/${id}/acknowledge`)).body.changed, false);
    });
  });

  describe('live', () => {
    it('an open dashboard is a way to be reached, and says that it showed the page', async () => {
      const refused = await t.post('/page/person', {
        recipient: 'linus@example.com',
        title: 'Hi',
        text: 'there',
      });
      assert.equal(refused.status, 400);
      const linus = await signIn(t, 'linus');
      const stream = await listen({ cookie: linus.cookie });
      const accepted = await t.post('/page/person', {
        recipient: 'linus@example.com',
        title: 'Hi',
        text: 'there',
      });
      assert.equal(accepted.status, 200);
      const settled = t.settle();
      const alarm = await stream.next('notification');
      assert.deepEqual([alarm.data.title, alarm.data.urgency], ['Hi', 'high']);
      const confirmed = await linus.call('POST', `/api/deliveries/${alarm.id}/confirm`);
      assert.deepEqual(confirmed.body, { confirmed: true });
      await settled;
      const { page } = await t.status(String(accepted.body.service_request_id));
      assert.deepEqual(
        page.deliveries.map(({ channel, state }) => [channel, state]),
        [['browser', 'accepted']],
      );
      assert.deepEqual((await stream.next('pages')).data, { pages: [page.id] });
      await linus.call('POST', `/api/pages/${page.id}/acknowledge`);
      assert.deepEqual((await stream.next('pages')).data, { pages: [page.id] });
      stream.close();
    });

    it('tells nobody of the pages of another organization', async () => {
      const [eve, grace] = await Promise.all([
        listen({ authorization: `Bearer ${theirKey}` }),
        signIn(t, 'grace').then(({ cookie }) => listen({ cookie })),
      ]);
      const id = await newPage();
      assert.deepEqual((await grace.next('pages')).data, { pages: [id] });
      await assert.rejects(eve.next('pages', 1_200), /no event pages came/);
      await ada.call('POST', `/api/pages/${id}/resolve`);
      for (const stream of [eve, grace]) stream.close();
    });

    it('ends with the session', async () => {
      const session = await signIn(t, 'grace');
      const stream = await listen({ cookie: session.cookie });
      await session.call('DELETE', '/api/session');
      await stream.ended;
      await stillOpen('grace', 0);
    });

    it('knows of a dashboard that is loaded again and again', async () => {
      const session = await signIn(t, 'grace');
      const reloads = Array.from({ length: 10 }, async (_, index) => {
        const stream = await listen({ cookie: session.cookie });
        if (index > 0) stream.close();
        return stream;
      });
      const [last] = await Promise.all(reloads);
      await stillOpen('grace', 1);
      last?.close();
      await stillOpen('grace', 0);
    });

    it('forgets dashboards of a node that died', async () => {
      const { db } = t.app;
      const dead = await db
        .insertInto('nodes')
        .values({ role: 'api', host: 'gone', pid: 1, version: '0', started_at: t.clock.sql })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db
        .insertInto('open_dashboards')
        .values({
          organization_id: t.acme.id,
          user_id: t.acme.users.grace ?? '',
          node: dead.id,
          opened_at: t.clock.sql,
        })
        .execute();
      await stillOpen('grace', 1);
      await t.app.duties.runAll();
      await stillOpen('grace', 0);
    });

    async function stillOpen(person: string, expected: number): Promise<void> {
      const count = async () => {
        const rows = await t.app.db
          .selectFrom('open_dashboards')
          .select('node')
          .where('user_id', '=', t.acme.users[person] ?? '')
          .execute();
        return rows.length;
      };
      await eventually(count, expected);
    }
  });

  describe('push and keys', () => {
    it('subscribes a browser, once, for whoever uses it now', async () => {
      const point = createECDH('prime256v1').generateKeys('base64url');
      const subscription = {
        endpoint: 'https://push.example.com/send/abc',
        keys: { p256dh: point, auth: randomBytes(16).toString('base64url') },
      };
      assert.match((await ada.call('GET', '/api/push/key')).body.key, /^B[\w-]{86}$/);
      const wrong = await ada.call('POST', '/api/push/subscriptions', {
        ...subscription,
        keys: { p256dh: 'x', auth: 'y' },
      });
      assert.deepEqual(
        wrong.body.details.map(({ field }: { field: string }) => field),
        ['keys.p256dh', 'keys.auth'],
      );
      const first = await ada.call('POST', '/api/push/subscriptions', subscription);
      assert.equal((await ada.call('POST', '/api/push/subscriptions', subscription)).body.id, first.body.id);
      const mine = async (who: SignedIn) =>
        (await who.call('GET', '/api/contact-methods')).body.contact_methods
          .filter(({ type }: { type: string }) => type === 'push')
          .map(({ value, verified }: Record<string, unknown>) => [value, verified]);
      assert.deepEqual(await mine(ada), [['push.example.com', true]]);
      await edsger.call('POST', '/api/push/subscriptions', subscription);
      assert.deepEqual(await mine(ada), []);
      const { endpoint } = subscription;
      assert.deepEqual((await edsger.call('DELETE', '/api/push/subscriptions', { endpoint })).body, {
        removed: true,
      });
      assert.deepEqual(await mine(edsger), []);
    });

    it('makes a key that is shown once, works, and stops working within a second', async () => {
      const made = (await ada.call('POST', '/api/keys', { name: 'ci' })).body;
      assert.match(made.key, /^tocsin_/);
      const listed = (await ada.call('GET', '/api/keys')).body.keys;
      assert.equal(listed[0].name, 'ci');
      assert.equal(JSON.stringify(listed).includes(made.key), false);
      assert.equal((await t.get('/schedules', made.key)).status, 200);
      assert.equal((await edsger.call('DELETE', `/api/keys/${made.id}`)).status, 404);
      assert.equal((await ada.call('DELETE', `/api/keys/${made.id}`)).status, 200);
      await eventually(async () => (await t.get('/schedules', made.key)).status, 401, 1_000);
      const late = await ada.call('POST', '/api/keys', { name: 'late', expires_at: '2020-01-01T00:00:00Z' });
      assert.match(late.body.details[0].message, /lies in the past/);
    });
  });
});
