import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { eventually } from '../testing/eventually.ts';
import { type FakeTwilio, fakeTwilio } from '../testing/fakes/fake-twilio.ts';
import type { ReceivedWebhook } from '../testing/fakes/webhook-receiver.ts';
import { pageSource } from '../testing/page-source.ts';
import { signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

describe("when the database's clock is set back by an hour", () => {
  let t: Story;
  let twilio: FakeTwilio;

  before(async () => {
    twilio = await fakeTwilio();
    t = await story({
      env: twilio.env,
      organization: (receiver) => ({
        people: {
          ...webhookPeople(receiver, 'ada', 'grace'),
          alan: {
            methods: [{ type: 'phone', value: '+4915112345678' }],
            rules: { high: [{ after: 0, channels: ['voice'] }] },
          },
          barbara: {
            methods: [
              { type: 'webhook', value: `${receiver.url}barbara` },
              { type: 'phone', value: '+4915112345679' },
            ],
            rules: {
              high: [
                { after: 0, channels: ['webhook'] },
                { after: 2, channels: ['sms'] },
              ],
            },
          },
        },
        teams: {
          sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']], backstop: 'ada' }] },
        },
      }),
    });
    // The shifts of this organization started an hour ago.
    t.clock.advance({ hours: 8 });
  });
  afterEach(() => {
    t.receiver.assertNothingUnexpected();
    twilio.assertNothingUnexpected();
  });
  after(async () => {
    await t.end();
    await twilio.stop();
  });

  /** Nodes write a heartbeat every few seconds; the ones in this story do not write any by themselves. */
  async function setBack(): Promise<void> {
    await t.db.updateTable('nodes').set({ seen_at: t.clock.sql }).execute();
    t.clock.step({ hours: -1 });
  }

  /** Moves the clock until just after the end of this time, before which nothing is sent. */
  async function nothingFor({
    minutes,
    then = () => undefined,
  }: {
    minutes: number;
    then?(): void;
  }): Promise<void> {
    await t.settle();
    t.receiver.assertNothingUnexpected();
    await t.advance({ minutes: minutes - 1, seconds: 55 });
    t.receiver.assertNothingUnexpected();
    then();
    await t.advance({ seconds: 6 });
  }

  async function acknowledge(webhook: ReceivedWebhook | undefined): Promise<void> {
    assert.ok(webhook);
    assert.equal((await t.acknowledge(webhook)).status, 200);
  }

  it('escalates on time: neither an hour late nor early', async () => {
    await t.page('team', 'sre', { urgency: 'high' });
    const [first] = await t.notified('ada');
    await t.advance({ minutes: 2 });
    await setBack();
    await nothingFor({ minutes: 3 });
    assert.equal((await t.notified('grace'))[0]?.body.stage, 2);
    await acknowledge(first);
    await t.resolveAcknowledged();
  });

  it('raises a page on time that waits for its source', async () => {
    const source = await pageSource(t, { wait_minutes: 5 });
    assert.equal((await source.post({ title: 'Slow disk', dedup_key: 'slow' }))[0]?.action, 'waiting');
    await t.advance({ minutes: 2 });
    await setBack();
    await nothingFor({ minutes: 3 });
    const [webhook] = await t.notified('ada');
    await acknowledge(webhook);
    await t.resolveAcknowledged();
  });

  it('ends a silence on time, and pages what is still open then', async () => {
    const source = await pageSource(t);
    const ada = await signIn(t, 'ada');
    const silence = { team: 'sre', name: 'Deployment', silence: true, minutes: 30 };
    assert.equal((await ada.call('POST', '/api/windows', silence)).status, 201);
    assert.equal((await source.post({ title: 'Silenced', dedup_key: 'silenced' }))[0]?.action, 'waiting');
    await t.advance({ minutes: 10 });
    await setBack();
    await t.settle();
    assert.equal((await source.post({ title: 'Silenced, too', dedup_key: 'too' }))[0]?.action, 'waiting');
    await t.advance({ minutes: 19, seconds: 50 });
    t.receiver.assertNothingUnexpected();
    await t.advance({ seconds: 11 });
    const [first, second] = await t.notified('ada', 'ada');
    assert.deepEqual([first?.body.title, second?.body.title].sort(), ['Silenced', 'Silenced, too']);
    for (const one of [first, second]) await acknowledge(one);
    await t.resolveAcknowledged();
    await t.advance({ minutes: 25 });
    assert.equal((await source.post({ title: 'After it', dedup_key: 'after' }))[0]?.action, 'raised');
    const [after] = await t.notified('ada');
    await acknowledge(after);
    await t.resolveAcknowledged();
  });

  it('sends the reminder of an acknowledgement on time, and once', async () => {
    await t.page('team', 'sre', { urgency: 'high', title: 'Acknowledged, then the clock' });
    const [first] = await t.notified('ada');
    await acknowledge(first);
    await t.advance({ minutes: 20 });
    await setBack();
    await nothingFor({ minutes: 10 });
    const [again] = await t.notified('ada');
    await acknowledge(again);

    // On the next page, the clock is set back right after the reminder, which must not be sent twice.
    await t.advance({ minutes: 30, seconds: 1 });
    const [third] = await t.notified('ada');
    await setBack();
    await t.settle();
    t.receiver.assertNothingUnexpected();
    await acknowledge(third);
    await t.resolveAcknowledged();
  });

  it('escalates on time after a reminder that came early, because the clock was wrong for a moment', async () => {
    await t.page('team', 'sre', { urgency: 'high', title: 'The clock was wrong' });
    const [first] = await t.notified('ada');
    await acknowledge(first);
    await t.db.updateTable('nodes').set({ seen_at: t.clock.sql }).execute();
    t.clock.step({ hours: 1 });
    await t.settle();
    const [again] = await t.notified('ada');
    await setBack();
    await nothingFor({ minutes: 5 });
    assert.equal((await t.notified('grace'))[0]?.body.stage, 2);
    await acknowledge(again);
    await t.resolveAcknowledged();
  });

  it('keeps the full length of a snooze that began after the clock was set back', async () => {
    await t.page('team', 'sre', { urgency: 'high', title: 'Snoozed, after the clock' });
    const [first] = await t.notified('ada');
    await acknowledge(first);
    const { id } = await t.db
      .selectFrom('pages')
      .select('id')
      .where('title', '=', 'Snoozed, after the clock')
      .executeTakeFirstOrThrow();
    await t.advance({ minutes: 10 });
    await setBack();
    const ada = await signIn(t, 'ada');
    // The service has not noticed yet that the clock was set back.
    assert.equal((await ada.call('POST', `/api/pages/${id}/snooze`, { minutes: 60 })).status, 200);
    await nothingFor({ minutes: 60 });
    const [again] = await t.notified('ada');
    await acknowledge(again);
    await t.resolveAcknowledged();
  });

  it('notifies people who are added to a page that was acknowledged before, until they answer', async () => {
    const { page } = await t.status(await t.page('team', 'sre', { urgency: 'high', title: 'More people' }));
    const [first] = await t.notified('ada');
    await acknowledge(first);
    await setBack();
    await t.settle();
    const added = await t.post(`/api/pages/${page.id}/responders`, { users: ['barbara@example.com'] });
    assert.equal(added.status, 200, JSON.stringify(added.body));
    const [second] = await t.notified('barbara');
    await setBack();
    await t.settle();
    await acknowledge(second);
    await t.advance({ minutes: 3 });
    twilio.assertNothingUnexpected();
    assert.equal((await t.post(`/api/pages/${page.id}/resolve`, {})).status, 200);
  });

  it('escalates at once if nobody in the stage after it can be reached', async () => {
    await t.page('team', 'sre', { urgency: 'high', title: 'Unreachable after it' });
    await t.notified('ada');
    await t.advance({ minutes: 2 });
    await setBack();
    await nothingFor({ minutes: 3, then: () => t.receiver.script({ status: 410 }) });
    const [unreachable, backstop] = await t.notified('grace', 'ada');
    assert.deepEqual([unreachable?.body.stage, backstop?.body.stage], [2, null]);
    await acknowledge(backstop);
    await t.resolveAcknowledged();
  });

  it("continues a person's rules on time", async () => {
    await t.page('person', 'barbara@example.com');
    const [first] = await t.notified('barbara');
    await setBack();
    await t.settle();
    twilio.assertNothingUnexpected();
    await t.advance({ minutes: 2, seconds: 1 });
    await twilio.messages.next();
    await acknowledge(first);
  });

  it('calls at once for a new page, although the last call seems to be in the future', async () => {
    await t.page('person', 'alan@example.com');
    await twilio.calls.next();
    await setBack();
    await t.page('person', 'alan@example.com');
    await twilio.calls.next();
  });
});

describe("when the database's clock is set forward by an hour", () => {
  it('does not send again what is being sent', async () => {
    const t = await story({
      automatic: true,
      organization: (receiver) => ({ people: webhookPeople(receiver, 'ada') }),
    });
    try {
      t.receiver.always({ status: 204, delayMs: 1_500 });
      const request = await t.page('person', 'ada@example.com', { urgency: 'low' });
      await t.notified('ada');
      t.clock.step({ hours: 1 });
      await eventually(async () => (await t.status(request)).status, 'succeeded');
      t.receiver.assertNothingUnexpected();
      const { deliveries } = (await t.status(request)).page;
      assert.deepEqual(
        deliveries.map(({ state, repeat }) => ({ state, repeat })),
        [{ state: 'accepted', repeat: false }],
      );
    } finally {
      await t.end();
    }
  });
});

describe('after an hour in which nothing ran', () => {
  const ADA = {
    methods: (url: string) => [
      { type: 'webhook' as const, value: `${url}ada` },
      { type: 'phone' as const, value: '+4915112345678' },
    ],
    rules: {
      high: [
        { after: 0, channels: ['webhook' as const] },
        { after: 2, channels: ['sms' as const] },
      ],
    },
  };

  async function standStill(then: (t: Story) => Promise<void>): Promise<void> {
    const twilio = await fakeTwilio();
    const t = await story({
      env: twilio.env,
      organization: (receiver) => ({
        people: { ada: { methods: ADA.methods(receiver.url), rules: ADA.rules } },
      }),
    });
    try {
      const request = await t.page('person', 'ada@example.com');
      await t.notified('ada');
      await t.advance({ hours: 1 });
      await twilio.messages.next();
      await then(t);
      assert.equal((await t.status(request)).page.state, 'notifying');
      await t.advance({ minutes: 4, seconds: 55 });
      assert.equal((await t.status(request)).page.state, 'notifying');
      await t.advance({ seconds: 6 });
      assert.equal((await t.status(request)).page.state, 'expired');
      twilio.assertNothingUnexpected();
    } finally {
      await t.end();
      await twilio.stop();
    }
  }

  it('sends the last notifications before a page expires', () => standStill(async () => {}));

  for (const [minutes, when] of [
    [50, 'then'],
    [60, 'then to the time at which it was raised'],
  ] as const)
    it(`ends the page as soon if the clock is set back ${when}`, () =>
      standStill(async (t) => {
        await t.db.updateTable('nodes').set({ seen_at: t.clock.sql }).execute();
        t.clock.step({ minutes: -minutes });
        await t.settle();
      }));
});
