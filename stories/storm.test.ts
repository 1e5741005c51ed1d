import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { type FakeSmtp, fakeSmtp } from '../testing/fakes/fake-smtp.ts';
import { type FakeTwilio, fakeTwilio } from '../testing/fakes/fake-twilio.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

describe('a storm of pages', () => {
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
          ...webhookPeople(receiver, 'grace'),
          ada: {
            methods: [{ type: 'email', value: 'ada@example.com' }],
            rules: { high: [{ after: 0, channels: ['email'] }] },
          },
          alan: {
            methods: [{ type: 'phone', value: '+4915112345678' }],
            rules: { high: [{ after: 0, channels: ['voice'] }] },
          },
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

  it('sends twenty emails, then one that carries all the others', async () => {
    const requests: string[] = [];
    for (let page = 1; page <= 30; page++)
      requests.push(await t.page('person', 'ada@example.com', { title: `Page ${page}` }));
    for (let mail = 1; mail <= 20; mail++) await smtp.messages.next();
    smtp.assertNothingUnexpected();
    await t.advance({ seconds: 61 });
    const bundle = await smtp.messages.next();
    assert.match(bundle.text, /Page 2[1-9]|Page 30/);
    for (let page = 21; page <= 30; page++)
      assert.match(bundle.text + bundle.headers.subject, new RegExp(`Page ${page}`));
    const states = await Promise.all(
      requests.map(async (request) => (await t.status(request)).page.deliveries[0]?.state),
    );
    assert.equal(states.filter((state) => state === 'bundled').length, 9);
    assert.equal(states.filter((state) => state === 'accepted').length, 21);
    for (const request of requests) assert.equal((await t.status(request)).status, 'succeeded');
  });

  it('calls a phone once a minute', async () => {
    for (let page = 1; page <= 4; page++)
      await t.page('person', 'alan@example.com', { title: `Call ${page}` });
    assert.match((await twilio.calls.next()).twiml, /Call 1/);
    twilio.assertNothingUnexpected();
    await t.advance({ seconds: 61 });
    assert.match((await twilio.calls.next()).twiml, /3 pages|2 more|Call [234]/);
  });

  it('never delays a webhook', async () => {
    for (let page = 1; page <= 40; page++) await t.page('person', 'grace@example.com');
    await t.notified(...Array<string>(40).fill('grace'));
  });
});
