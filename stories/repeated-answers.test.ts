import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type FakeSlack, fakeSlack } from '../testing/fakes/fake-slack.ts';
import { type FakeTwilio, fakeTwilio } from '../testing/fakes/fake-twilio.ts';
import { freePort } from '../testing/free-port.ts';
import { type Story, story } from '../testing/story.ts';

const ADA = '+4915112345678';

/** Providers repeat a request when they get no answer, and a recorded request stays validly signed. */
describe('an answer that is sent again', () => {
  let t: Story;
  let twilio: FakeTwilio;
  let slack: FakeSlack;
  let publicUrl: string;

  before(async () => {
    const port = await freePort();
    publicUrl = `http://127.0.0.1:${port}`;
    twilio = await fakeTwilio({ publicUrl });
    slack = await fakeSlack({ publicUrl });
    t = await story({
      env: { ...twilio.env, ...slack.env, PORT: String(port) },
      organization: (receiver) => ({
        people: {
          ada: {
            methods: [{ type: 'phone', value: ADA }],
            rules: {
              high: [{ after: 0, channels: ['sms'] }],
              medium: [{ after: 0, channels: ['sms'] }],
              low: [{ after: 0, channels: ['voice'] }],
            },
          },
          grace: { methods: [{ type: 'webhook', value: `${receiver.url}grace` }] },
          alan: { methods: [{ type: 'chat', value: 'alan', chatUserId: 'U0000ALAN' }] },
        },
        teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] } },
      }),
    });
  });
  // A phone is called at most once a minute, so every story starts without a recent page.
  beforeEach(async () => {
    // Otherwise acknowledged pages would notify again.
    await t.resolveAcknowledged();
    await t.advance({ hours: 2 });
  });
  afterEach(() => {
    t.receiver.assertNothingUnexpected();
    twilio.assertNothingUnexpected();
    slack.assertNothingUnexpected();
  });
  after(async () => {
    await t.end();
    await twilio.stop();
    await slack.stop();
  });

  const sms = async (sid: string, body: string) => {
    const fields = { MessageSid: sid, From: ADA, To: twilio.settings.from, Body: body };
    return (await twilio.callback(`${publicUrl}/callbacks/twilio/sms`, fields)).text();
  };
  const stateOf = async (request: string) => (await t.status(request)).page.state;
  /** As if the acknowledgement had been undone. */
  const reopen = (pageId: string) =>
    t.db
      .updateTable('pages')
      .set({ state: 'notifying', acknowledged_at: null, acknowledged_by: null, acknowledged_via: null })
      .where('id', '=', pageId)
      .execute();

  it('by SMS does not acknowledge the next page, and gets the same reply', async () => {
    const first = await t.page('person', 'ada@example.com', { urgency: 'high', title: 'Disk full' });
    await twilio.messages.next();
    const reply = await sms('SM01', 'ACK');
    assert.match(reply, /Acknowledged: Disk full/);
    assert.equal(await stateOf(first), 'acknowledged');

    const second = await t.page('person', 'ada@example.com', { urgency: 'high', title: 'Queue stuck' });
    await twilio.messages.next();
    assert.equal(await sms('SM01', 'ACK'), reply);
    assert.equal(await stateOf(second), 'notifying');

    assert.match(await sms('SM02', 'ACK'), /Acknowledged: Queue stuck/);
    assert.equal(await stateOf(second), 'acknowledged');
  });

  it('by SMS at the same moment acts once', async () => {
    const request = await t.page('person', 'ada@example.com', { urgency: 'high' });
    await twilio.messages.next();
    const replies = await Promise.all(Array.from({ length: 8 }, () => sms('SM03', 'ACK')));
    assert.equal(new Set(replies).size, 1);
    assert.match(replies[0] ?? '', /Acknowledged/);
    const { page } = await t.status(request);
    const events = await t.db
      .selectFrom('page_events')
      .select('kind')
      .where('page_id', '=', page.id)
      .where('kind', '=', 'acknowledged')
      .execute();
    assert.equal(events.length, 1);
  });

  it('without a code acts only if exactly one open page was sent within the hour', async () => {
    const one = await t.page('person', 'ada@example.com', { urgency: 'high', title: 'Disk full' });
    const code = /ACK (\d{4})/i.exec((await twilio.messages.next()).body)?.[1];
    const two = await t.page('person', 'ada@example.com', { urgency: 'high', title: 'Queue stuck' });
    await twilio.messages.next();
    const list = await sms('SM04', 'ACK');
    assert.match(list, /Which page\? Reply ACK and its code/);
    assert.match(list, new RegExp(`${code} Disk full`));
    assert.match(list, /\d{4} Queue stuck/);
    assert.deepEqual([await stateOf(one), await stateOf(two)], ['notifying', 'notifying']);

    assert.match(await sms('SM05', `ack ${code}`), /Acknowledged: Disk full/);
    assert.equal(await sms('SM04', 'ACK'), list, 'although only one is left by now');
    assert.equal(await stateOf(two), 'notifying');
    assert.match(await sms('SM06', 'ACK'), /Acknowledged: Queue stuck/);
  });

  it('without a code lists a page that was sent more than an hour ago', async () => {
    const request = await t.page('person', 'ada@example.com', { urgency: 'medium', title: 'Disk full' });
    await twilio.messages.next();
    await t.db
      .updateTable('deliveries')
      .set({ sent_at: (await t.clock.now(t.db)).subtract({ minutes: 61 }) })
      .where('address', '=', ADA)
      .execute();
    assert.match(await sms('SM07', 'ACK'), /Which page\? Reply ACK and its code: \d{4} Disk full/);
    assert.equal(await stateOf(request), 'notifying');
  });

  it('by a key on the phone acts once for each call', async () => {
    const request = await t.page('person', 'ada@example.com', { urgency: 'low' });
    const call = await twilio.calls.next();
    const heard = await twilio.press(call, '4');
    assert.match(heard, /You have acknowledged the page/);
    const { page } = await t.status(request);
    await reopen(page.id);
    assert.equal(await twilio.press(call, '4'), heard);
    assert.equal(await stateOf(request), 'notifying');
  });

  it('by a click in the chat acts once, and its message gets the same text', async () => {
    const request = await t.page('person', 'alan@example.com', { urgency: 'high' });
    const message = await slack.messages.next();
    const button = message.blocks
      .flatMap((block) => block.elements ?? [])
      .find((one) => one.action_id === 'acknowledge');
    const payload = JSON.stringify({
      type: 'block_actions',
      user: { id: 'U0000ALAN' },
      trigger_id: 'T1.2.3',
      response_url: `${slack.settings.apiUrl.replace('/api/', '')}/response/1`,
      actions: [{ action_id: 'acknowledge', value: button?.value, action_ts: '1700000000.123456' }],
    });
    assert.equal((await slack.callback({ payload })).status, 200);
    const first = await slack.replaced.next();
    assert.match(first.text, /^Acknowledged by Alan/);
    const { page } = await t.status(request);
    await reopen(page.id);
    assert.equal((await slack.callback({ payload })).status, 200);
    assert.equal((await slack.replaced.next()).text, first.text);
    assert.equal(await stateOf(request), 'notifying');
  });

  it('by a link or a push acts once for each press of its button', async () => {
    await t.page('person', 'grace@example.com', { urgency: 'high' });
    const [webhook] = await t.notified('grace');
    assert.ok(webhook);
    const { acknowledge_url: link, page_id: pageId } = webhook.body;
    const state = async () =>
      (await t.db.selectFrom('pages').select('state').where('id', '=', pageId).executeTakeFirstOrThrow())
        .state;
    const press = async (query: string, answer?: string) => {
      const body = answer === undefined ? {} : { body: new URLSearchParams({ answer }) };
      const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
      const response = await fetch(`${link}${query}`, { method: 'POST', headers, ...body });
      assert.equal(response.headers.get('cache-control'), 'no-store');
      return response.text();
    };
    const reply = await press('');
    assert.match(reply, /nobody else will be notified/);
    await reopen(pageId);
    assert.equal(await press(''), reply);
    assert.equal(await state(), 'notifying');

    const pushed = await press('?via=push', 'press-1');
    assert.match(pushed, /nobody else will be notified/);
    await reopen(pageId);
    assert.equal(await press('?via=push', 'press-1'), pushed);
    assert.equal(await state(), 'notifying');

    const form = await (await fetch(link)).text();
    const name = /name="answer" value="([\w-]+)"/.exec(form)?.[1];
    assert.ok(name, 'opened again, the page has a button that acts');
    assert.match(await press('', name), /nobody else will be notified/);
    assert.equal(await state(), 'acknowledged');
  });
});

