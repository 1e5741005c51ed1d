import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fakeTwilio } from '../testing/fakes/fake-twilio.ts';
import { story } from '../testing/story.ts';

it('a call that the provider could not place for now is retried within seconds, although a person gets one call a minute', async () => {
  const twilio = await fakeTwilio();
  const t = await story({
    env: twilio.env,
    organization: () => ({
      people: {
        ada: {
          methods: [{ type: 'phone', value: '+4915112345678' }],
          rules: { high: [{ after: 0, channels: ['voice'] }] },
        },
      },
    }),
  });
  try {
    twilio.script({ status: 503 });
    await t.page('person', 'ada@example.com', { urgency: 'high' });
    // The refused call. The next channel does not wait for the retry.
    await twilio.calls.next();
    await twilio.messages.next();
    for (let seconds = 0; seconds < 5; seconds++) await t.advance({ seconds: 1 });
    await twilio.calls.next();
    // The limit still delays the call of the next page.
    await t.page('person', 'ada@example.com', { urgency: 'high' });
    for (let seconds = 0; seconds < 10; seconds++) await t.advance({ seconds: 1 });
    assert.equal(twilio.calls.takeAll().length, 0);
    await t.advance({ minutes: 1 });
    await twilio.calls.next();
    twilio.messages.takeAll();
  } finally {
    await t.end();
    await twilio.stop();
  }
});
