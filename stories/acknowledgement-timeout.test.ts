import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type FakeSmtp, fakeSmtp } from '../testing/fakes/fake-smtp.ts';
import { pageSource } from '../testing/page-source.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';
import { pageTheTeam } from '../testing/two-stage-story.ts';

describe('an acknowledgement', () => {
  let t: Story;
  let smtp: FakeSmtp;
  let ada: SignedIn;
  let grace: SignedIn;

  before(async () => {
    smtp = await fakeSmtp();
    t = await story({
      env: smtp.env,
      organization: (receiver) => ({
        people: {
          ...webhookPeople(receiver, 'ada', 'grace', 'edsger'),
          alan: {
            methods: [{ type: 'email', value: 'alan@example.com' }],
            rules: { high: [{ after: 0, channels: ['email'] }] },
          },
        },
        teams: {
          sre: {
            members: ['ada', 'grace'],
            schedules: [{ stages: [['ada'], ['grace']], backstop: 'grace' }],
          },
        },
      }),
    });
    await t.db
      .updateTable('users')
      .set({ role: 'admin' })
      .where('id', '=', t.acme.users.ada ?? '')
      .execute();
    ada = await signIn(t, 'ada');
    grace = await signIn(t, 'grace');
  });
  after(async () => {
    smtp.assertNothingUnexpected();
    await t.end();
    await smtp.stop();
  });

  async function act(who: SignedIn, id: string, action: string, body?: unknown) {
    const answer = await who.call('POST', `/api/pages/${id}/${action}`, body);
    await t.settle();
    return answer;
  }
  const pageOf = async (id: string) => (await ada.call('GET', `/api/pages/${id}`)).body.page;
  const minutesLeft = async (id: string) => {
    const now = (await t.clock.now(t.db)).epochMilliseconds;
    return Math.round((Date.parse((await pageOf(id)).remind_at) - now) / 60_000);
  };

  it('of high urgency times out after half an hour: the same person is notified, then the next stage', async () => {
    const id = await pageTheTeam(t);
    await act(ada, id, 'acknowledge');
    assert.equal(await minutesLeft(id), 30);
    await t.advance({ minutes: 29 });
    assert.equal((await pageOf(id)).state, 'acknowledged');
    await t.advance({ minutes: 1, seconds: 1 });
    const [webhook] = await t.notified('ada');
    const page = await pageOf(id);
    assert.deepEqual(
      [
        page.state,
        page.acknowledged_by,
        page.next.stage,
        page.notified.map((one: { person: { name: string } }) => one.person.name),
      ],
      ['notifying', null, 2, ['Ada']],
    );
    await t.advance({ minutes: 5 });
    await t.notified('grace');
    assert.ok(webhook);
    assert.equal((await t.acknowledge(webhook)).status, 200);
    assert.equal((await pageOf(id)).state, 'acknowledged');
    assert.equal(await minutesLeft(id), 30);
    await act(ada, id, 'resolve');
    await t.advance({ hours: 1 });
    const kinds = (await ada.call('GET', `/api/pages/${id}`)).body.timeline.map(
      (one: { kind: string }) => one.kind,
    );
    assert.ok(kinds.includes('reminded'));
  });

  it('of a source times out to those who are on call, because no person has the page', async () => {
    const source = await pageSource(t);
    const [page] = await source.post({ title: 'Disk full', dedup_key: 'disk', urgency: 'high' });
    await t.notified('ada');
    await source.post({ action: 'acknowledge', dedup_key: 'disk' });
    await t.advance({ minutes: 31 });
    await t.notified('ada');
    await t.advance({ minutes: 5 });
    await t.notified('grace');
    await act(ada, String(page?.id), 'resolve');
  });

  it('can be extended while somebody is working on it, which never shortens it', async () => {
    const id = await pageTheTeam(t);
    await act(ada, id, 'acknowledge');
    await t.advance({ minutes: 20 });
    assert.equal((await act(grace, id, 'extend')).body.changed, true);
    assert.equal(await minutesLeft(id), 30);
    await act(ada, id, 'extend', { minutes: 90 });
    assert.equal(await minutesLeft(id), 90);
    await act(ada, id, 'extend');
    assert.equal(await minutesLeft(id), 90);
    const bad = await act(ada, id, 'extend', { minutes: 10_081 });
    assert.deepEqual([bad.status, bad.body.details[0].field], [400, 'minutes']);
    await act(ada, id, 'resolve');
    assert.equal((await act(ada, id, 'extend')).status, 409);
    await t.advance({ hours: 2 });
  });

  it('is snoozed at any urgency, and notifies the person who acknowledged it at that time', async () => {
    const id = await pageTheTeam(t, { urgency: 'low' });
    assert.equal((await act(grace, id, 'snooze', { minutes: 90 })).status, 409);
    await act(grace, id, 'acknowledge');
    assert.equal((await pageOf(id)).remind_at, null);
    await t.advance({ hours: 20 });
    await act(ada, id, 'snooze', { minutes: 90 });
    await t.advance({ minutes: 89 });
    assert.equal((await pageOf(id)).state, 'acknowledged');
    await t.advance({ minutes: 1, seconds: 1 });
    await t.notified('grace');
    assert.equal((await pageOf(id)).next.kind, 'expire');
    await act(ada, id, 'resolve');
  });

  it('times out as configured in the schedule, and not at all if that is turned off', async () => {
    const schedule = (await ada.call('GET', '/api/schedules')).body.schedules[0].id;
    const set = (minutes: unknown) =>
      ada.call('PATCH', `/api/schedules/${schedule}`, { acknowledge_timeout_minutes: minutes });
    assert.equal((await set(-1)).status, 400);
    const saved = await set(10);
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    const id = await pageTheTeam(t);
    await act(ada, id, 'acknowledge');
    assert.equal(await minutesLeft(id), 10);
    await set(0);
    const other = await pageTheTeam(t);
    await act(ada, other, 'acknowledge');
    assert.equal((await pageOf(other)).remind_at, null);
    await act(ada, id, 'resolve');
    await t.advance({ hours: 5 });
    await act(ada, other, 'resolve');
    await set(30);
  });

  it('also times out at medium and low urgency if the schedule is configured so', async () => {
    const schedule = (await ada.call('GET', '/api/schedules')).body.schedules[0].id;
    const path = `/api/schedules/${schedule}`;
    const bad = await ada.call('PATCH', path, { ask_again_medium_minutes: 10_081 });
    assert.deepEqual([bad.status, bad.body.details[0].field], [400, 'ask_again_medium_minutes']);
    const saved = await ada.call('PATCH', path, { ask_again_medium_minutes: 60, ask_again_low_minutes: 240 });
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    for (const [urgency, minutes] of [
      ['medium', 60],
      ['low', 240],
    ] as const) {
      const id = await pageTheTeam(t, { urgency });
      await act(ada, id, 'acknowledge');
      assert.equal(await minutesLeft(id), minutes);
      await t.advance({ minutes: minutes - 1 });
      assert.equal((await pageOf(id)).state, 'acknowledged');
      await t.advance({ minutes: 1, seconds: 1 });
      await t.notified('ada');
      assert.equal((await pageOf(id)).state, 'notifying');
      await act(ada, id, 'resolve');
    }
    await ada.call('PATCH', path, { ask_again_medium_minutes: 0, ask_again_low_minutes: 0 });
  });

  it('of a person who can no longer be reached goes directly to the next stage', async () => {
    for (const urgency of ['high', 'low']) {
      const id = await pageTheTeam(t, { urgency });
      await act(ada, id, 'acknowledge');
      await act(ada, id, 'snooze', { minutes: 30 });
      await t.db
        .updateTable('contact_methods')
        .set({ verified_at: null })
        .where('user_id', '=', t.acme.users.ada ?? '')
        .execute();
      await t.advance({ minutes: 31 });
      await t.notified('grace');
      assert.equal((await pageOf(id)).state, 'notifying', urgency);
      await t.db
        .updateTable('contact_methods')
        .set({ verified_at: await t.clock.now(t.db) })
        .where('user_id', '=', t.acme.users.ada ?? '')
        .execute();
      await act(grace, id, 'resolve');
    }
  });

  it('from before there were timeouts, or that was undone, does not change', async () => {
    const id = await pageTheTeam(t);
    await act(ada, id, 'acknowledge');
    await t.db.updateTable('pages').set({ remind_at: null }).where('id', '=', id).execute();
    await t.advance({ hours: 3 });
    assert.equal((await pageOf(id)).state, 'acknowledged');
    await act(ada, id, 'resolve');
    const undone = await pageTheTeam(t);
    await act(ada, undone, 'acknowledge');
    await act(ada, undone, 'undo');
    assert.equal((await pageOf(undone)).remind_at, null);
    await act(ada, undone, 'resolve');
  });

  it('of a storm times out within the rate limits', async () => {
    const ids: string[] = [];
    for (let n = 1; n <= 25; n++) {
      const { page } = await t.status(await t.page('person', 'alan@example.com', { title: `Storm ${n}` }));
      ids.push(page.id);
      if (n % 20 === 0) await t.advance({ seconds: 61 });
    }
    for (let mail = 1; mail <= 25; mail++) await smtp.messages.next();
    const alan = await signIn(t, 'alan');
    for (const id of ids) assert.equal((await act(alan, id, 'acknowledge')).body.changed, true);
    await t.advance({ minutes: 31 });
    for (let mail = 1; mail <= 20; mail++) await smtp.messages.next();
    smtp.assertNothingUnexpected();
    await t.advance({ seconds: 61 });
    assert.match((await smtp.messages.next()).text, /Storm/);
    const states = (await alan.call('GET', '/api/pages?limit=25')).body.pages.map(
      (one: { state: string }) => one.state,
    );
    assert.deepEqual([...new Set(states)], ['notifying']);
    for (const id of ids) await act(alan, id, 'resolve');
  });
});
