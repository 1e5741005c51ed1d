import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { sql } from 'kysely';
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

  it('is stored with its first notification in one commit', async () => {
    const request = await t.page('team', 'sre', { urgency: 'high' });
    await t.notified('ada');
    const { rows } = await sql<{ what: string; by: string }>`
      select 'page' as what, xmin::text as by from pages where request_id = ${request}
      union all select 'event ' || e.kind, e.xmin::text from page_events e join pages p on p.id = e.page_id where request_id = ${request}
      union all select 'step ' || s.state, s.xmin::text from page_steps s join pages p on p.id = s.page_id where request_id = ${request}
      union all select 'responder', r.xmin::text from responders r join pages p on p.id = r.page_id where request_id = ${request}`.execute(
      t.db,
    );
    assert.equal(new Set(rows.map(({ by }) => by)).size, 1);
    assert.deepEqual(rows.map(({ what }) => what).sort(), [
      'event notified',
      'event raised',
      'page',
      'responder',
      'step done',
      'step due',
    ]);
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
