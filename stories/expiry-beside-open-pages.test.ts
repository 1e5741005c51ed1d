import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fakeTwilio } from '../testing/fakes/fake-twilio.ts';
import { freePort } from '../testing/free-port.ts';
import { story, webhookPeople } from '../testing/story.ts';

it('an open page that shares a call with a page that has expired can be acknowledged in it', async () => {
  const port = await freePort();
  const twilio = await fakeTwilio({ publicUrl: `http://127.0.0.1:${port}` });
  const t = await story({
    env: { ...twilio.env, PORT: String(port) },
    organization: (receiver) => ({
      people: {
        ...webhookPeople(receiver, 'grace'),
        alan: {
          methods: [{ type: 'phone', value: '+4915112345678' }],
          rules: { high: [{ after: 0, channels: ['voice'] }] },
        },
      },
      teams: { sre: { members: ['alan', 'grace'], schedules: [{ stages: [['grace']] }] } },
    }),
  });
  const callAlan = (title: string) => t.page('person', 'alan@example.com', { title, urgency: 'high' });
  try {
    await t.page('team', 'sre', { title: 'expiring', urgency: 'high' });
    await t.advance({ minutes: 5 });
    await t.advance({ minutes: 5 });
    await t.advance({ minutes: 4, seconds: 50 });
    await callAlan('first');
    await twilio.calls.next();
    // Its notice of expiry waits for the end of the minute, and so does the page that follows.
    await t.advance({ seconds: 11 });
    const open = await callAlan('second');
    await t.settle();
    await t.advance({ seconds: 51 });
    const call = await twilio.calls.next();
    assert.match(call.twiml, /second.*And 1 more page\..*Press 4 to acknowledge/s);
    await twilio.press(call, '4');
    assert.equal((await t.status(open)).page.state, 'acknowledged');
    await t.advance({ minutes: 2 });
    twilio.assertNothingUnexpected();
  } finally {
    t.receiver.inbox.takeAll();
    twilio.calls.takeAll();
    await t.end();
    await twilio.stop();
  }
});
