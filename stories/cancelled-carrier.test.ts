import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fakeTwilio } from '../testing/fakes/fake-twilio.ts';
import { story } from '../testing/story.ts';

it('a page that was bundled into the call of another page still calls if that page is acknowledged', async () => {
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
          rules: { high: [{ after: 0, channels: ['voice', 'webhook'] }] },
        },
      },
    }),
  });
  try {
    const webhooks = [];
    for (const title of ['first', 'second', 'third']) {
      await t.page('person', 'alan@example.com', { title });
      webhooks.push(...(await t.notified('alan')));
    }
    await twilio.calls.next();
    // A minute later, one call covers both others; Twilio refuses calls now.
    twilio.script({ status: 503 });
    await t.advance({ seconds: 61 });
    const carrier = await t.db
      .selectFrom('deliveries')
      .select(['page_id', 'id'])
      .where('state', '=', 'retrying')
      .executeTakeFirstOrThrow();
    const open = webhooks.slice(1).find(({ body }) => body.page_id !== carrier.page_id);
    const answered = webhooks.slice(1).find(({ body }) => body.page_id === carrier.page_id);
    assert.ok(open && answered);
    assert.equal((await t.acknowledge(answered)).status, 200);
    await t.advance({ minutes: 2 });
    twilio.calls.takeAll();
    const rows = await t.db
      .selectFrom('deliveries')
      .select(['page_id', 'state'])
      .where('channel', '=', 'voice')
      .execute();
    assert.equal(rows.find(({ page_id }) => page_id === open.body.page_id)?.state, 'accepted');
    assert.equal(rows.find(({ page_id }) => page_id === carrier.page_id)?.state, 'cancelled');
  } finally {
    t.receiver.inbox.takeAll();
    await t.end();
    await twilio.stop();
  }
});
