import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fakeTwilio } from '../testing/fakes/fake-twilio.ts';
import { story } from '../testing/story.ts';

it('a message that covers several notifications of one page names it once', async () => {
  const twilio = await fakeTwilio();
  const t = await story({
    env: twilio.env,
    organization: () => ({
      people: {
        ada: {
          methods: [{ type: 'phone', value: '+4915112345678' }],
          rules: {
            high: [
              { after: 0, channels: ['sms'] },
              { after: 0.5, channels: ['sms'] },
            ],
          },
        },
      },
    }),
  });
  try {
    for (let number = 1; number <= 7; number++)
      await t.page('person', 'ada@example.com', { title: `page ${number}`, urgency: 'high' });
    for (let sent = 0; sent < 5; sent++) await twilio.messages.next();
    await t.advance({ seconds: 31 });
    await t.advance({ seconds: 30 });
    const { body } = await twilio.messages.next();
    const [first = '', ...rest] = body.split('\n');
    const more = rest.find((line) => line.includes('more page')) ?? '';
    const titles = [first, ...(more.split(': ')[1]?.split('; ') ?? [])];
    assert.deepEqual(
      titles.toSorted(),
      [1, 2, 3, 4, 5, 6, 7].map((number) => `page ${number}`),
    );
    assert.match(more, /^6 more pages/);
    assert.deepEqual(twilio.messages.takeAll(), []);
  } finally {
    await t.end();
    await twilio.stop();
  }
});