describe('an answer of somebody who is not allowed to answer', () => {
  let t: Story;
  let twilio: FakeTwilio;
  let slack: FakeSlack;

  before(async () => {
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    twilio = await fakeTwilio({ publicUrl });
    slack = await fakeSlack({ publicUrl });
    t = await story({
      env: { ...twilio.env, ...slack.env, PORT: String(port) },
      organization: (receiver) => ({
        people: {
          ada: {
            methods: [
              { type: 'phone', value: ADA },
              { type: 'webhook', value: `${receiver.url}ada` },
              { type: 'chat', value: 'ada', chatUserId: 'U0000ADA' },
            ],
            rules: {
              high: [{ after: 0, channels: ['sms', 'webhook', 'chat'] }],
              low: [{ after: 0, channels: ['voice'] }],
            },
          },
          mallory: { methods: [{ type: 'chat', value: 'mallory', chatUserId: 'U0MALLORY' }] },
        },
        teams: { sre: { members: ['ada', 'mallory'], schedules: [{ stages: [['ada'], ['mallory']] }] } },
      }),
    });
  });
  beforeEach(async () => {
    // Otherwise acknowledged pages would notify again.
    await t.resolveAcknowledged();
    await t.advance({ hours: 2 });
  });
  after(async () => {
    await t.end();
    await twilio.stop();
    await slack.stop();
  });

  const change = (email: string, disabled: boolean) =>
    t.db
      .updateTable('users')
      .set({ disabled_at: disabled ? t.clock.sql : null })
      .where('email', '=', email)
      .execute();
  const verify = (value: string, verified: boolean) =>
    t.db
      .updateTable('contact_methods')
      .set({ verified_at: verified ? t.clock.sql : null })
      .where('value', '=', value)
      .execute();

  it('has no effect on any channel while the person is disabled', async () => {
    const request = await t.page('person', 'ada@example.com', { urgency: 'high' });
    const text = await twilio.messages.next();
    const message = await slack.messages.next();
    const [webhook] = await t.notified('ada');
    assert.ok(webhook);
    await change('ada@example.com', true);
    const code = /ACK (\d{4})/i.exec(text.body)?.[1];
    assert.match(await (await twilio.sms(ADA, `ack ${code}`)).text(), /No page with the code/);
    assert.match(await (await twilio.sms(ADA, 'ack')).text(), /No open page was sent to this number/);
    await slack.click(message, 'acknowledge');
    assert.match((await slack.replaced.next()).text, /is not linked to a person in Tocsin/);
    const link = webhook.body.acknowledge_url;
    assert.equal((await fetch(link)).status, 404);
    assert.equal((await fetch(link, { method: 'POST' })).status, 404);
    assert.equal((await fetch(`${link}?via=push`, { method: 'POST' })).status, 404);
    const open = await t.db
      .selectFrom('pages')
      .select('state')
      .where('id', '=', webhook.body.page_id)
      .execute();
    assert.deepEqual(open, [{ state: 'notifying' }]);
    await change('ada@example.com', false);
    assert.match(await (await twilio.sms(ADA, `ack ${code}`)).text(), /Acknowledged/);
    assert.equal((await t.status(request)).page.state, 'acknowledged');
  });

  it('has no effect from the chat account of a disabled person', async () => {
    await t.page('person', 'ada@example.com', { urgency: 'high' });
    await twilio.messages.next();
    const message = await slack.messages.next();
    const [webhook] = await t.notified('ada');
    assert.ok(webhook);
    await change('mallory@example.com', true);
    await slack.click(message, 'acknowledge', { id: 'U0MALLORY', username: 'mallory' });
    assert.match((await slack.replaced.next()).text, /is not linked to a person in Tocsin/);
    await change('mallory@example.com', false);
    await t.acknowledge(webhook);
  });

  it('is never attributed to an unverified chat account', async () => {
    const request = await t.page('person', 'ada@example.com', { urgency: 'high' });
    await twilio.messages.next();
    const message = await slack.messages.next();
    await t.notified('ada');
    await verify('mallory', false);
    await slack.click(message, 'acknowledge', { id: 'U0MALLORY', username: 'mallory' });
    await slack.replaced.next();
    const { page } = await t.status(request);
    assert.equal(page.acknowledged_by?.email, 'ada@example.com');
    await verify('mallory', true);
  });

  it('has no effect from a number that is no longer verified', async () => {
    await t.page('person', 'ada@example.com', { urgency: 'high' });
    const text = await twilio.messages.next();
    await slack.messages.next();
    const [webhook] = await t.notified('ada');
    assert.ok(webhook);
    await verify(ADA, false);
    const code = /ACK (\d{4})/i.exec(text.body)?.[1];
    for (const body of ['ack', `ack ${code}`])
      assert.match(await (await twilio.sms(ADA, body)).text(), /was sent to this number/);
    await verify(ADA, true);
    await t.acknowledge(webhook);
  });
});
