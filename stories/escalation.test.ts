import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { seedAway } from '../testing/organization.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

describe('a page to a team', () => {
  let t: Story;

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: {
          ...webhookPeople(receiver, 'ada', 'grace', 'alan', 'barbara'),
          joan: {
            methods: [{ type: 'webhook', value: `${receiver.url}joan` }],
            rules: {
              high: [
                { after: 0, channels: ['webhook'] },
                { after: 1, channels: ['webhook'] },
              ],
            },
          },
        },
        teams: {
          hasty: { members: ['joan'], schedules: [{ stages: [['joan']], delay: 1 }] },
          sre: {
            members: ['ada', 'grace', 'alan', 'barbara'],
            schedules: [{ stages: [['ada'], ['grace']], backstop: 'alan' }],
          },
          twins: { members: ['ada', 'grace'], schedules: [{ stages: [['ada', 'grace'], ['alan']] }] },
          gap: { members: ['ada', 'alan'], schedules: [{ stages: [[], []], backstop: 'alan' }] },
          bare: { members: ['ada', 'grace'] },
        },
      }),
    });
  });
  afterEach(async () => {
    await t.resolveAcknowledged();
    t.receiver.assertNothingUnexpected();
  });
  after(() => t.end());

  it('escalates to the backstop in each of three rounds, then expires and notifies everybody', async () => {
    const request = await t.page('team', 'sre', { urgency: 'high' });
    for (let round = 1; round <= 3; round++) {
      const [first] = await t.notified('ada');
      assert.equal(first?.body.round, round);
      assert.equal(first?.body.stage, 1);
      await t.advance({ minutes: 4, seconds: 59 });
      await t.advance({ seconds: 2 });
      assert.equal((await t.notified('grace'))[0]?.body.stage, 2);
      await t.advance({ minutes: 5 });
      assert.equal((await t.notified('alan'))[0]?.body.stage, null);
      await t.advance({ minutes: 5 });
    }
    const told = await t.notified('ada', 'grace', 'alan', 'barbara');
    assert.deepEqual(
      told.map(({ body }) => body.type),
      Array(4).fill('page.expired'),
    );
    const { status, page } = await t.status(request);
    assert.equal(status, 'succeeded');
    assert.equal(page.state, 'expired');
    await t.advance({ hours: 24 });
  });

  it('stops for everyone as soon as one person acknowledges', async () => {
    const request = await t.page('team', 'sre', { urgency: 'high' });
    const [webhook] = await t.notified('ada');
    assert.ok(webhook);
    const answer = await t.acknowledge(webhook);
    assert.equal(answer.status, 200);
    await t.advance({ minutes: 29 });
    const { page } = await t.status(request);
    assert.equal(page.state, 'acknowledged');
    assert.equal(page.acknowledged_by?.email, 'ada@example.com');
  });

  it('waits three times as long at medium, and does not escalate at low', async () => {
    await t.page('team', 'sre');
    const [medium] = await t.notified('ada');
    await t.advance({ minutes: 14 });
    await t.notified();
    await t.advance({ minutes: 2 });
    await t.notified('grace');
    assert.ok(medium);
    await t.acknowledge(medium);

    await t.page('team', 'sre', { urgency: 'low' });
    const [low] = await t.notified('ada');
    await t.advance({ hours: 23 });
    assert.ok(low);
    await t.acknowledge(low);
  });

  it('gives the stage to which somebody escalates the usual time to answer', async () => {
    const request = await t.page('team', 'sre', { urgency: 'low' });
    await t.notified('ada');
    await t.advance({ hours: 23 });
    const { page } = await t.status(request);
    assert.equal((await t.post(`/api/pages/${page.id}/escalate`, {})).status, 200);
    await t.settle();
    const [second] = await t.notified('grace');
    await t.advance({ hours: 23, minutes: 59 });
    assert.equal((await t.status(request)).page.state, 'notifying');
    assert.ok(second);
    await t.acknowledge(second);
  });

  it('does not expire at once if somebody escalates although everybody was notified', async () => {
    const request = await t.page('team', 'sre', { urgency: 'high' });
    for (let minutes = 0; minutes < 45; minutes += 5) {
      await t.notified(['ada', 'grace', 'alan'][(minutes / 5) % 3] ?? '');
      await t.advance({ minutes: minutes === 40 ? 1 : 5 });
    }
    const { page } = await t.status(request);
    assert.deepEqual([page.state, page.round], ['notifying', 3]);
    for (let times = 0; times < 2; times++) {
      assert.equal((await t.post(`/api/pages/${page.id}/escalate`, {})).status, 200);
      await t.settle();
      assert.equal((await t.status(request)).page.state, 'notifying');
    }
    await t.advance({ minutes: 4 });
    assert.equal((await t.status(request)).page.state, 'notifying');
    await t.advance({ minutes: 1 });
    assert.equal((await t.status(request)).page.state, 'expired');
    await t.notified('ada', 'grace', 'alan', 'barbara');
  });

  it('leaves a person whom a rule notifies in the last second of a page the usual time to answer', async () => {
    const request = await t.page('team', 'hasty', { urgency: 'high' });
    await t.notified('joan');
    for (const minute of [1, 2]) {
      await t.advance({ minutes: 1 });
      // The rule of the round before, and the next round.
      const notifications = await t.notified('joan', 'joan');
      assert.deepEqual(notifications.map(({ body }) => body.round).sort(), [minute, minute + 1]);
    }
    await t.advance({ minutes: 1 });
    const [last] = await t.notified('joan');
    assert.equal(last?.body.type, 'page.notification');
    await t.advance({ minutes: 4, seconds: 59 });
    assert.equal((await t.status(request)).page.state, 'notifying');
    await t.advance({ seconds: 2 });
    assert.equal((await t.status(request)).page.state, 'expired');
    assert.equal((await t.notified('joan'))[0]?.body.type, 'page.expired');
  });

  it('leaves a person the usual time to answer if the node that should have notified them died', async () => {
    const request = await t.page('person', 'ada@example.com', { urgency: 'high' });
    await t.notified('ada');
    // The state of a delivery whose node died before it sent it.
    const lost = sql`
      with lost as (
        update deliveries d set state = 'sending', lease_owner = 9999, lease_until = d.sent_at + interval '1 hour', accepted_at = null
        from pages p where p.id = d.page_id and p.request_id = ${request} returning d.id)
      update delivery_attempts a set ended_at = null, outcome = null, provider_id = null, node = 9999 from lost where a.delivery_id = lost.id`;
    await lost.execute(t.db);
    await t.clock.advance({ minutes: 4, seconds: 55 });
    await t.settle();
    const [again] = await t.notified('ada');
    assert.equal(again?.body.repeat, true);
    await t.advance({ seconds: 10 });
    assert.equal((await t.status(request)).page.state, 'notifying');
    await t.advance({ minutes: 4, seconds: 49 });
    assert.equal((await t.status(request)).page.state, 'notifying');
    await t.advance({ seconds: 2 });
    assert.equal((await t.status(request)).page.state, 'expired');
  });

  it('leaves a person whom only a retry reached the usual time to answer', async () => {
    t.receiver.always({ status: 503 });
    const request = await t.page('person', 'ada@example.com', { urgency: 'high' });
    for (let seconds = 0; seconds < 250; seconds += 10) await t.advance({ seconds: 10 });
    t.receiver.always(null);
    t.receiver.inbox.takeAll();
    // The longest time between two retries is 36 s.
    await t.advance({ seconds: 40 });
    assert.equal((await t.status(request)).page.deliveries[0]?.state, 'accepted');
    await t.notified('ada');
    await t.advance({ minutes: 4, seconds: 20 });
    assert.equal((await t.status(request)).page.state, 'notifying');
    await t.advance({ minutes: 1 });
    assert.equal((await t.status(request)).page.state, 'expired');
  });

  it('leaves a person the usual time to answer a retry that a standstill delayed', async () => {
    t.receiver.always({ status: 503 });
    const request = await t.page('person', 'ada@example.com', { urgency: 'high' });
    t.receiver.always(null);
    t.receiver.inbox.takeAll();
    // Nothing runs for an hour.
    await t.advance({ hours: 1 });
    await t.notified('ada');
    assert.equal((await t.status(request)).page.state, 'notifying');
    await t.advance({ minutes: 4, seconds: 50 });
    assert.equal((await t.status(request)).page.state, 'notifying');
    await t.advance({ seconds: 20 });
    assert.equal((await t.status(request)).page.state, 'expired');
  });

  it('does not keep a page open whose person nothing reaches', async () => {
    t.receiver.always({ status: 503 });
    const request = await t.page('person', 'ada@example.com', { urgency: 'high' });
    for (let seconds = 0; seconds <= 300; seconds += 20) await t.advance({ seconds: 20 });
    t.receiver.always(null);
    t.receiver.inbox.takeAll();
    assert.equal((await t.status(request)).page.state, 'expired');
  });

  it('notifies everybody of the lowest stage', async () => {
    await t.page('team', 'twins', { urgency: 'high' });
    const [webhook] = await t.notified('ada', 'grace');
    assert.ok(webhook);
    await t.acknowledge(webhook);
  });

  it('goes to the backstop at once when nobody is on call', async () => {
    await t.page('team', 'gap', { urgency: 'high' });
    const [webhook] = await t.notified('alan');
    assert.ok(webhook);
    await t.acknowledge(webhook);
  });

  it('reaches every member if there is neither schedule nor backstop', async () => {
    await t.page('team', 'bare', { urgency: 'high' });
    const [webhook] = await t.notified('ada', 'grace');
    assert.ok(webhook);
    await t.acknowledge(webhook);
  });

  it('still pages a person who is away, and the next stage with them', async () => {
    const now = await t.clock.now(t.db);
    await seedAway(t, t.acme, 'ada', now.subtract({ hours: 1 }), 3);
    await t.page('team', 'sre', { urgency: 'high' });
    const [webhook] = await t.notified('ada', 'grace');
    assert.ok(webhook);
    await t.acknowledge(webhook);
    await t.resolveAcknowledged();
    await t.advance({ hours: 4 });
  });
});
