import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fakeTwilio } from '../testing/fakes/fake-twilio.ts';
import { story } from '../testing/story.ts';

it('a page that was bundled into a call that fails for now uses the next channel at once', async () => {
  const twilio = await fakeTwilio();
  const t = await story({
    env: twilio.env,
    organization: (receiver) => ({
      people: {
        alan: {
          methods: [
            { type: 'phone', value: '+4915112345678' },
            { type: 'webhook', value: `${receiver.url}alan` },
          ],
          rules: { high: [{ after: 0, channels: ['voice'] }] },
        },
      },
    }),
  });
  try {
    for (const title of ['first', 'second', 'third'])
      await t.page('person', 'alan@example.com', { title, urgency: 'high' });
    await twilio.calls.next();
    twilio.always({ status: 503 });
    // A minute later, one call covers both others. It is retried, and the contact method without a rule is used meanwhile.
    await t.advance({ seconds: 61 });
    const sent = await t.notified('alan', 'alan');
    assert.deepEqual(sent.map(({ body }) => body.title).sort(), ['second', 'third']);
    // Once, however often the call is tried.
    await t.advance({ seconds: 20 });
    await t.notified();
    twilio.always(null);
    await t.advance({ minutes: 1 });
    await twilio.calls.next();
    for (const webhook of sent) assert.equal((await t.acknowledge(webhook)).status, 200);
  } finally {
    await t.end();
    await twilio.stop();
  }
});
