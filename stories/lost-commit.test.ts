import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { story, webhookPeople } from '../testing/story.ts';

it('deliveries that were leased by a commit whose answer was lost are sent within seconds, not when the lease ends', async () => {
  const t = await story({
    automatic: true,
    env: { LOG_LEVEL: 'error' },
    organization: (receiver) => ({ people: webhookPeople(receiver, 'ada') }),
  });
  try {
    await t.page('person', 'ada@example.com');
    const [first] = await t.notified('ada');
    // The state of the database if the connection breaks between the commit and its answer.
    await sql`update deliveries set state = 'sending', attempts = attempts + 1, accepted_at = null,
      lease_owner = (select max(id) from nodes), lease_until = now() + interval '25 seconds'`.execute(t.db);
    const again = await t.receiver.expect(({ path }) => path === '/ada');
    assert.equal(again.id, first?.id);
    assert.equal(again.body.repeat, true);
  } finally {
    await t.end();
  }
});
