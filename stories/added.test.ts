/** People who are added to a page by hand. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { type FakeTwilio, fakeTwilio } from '../testing/fakes/fake-twilio.ts';
import { freePort } from '../testing/free-port.ts';
import { signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

describe('a person who is added to a page', () => {
  let t: Story;
  let twilio: FakeTwilio;

  before(async () => {
    const port = await freePort();
    twilio = await fakeTwilio({ publicUrl: `http://127.0.0.1:${port}` });
    t = await story({
      env: { ...twilio.env, PORT: String(port) },
      organization: (receiver) => ({
        people: {
          ...webhookPeople(receiver, 'ada', 'grace'),
          alan: {
            methods: [
              { type: 'phone', value: '+4915112345679' },
              { type: 'webhook', value: `${receiver.url}alan` },
            ],
            rules: { high: [{ after: 0, channels: ['sms'] }] },
          },
          barbara: {
            methods: [{ type: 'phone', value: '+4915112345678' }],
            rules: {
              high: [
                { after: 0, channels: ['sms'] },
                { after: 2, channels: ['voice'] },
              ],
            },
          },
        },
      }),
    });
  });
  afterEach(async () => {
    await t.resolveAcknowledged();
    t.receiver.assertNothingUnexpected();
    twilio.assertNothingUnexpected();
  });
  after(async () => {
    await t.end();
    await twilio.stop();
  });

  async function raise(): Promise<{ request: string; add(person: string): Promise<void> }> {
    const request = await t.page('person', 'ada@example.com', { urgency: 'high' });
    const { page } = await t.status(request);
    return {
      request,
      async add(person) {
        const answer = await t.post(`/api/pages/${page.id}/responders`, { users: [`${person}@example.com`] });
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        await t.settle();
      },
    };
  }
  const state = async (request: string) => (await t.status(request)).page.state;

  it('shortly before the page ends has the usual time to answer', async () => {
    const { request, add } = await raise();
    await t.notified('ada');
    await t.advance({ minutes: 4, seconds: 50 });
    await add('barbara');
    await twilio.messages.next();
    await t.advance({ seconds: 11 });
    assert.equal(await state(request), 'notifying');
    await t.advance({ minutes: 1, seconds: 50 });
    await twilio.calls.next();
    await t.advance({ minutes: 4, seconds: 55 });
    assert.equal(await state(request), 'notifying');
    await t.advance({ seconds: 10 });
    assert.equal(await state(request), 'expired');
  });

  it('after it was acknowledged answers by a text message without a code', async () => {
    const { add } = await raise();
    const [first] = await t.notified('ada');
    assert.equal(first && (await t.acknowledge(first)).status, 200);
    await add('barbara');
    const { to } = await twilio.messages.next();
    assert.match(await (await twilio.sms(to, 'ACK')).text(), /Acknowledged: Disk full/);
    // Nobody calls her.
    await t.advance({ minutes: 3 });
    assert.match(await (await twilio.sms(to, 'ACK')).text(), /No open page was sent to this number\./);
  });

  it('and has answered is left alone when a message turns out not to have arrived', async () => {
    const { request, add } = await raise();
    const [first] = await t.notified('ada');
    assert.equal(first && (await t.acknowledge(first)).status, 200);
    await add('alan');
    const sms = await twilio.messages.next();
    const { page } = await t.status(request);
    const alan = await signIn(t, 'alan');
    assert.equal((await alan.call('POST', `/api/pages/${page.id}/acknowledge`, {})).status, 200);
    await twilio.receipt(sms, 'undelivered');
    await t.settle();
  });

  it('a second time is not said to be notified', async () => {
    const { request, add } = await raise();
    const [first] = await t.notified('ada');
    assert.equal(first && (await t.acknowledge(first)).status, 200);
    await add('grace');
    await t.notified('grace');
    const { page } = await t.status(request);
    const again = { users: ['grace@example.com'] };
    const refused = await t.post(`/api/pages/${page.id}/responders`, again);
    assert.equal(refused.status, 409);
    assert.match(JSON.stringify(refused.body), /has already notified them.*reassign it to them instead/);
    await t.notified();
    assert.equal((await t.post(`/api/pages/${page.id}/reassign`, again)).status, 200);
    await t.notified('grace');
    await t.post(`/api/pages/${page.id}/resolve`, {});
  });
});

it('a person who is added and cannot be reached leaves those on call their time to answer', async () => {
  const t = await story({
    organization: (receiver) => ({
      people: webhookPeople(receiver, 'ada', 'grace', 'barbara'),
      teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] } },
    }),
  });
  try {
    const { page } = await t.status(await t.page('team', 'sre', { urgency: 'high' }));
    await t.notified('ada');
    await t.advance({ minutes: 1 });
    t.receiver.script({ status: 410 });
    assert.equal(
      (await t.post(`/api/pages/${page.id}/responders`, { users: ['barbara@example.com'] })).status,
      200,
    );
    await t.settle();
    await t.notified('barbara');
    await t.advance({ minutes: 3, seconds: 55 });
    t.receiver.assertNothingUnexpected();
    await t.advance({ seconds: 6 });
    await t.notified('grace');
  } finally {
    await t.end();
  }
});
