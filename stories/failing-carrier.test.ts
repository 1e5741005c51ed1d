import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type FakeTwilio, fakeTwilio } from '../testing/fakes/fake-twilio.ts';
import { freePort } from '../testing/free-port.ts';
import { signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** Alan is called. His webhook has no rule. */
async function called(then: (t: Story, twilio: FakeTwilio) => Promise<void>): Promise<void> {
  const port = await freePort();
  const twilio = await fakeTwilio({ publicUrl: `http://127.0.0.1:${port}` });
  const t = await story({
    env: { ...twilio.env, PORT: String(port) },
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
    await then(t, twilio);
  } finally {
    await t.end();
    await twilio.stop();
  }
}

const page = (t: Story, title: string) => t.page('person', 'alan@example.com', { title, urgency: 'high' });

/** Alan was called for the first of three pages. A minute later, one call covers both others. */
function bundled(then: (t: Story, twilio: FakeTwilio) => Promise<void>): Promise<void> {
  return called(async (t, twilio) => {
    for (const title of ['first', 'second', 'third']) await page(t, title);
    await twilio.calls.next();
    await then(t, twilio);
  });
}

it('a page that was bundled into a call that fails for now uses the next channel at once', () =>
  bundled(async (t, twilio) => {
    twilio.always({ status: 503 });
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
  }));

it('a page whose call fails while it is acknowledged uses the next channel when that is undone', () =>
  bundled(async (t, twilio) => {
    await t.advance({ seconds: 61 });
    const call = await twilio.calls.next();
    const pages = await t.db.selectFrom('pages').select('id').where('title', '<>', 'first').execute();
    const alan = await signIn(t, 'alan');
    const act = async (action: string) => {
      for (const { id } of pages)
        assert.equal((await alan.call('POST', `/api/pages/${id}/${action}`)).status, 200);
      await t.settle();
    };
    await act('acknowledge');
    await twilio.receipt(call, 'no-answer');
    await t.settle();
    await t.notified();
    await act('undo');
    const sent = await t.notified('alan', 'alan');
    assert.deepEqual(sent.map(({ body }) => body.title).sort(), ['second', 'third']);
  }));

it('a call whose answer was lost, and that nobody answers, does not end the call of the retry', () =>
  called(async (t, twilio) => {
    const states = async () => {
      await t.settle();
      const calls = t.db.selectFrom('deliveries').select('state').where('channel', '=', 'voice');
      return (await calls.execute()).map(({ state }) => state);
    };
    twilio.always({ status: 200, body: '{}' });
    await page(t, 'first');
    const lost = await twilio.calls.next();
    const [webhook] = await t.notified('alan');
    twilio.always(null);
    await twilio.receipt(lost, 'no-answer');
    await t.advance({ minutes: 1 });
    const again = await twilio.calls.next();
    assert.deepEqual(await states(), ['accepted']);
    await twilio.receipt(lost, 'canceled');
    assert.deepEqual(await states(), ['accepted']);
    await twilio.receipt(again, 'no-answer');
    assert.deepEqual(await states(), ['failed']);
    assert.ok(webhook);
    assert.equal((await t.acknowledge(webhook)).status, 200);
  }));
