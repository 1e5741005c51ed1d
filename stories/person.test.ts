import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { type FakeSmtp, fakeSmtp } from '../testing/fakes/fake-smtp.ts';
import { type FakeTwilio, fakeTwilio } from '../testing/fakes/fake-twilio.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

describe('a page to a person', () => {
  let t: Story;
  let smtp: FakeSmtp;
  let twilio: FakeTwilio;

  before(async () => {
    smtp = await fakeSmtp();
    twilio = await fakeTwilio();
    t = await story({
      env: { ...smtp.env, ...twilio.env },
      organization: (receiver) => ({
        people: {
          ...webhookPeople(receiver, 'boss'),
          ada: {
            methods: [
              { type: 'webhook', value: `${receiver.url}ada` },
              { type: 'email', value: 'ada@example.com' },
              { type: 'phone', value: '+4915112345678' },
            ],
          },
          grace: {
            methods: [
              { type: 'email', value: 'grace@example.com' },
              { type: 'webhook', value: `${receiver.url}grace` },
            ],
            rules: {
              high: [
                { after: 0, channels: ['email'] },
                { after: 10, channels: ['webhook'] },
              ],
            },
          },
          alan: {
            methods: [{ type: 'webhook', value: `${receiver.url}alan` }],
            rules: { high: [{ after: 0, channels: ['sms', 'chat'] }] },
          },
          barbara: {
            methods: [
              { type: 'email', value: 'barbara@example.com' },
              { type: 'webhook', value: `${receiver.url}barbara` },
            ],
            rules: { high: [{ after: 0, channels: ['email'] }] },
          },
          nobody: { methods: [{ type: 'email', value: 'nobody@example.com', verified: false }] },
        },
      }),
    });
  });
  afterEach(() => {
    t.receiver.assertNothingUnexpected();
    smtp.assertNothingUnexpected();
    twilio.assertNothingUnexpected();
  });
  after(async () => {
    await t.end();
    await smtp.stop();
    await twilio.stop();
  });

  it('follows the default rules of high urgency: everything at once, then calls', async () => {
    const request = await t.page('person', 'ADA@example.com');
    const [webhook] = await t.notified('ada');
    assert.equal(webhook?.body.urgency, 'high');
    assert.match((await smtp.messages.next()).headers.subject ?? '', /Disk full/);
    await twilio.messages.next();
    for (let call = 0; call < 3; call++) {
      await t.advance({ minutes: 2 });
      await twilio.calls.next();
    }
    await t.advance({ minutes: 4 });
    assert.equal((await t.status(request)).page.state, 'notifying');
    await t.advance({ minutes: 2 });
    const { status, page } = await t.status(request);
    assert.equal(page.state, 'expired');
    assert.equal(status, 'succeeded');
  });

  it('sends an SMS only after five minutes at medium, and never at low', async () => {
    await t.page('person', 'ada@example.com', { urgency: 'medium' });
    const [medium] = await t.notified('ada');
    await smtp.messages.next();
    await t.advance({ minutes: 5 });
    await twilio.messages.next();
    assert.ok(medium);
    await t.acknowledge(medium);
    await t.page('person', 'ada@example.com', { urgency: 'low' });
    const [low] = await t.notified('ada');
    await smtp.messages.next();
    await t.advance({ hours: 20 });
    assert.ok(low);
    await t.acknowledge(low);
  });

  it('uses every verified method if the rules reach none', async () => {
    await t.page('person', 'alan@example.com');
    const [webhook] = await t.notified('alan');
    assert.ok(webhook);
    await t.acknowledge(webhook);
  });

  it('continues with the next rule at once if a channel fails permanently', async () => {
    smtp.script({ at: 'rcpt', code: 550 });
    const request = await t.page('person', 'grace@example.com');
    const [webhook] = await t.notified('grace');
    assert.ok(webhook);
    const { status, page, errors } = await t.status(request);
    assert.equal(status, 'succeeded');
    assert.deepEqual(
      page.deliveries.map(({ channel, state }) => `${channel} ${state}`),
      ['email failed', 'webhook accepted'],
    );
    assert.match(errors[0]?.message ?? '', /^email to grace@example.com: /);
    await t.acknowledge(webhook);
  });

  it('retries temporary failures while the next channel is used', async () => {
    smtp.script({ at: 'rcpt', code: 451 });
    const request = await t.page('person', 'barbara@example.com');
    const [webhook] = await t.notified('barbara');
    assert.equal((await t.status(request)).page.deliveries[0]?.state, 'retrying');
    await t.advance({ seconds: 2 });
    await smtp.messages.next();
    assert.equal((await t.status(request)).page.deliveries[0]?.state, 'accepted');
    assert.ok(webhook);
    await t.acknowledge(webhook);
  });

  it('fails when every contact method was tried and none worked', async () => {
    t.receiver.script({ status: 410 });
    const request = await t.page('person', 'alan@example.com');
    await t.receiver.expect(() => true).catch(() => undefined);
    const { status, success, page, message } = await t.status(request);
    assert.equal(status, 'failed');
    assert.equal(success, false);
    assert.equal(page.state, 'expired');
    assert.match(message, /Nobody could be reached/);
  });

  it('is refused with the reason if it could reach nobody', async () => {
    for (const recipient of ['nobody@example.com', 'unknown@example.com']) {
      const { status, body } = await t.post('/page/person', { recipient, title: 'x', text: 'y' });
      assert.equal(status, 400);
      assert.equal(body.error, 'Bad Request');
      assert.equal((body.details as { field: string }[])[0]?.field, 'recipient');
    }
    const kept = await t.db.selectFrom('refused_pages').select('kind').execute();
    assert.equal(kept.length, 2);
  });
});
