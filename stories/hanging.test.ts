import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fakeSmtp } from '../testing/fakes/fake-smtp.ts';
import { story, webhookPeople } from '../testing/story.ts';

it('a channel that hangs, with hundreds of waiting pages, does not delay another', async () => {
  const smtp = await fakeSmtp();
  const t = await story({
    automatic: true,
    env: { ...smtp.env, LOG_LEVEL: 'silent' },
    organization: (receiver) => ({
      people: {
        ...webhookPeople(receiver, 'ada'),
        grace: { methods: [{ type: 'email', value: 'grace@example.com' }] },
      },
    }),
  });
  try {
    t.receiver.always('hang');
    const page = (recipient: string, title: string) =>
      t.post('/page/person', { recipient, title, text: 'x', urgency: 'low' });
    const stuck = await Promise.all(
      Array.from({ length: 700 }, (_, index) => page('ada@example.com', `stuck ${index}`)),
    );
    assert.ok(stuck.every(({ status }) => status === 200));
    await t.receiver.next();
    assert.equal((await page('grace@example.com', 'not stuck')).status, 200);
    assert.match((await smtp.messages.next()).headers.subject ?? '', /not stuck/);
    // It overtakes the others: most of them have not been tried yet when it arrives.
    const { tried } = await t.db
      .selectFrom('delivery_attempts')
      .select(({ fn }) => fn.count<number>('delivery_id').distinct().as('tried'))
      .executeTakeFirstOrThrow();
    assert.ok(Number(tried) < stuck.length, `${tried} of ${stuck.length} tried`);
  } finally {
    t.receiver.always(null);
    t.receiver.inbox.takeAll();
    await t.end();
    await smtp.stop();
  }
});
