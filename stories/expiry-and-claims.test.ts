import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../testing/eventually.ts';
import { story, webhookPeople } from '../testing/story.ts';

it('a page that expires does not deadlock with a node that claims one of its notifications', async () => {
  const t = await story({
    organization: (receiver) => ({ people: webhookPeople(receiver, 'ada') }),
  });
  try {
    t.receiver.always({ status: 503 });
    const request = await t.page('person', 'ada@example.com', { urgency: 'high' });
    await t.advance({ minutes: 4, seconds: 59 });
    const { page } = await t.status(request);
    let expiring: Promise<void> | undefined;
    await t.db.transaction().execute(async (claim) => {
      // A claim locks notifications first, then the requests of their pages.
      await sql`select id from deliveries where page_id = ${page.id} for update`.execute(claim);
      expiring = t.advance({ seconds: 2 });
      await eventually(isWaiting, true);
      await sql`set local lock_timeout = '1s'`.execute(claim);
      await sql`update requests set updated_at = updated_at where id = ${request}`.execute(claim);
    });
    await expiring;
    assert.equal((await t.status(request)).page.state, 'expired');
  } finally {
    t.receiver.inbox.takeAll();
    await t.end();
  }

  /** Whether a statement waits for a lock. */
  async function isWaiting(): Promise<boolean> {
    const { rows } = await sql<{ waits: boolean }>`
      select exists (select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock') as waits`.execute(t.db);
    return rows[0]?.waits ?? false;
  }
});
