import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { newId } from '../src/kit/typeid.ts';
import { insertPagesTail, lockPage, newPage } from '../src/pages/store.ts';
import { queuedEnvelope } from '../src/requests/accept.ts';
import type { Acceptance } from '../src/requests/acceptance.ts';
import { acceptAll } from '../src/requests/store.ts';
import { type FakeSmtp, fakeSmtp } from '../testing/fakes/fake-smtp.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

describe('a page that a process accepts and sends', () => {
  let smtp: FakeSmtp;
  let t: Story;

  before(async () => {
    smtp = await fakeSmtp();
    t = await story({
      env: smtp.env,
      organization: (receiver) => ({
        people: {
          ...webhookPeople(receiver, 'ada', 'grace'),
          barbara: { methods: [{ type: 'email', value: 'barbara@example.com' }] },
        },
        teams: {
          sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] },
          mail: { members: ['barbara'], schedules: [{ stages: [['barbara']] }] },
        },
      }),
    });
  });
  afterEach(() => {
    t.receiver.assertNothingUnexpected();
    smtp.assertNothingUnexpected();
  });
  after(async () => {
    await t.end();
    await smtp.stop();
  });

  /** Everything that one commit stored about a page, and how many commits stored it. */
  async function stored(page: RawBuilder<unknown>) {
    const { rows } = await sql<{ what: string; by: string }>`
      with page as (select id, xmin from pages where ${page})
      select 'page' as what, xmin::text as by from page
      union all select 'event ' || e.kind, e.xmin::text from page_events e join page p on p.id = e.page_id
      union all select 'step ' || s.state, s.xmin::text from page_steps s join page p on p.id = s.page_id
      union all select 'responder', r.xmin::text from responders r join page p on p.id = r.page_id`.execute(
      t.db,
    );
    return { commits: new Set(rows.map(({ by }) => by)).size, what: rows.map(({ what }) => what).sort() };
  }

  const AT_ONCE = ['event notified', 'event raised', 'page', 'responder', 'step done', 'step due'];

  it('is stored with its first notification in one commit', async () => {
    const request = await t.page('team', 'sre', { urgency: 'high' });
    await t.notified('ada');
    assert.deepEqual(await stored(sql`request_id = ${request}`), { commits: 1, what: AT_ONCE });
    await t.advance({ minutes: 5 });
    const [webhook] = await t.notified('grace');
    assert.ok(webhook);
    await t.acknowledge(webhook);
  });

  it('notifies once, and answers the same, if requests with one idempotency key arrive together', async () => {
    const body = { recipient: 'sre', title: 'Once', text: 'Sent three times', urgency: 'low' };
    const headers = { 'idempotency-key': 'once' };
    const answers = await Promise.all([1, 2, 3].map(() => t.post('/page/team', body, headers)));
    await t.settle();
    await t.notified('ada');
    assert.equal(new Set(answers.map(({ body: { service_request_id: id } }) => id)).size, 1);
  });

  it('pages for several teams and people that arrive together each notify their own', async () => {
    const to = (kind: string, recipient: string) =>
      t.post(`/page/${kind}`, { recipient, title: 'Together', text: 'x', urgency: 'low' });
    const answers = await Promise.all([
      to('team', 'sre'),
      to('team', 'mail'),
      to('person', 'grace@example.com'),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    await t.settle();
    await t.notified('ada', 'grace');
    assert.equal(smtp.messages.takeAll().length, 1);
  });

  it('is stored with its first notification in one commit if it has a dedup key', async () => {
    const request = await t.page('team', 'sre', { urgency: 'low', dedup_key: 'disk' });
    await t.notified('ada');
    assert.deepEqual(await stored(sql`request_id = ${request}`), { commits: 1, what: AT_ONCE });
    assert.equal((await t.status(request)).status, 'succeeded');
    await t.page('team', 'sre', { urgency: 'low', dedup_key: 'disk' });
    const pages = await sql`select from pages where dedup_key = 'disk'`.execute(t.db);
    assert.equal(pages.rows.length, 1);
  });

  it('is stored with its first notification in one commit if a source raises it', async () => {
    const { path } = await t.source({ team: 'sre' });
    const body = { title: 'Queue full', text: 'x', dedup_key: 'queue', urgency: 'low' };
    assert.equal((await t.post(path, body)).status, 200);
    await t.settle();
    await t.notified('ada');
    assert.deepEqual(await stored(sql`dedup_key = 'queue'`), { commits: 1, what: AT_ONCE });
    const { rows } = await sql<{ status: string; attempts: number }>`
      select r.status, r.attempts from requests r join pages p on p.request_id = r.id where p.dedup_key = 'queue'`.execute(
      t.db,
    );
    assert.deepEqual(rows, [{ status: 'succeeded', attempts: 1 }]);
  });

  it('is raised by a source although the lock of a limit is held, and is sent later', async () => {
    const { path } = await t.source({ team: 'mail' });
    await t.db.transaction().execute(async (tx) => {
      await sql`select from users where id = ${t.acme.users.barbara} for no key update`.execute(tx);
      const body = { title: 'Backup failed', text: 'x', dedup_key: 'backup', urgency: 'low' };
      assert.equal((await t.post(path, body)).status, 200);
      for (let rows: unknown[] = []; rows.length === 0; )
        ({ rows } = await sql`select from pages where dedup_key = 'backup'`.execute(t.db));
      const { what } = await stored(sql`dedup_key = 'backup'`);
      assert.deepEqual(what, ['event raised', 'page', 'step due']);
    });
    await t.settle();
    assert.equal(smtp.messages.takeAll().length, 1);
  });

  it('is accepted although the lock of a limit is held, and is sent later', async () => {
    let request = '';
    await t.db.transaction().execute(async (tx) => {
      await sql`select from users where id = ${t.acme.users.barbara} for no key update`.execute(tx);
      const answer = await t.post('/page/team', {
        recipient: 'mail',
        title: 'Held',
        text: 'x',
        urgency: 'low',
      });
      assert.equal(answer.status, 200);
      request = String(answer.body.service_request_id);
      assert.equal((await t.status(request)).status, 'queued');
    });
    await t.settle();
    assert.equal(smtp.messages.takeAll().length, 1);
    assert.equal((await t.status(request)).status, 'succeeded');
  });

  it('is accepted although the schedules are locked, and is sent later', async () => {
    // The team is remembered for a second, so that only the first step needs the schedules.
    const before = await t.post('/page/team', {
      recipient: 'sre',
      title: 'Before',
      text: 'x',
      urgency: 'low',
    });
    assert.equal(before.status, 200);
    await t.settle();
    await t.notified('ada');
    await t.db.transaction().execute(async (tx) => {
      await sql`lock table schedules in access exclusive mode`.execute(tx);
      const answer = await t.post('/page/team', {
        ...{ recipient: 'sre', title: 'Locked', text: 'x', urgency: 'low' },
      });
      assert.equal(answer.status, 200);
    });
    await t.settle();
    await t.notified('ada');
  });

  it('is decided with the row that is stored', async () => {
    for (const kind of ['team', 'person'] as const) {
      const item = acceptance(kind);
      await acceptAll(t.db, t.clock, [item], insertPagesTail(t.clock, false));
      const stored = await t.db.transaction().execute((tx) => lockPage(tx, String(item.row.id)));
      assert.ok(stored);
      assert.deepEqual(newPage(item, stored.createdAt), stored);
    }
  });

  function acceptance(kind: 'team' | 'person'): Acceptance {
    const requestId = newId('request');
    const recipient = kind === 'team' ? { team_id: t.acme.teams.sre } : { user_id: t.acme.users.ada };
    const row = { ...recipient, id: newId('page'), kind, title: 'Disk full', text: 'x', urgency: 'low' };
    return {
      ...{ requestId, organizationId: t.acme.id, kind: `page.${kind}`, credential: 'key', idempotency: null },
      envelope: queuedEnvelope(requestId, 'x', []),
      row: { ...row, source_url: 'https://example.com', reply_code: '1234', raised_by: t.acme.users.ada },
    };
  }
});
