import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type FakeTwilio, fakeTwilio } from '../testing/fakes/fake-twilio.ts';
import type { RuleSpec } from '../testing/organization.ts';
import { type Story, story } from '../testing/story.ts';

/** Ada has only a phone, and these rules for pages of high urgency. A page to her has the title `page N`. */
async function onPhone(
  high: RuleSpec[],
  then: (of: { t: Story; twilio: FakeTwilio; page(number: number): Promise<unknown> }) => Promise<void>,
): Promise<void> {
  const twilio = await fakeTwilio();
  const t = await story({
    env: twilio.env,
    organization: () => ({
      people: { ada: { methods: [{ type: 'phone', value: '+4915112345678' }], rules: { high } } },
    }),
  });
  try {
    const page = (number: number) =>
      t.page('person', 'ada@example.com', { title: `page ${number}`, urgency: 'high' });
    await then({ t, twilio, page });
  } finally {
    await t.end();
    await twilio.stop();
  }
}

it('a call that the provider could not place for now is retried within seconds, although a person gets one call a minute', () =>
  onPhone([{ after: 0, channels: ['voice'] }], async ({ t, twilio, page }) => {
    twilio.script({ status: 503 });
    await page(1);
    // The refused call. The next channel does not wait for the retry.
    await twilio.calls.next();
    await twilio.messages.next();
    for (let seconds = 0; seconds < 5; seconds++) await t.advance({ seconds: 1 });
    await twilio.calls.next();
    // The limit still delays the call of the next page.
    await page(2);
    for (let seconds = 0; seconds < 10; seconds++) await t.advance({ seconds: 1 });
    assert.equal(twilio.calls.takeAll().length, 0);
    await t.advance({ minutes: 1 });
    await twilio.calls.next();
    twilio.messages.takeAll();
  }));

it('a message that covers several notifications of one page names it once', () =>
  onPhone(
    [
      { after: 0, channels: ['sms'] },
      { after: 0.5, channels: ['sms'] },
    ],
    async ({ t, twilio, page }) => {
      const numbers = [1, 2, 3, 4, 5, 6, 7];
      for (const number of numbers) await page(number);
      for (let sent = 0; sent < 5; sent++) await twilio.messages.next();
      await t.advance({ seconds: 31 });
      await t.advance({ seconds: 30 });
      const { body } = await twilio.messages.next();
      const [first = '', ...rest] = body.split('\n');
      const more = rest.find((line) => line.includes('more page')) ?? '';
      const titles = [first, ...(more.split(': ')[1]?.split('; ') ?? [])];
      assert.deepEqual(
        titles.toSorted(),
        numbers.map((number) => `page ${number}`),
      );
      assert.match(more, /^6 more pages/);
      assert.deepEqual(twilio.messages.takeAll(), []);
    },
  ));
