import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type FakeTwilio, fakeTwilio } from '../testing/fakes/fake-twilio.ts';
import { freePort } from '../testing/free-port.ts';
import { type Story, story } from '../testing/story.ts';

describe('answers to a page', () => {
  let t: Story;
  let twilio: FakeTwilio;

  before(async () => {
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    twilio = await fakeTwilio({ publicUrl });
    t = await story({
      env: { ...twilio.env, PORT: String(port) },
      organization: (receiver) => ({
        people: {
          ada: {
            methods: [{ type: 'phone', value: '+4915112345678' }],
            rules: {
              high: [
                { after: 0, channels: ['sms'] },
                { after: 2, channels: ['voice'] },
              ],
              low: [{ after: 0, channels: ['voice'] }],
            },
          },
          grace: { methods: [{ type: 'webhook', value: `${receiver.url}grace` }] },
        },
        teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] } },
      }),
    });
  });
  // A phone rings at most once a minute, so every story starts in a minute of its own.
  beforeEach(() => t.advance({ minutes: 2 }));
  afterEach(async () => {
    await t.resolveAcknowledged();
    t.receiver.assertNothingUnexpected();
    twilio.assertNothingUnexpected();
  });
  after(async () => {
    await t.end();
    await twilio.stop();
  });

  it('come by SMS, with the code of the page', async () => {
    const request = await t.page('team', 'sre', { urgency: 'high' });
    const sms = await twilio.messages.next();
    const code = /ACK (\d{4})/i.exec(sms.body)?.[1];
    assert.ok(code, sms.body);
    assert.match(await (await twilio.sms('+4915112345678', `ack ${code}`)).text(), /acknowledged/i);
    assert.equal((await t.status(request)).page.state, 'acknowledged');
    await t.advance({ minutes: 29 });
  });

  it('come by a key on the phone', async () => {
    const request = await t.page('person', 'ada@example.com', { urgency: 'low' });
    const call = await twilio.calls.next();
    assert.match(await twilio.press(call, '4'), /acknowledged/i);
    assert.equal((await t.status(request)).page.state, 'acknowledged');
  });

  it('escalate by a key on the phone, once', async () => {
    await t.page('team', 'sre', { urgency: 'low' });
    const call = await twilio.calls.next();
    await twilio.press(call, '6');
    await twilio.press(call, '6');
    await t.settle();
    const [webhook] = await t.notified('grace');
    assert.ok(webhook);
    await t.acknowledge(webhook);
  });

  it('start the next channel at once if a receipt reports that the message did not arrive', async () => {
    const request = await t.page('person', 'ada@example.com');
    const sms = await twilio.messages.next();
    await twilio.receipt(sms, 'undelivered');
    await t.settle();
    const call = await twilio.calls.next();
    await twilio.press(call, '4');
    const { page } = await t.status(request);
    assert.deepEqual(
      page.deliveries.map(({ channel, state }) => `${channel} ${state}`),
      ['sms failed', 'voice accepted'],
    );
  });

  it('count even if the receipt arrives before we recorded the acceptance', async () => {
    twilio.script({ delayMs: 300 });
    const paging = t.page('person', 'ada@example.com');
    const sms = await twilio.messages.next();
    assert.ok((await twilio.receipt(sms, 'failed')).ok);
    const request = await paging;
    await t.settle();
    const call = await twilio.calls.next();
    await twilio.press(call, '4');
    const { page } = await t.status(request);
    assert.deepEqual(
      page.deliveries.map(({ channel, state }) => `${channel} ${state}`),
      ['sms failed', 'voice accepted'],
    );
  });

  it('come by a signed link whose GET changes nothing', async () => {
    await t.page('team', 'sre', { urgency: 'high' });
    await twilio.messages.next();
    await t.advance({ minutes: 5 });
    await twilio.calls.next();
    const [webhook] = await t.notified('grace');
    assert.ok(webhook);
    const link = webhook.body.acknowledge_url;
    for (let visit = 0; visit < 3; visit++) {
      const page = await fetch(link);
      assert.equal(page.status, 200);
      assert.match(await page.text(), /<button/);
    }
    assert.equal(
      (
        await t.db
          .selectFrom('pages')
          .select('state')
          .where('id', '=', webhook.body.page_id)
          .executeTakeFirstOrThrow()
      ).state,
      'notifying',
    );
    const answer = await t.acknowledge(webhook);
    assert.equal(answer.status, 200);
    const again = await t.acknowledge(webhook);
    assert.deepEqual(again, answer, 'a repeat gets the reply of the first');
    const forged = await fetch(`${link.slice(0, -3)}AAA`, { method: 'POST' });
    assert.deepEqual([forged.status, forged.headers.get('cache-control')], [404, 'no-store']);
    t.clock.advance({ hours: 24 * 8 });
    assert.equal((await fetch(link)).status, 410);
  });
});
