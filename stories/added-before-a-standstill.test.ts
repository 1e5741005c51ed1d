import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../testing/eventually.ts';
import { story, webhookPeople } from '../testing/story.ts';

it('a person who was added to an acknowledged page is notified late if nothing ran until its acknowledgement timed out', async () => {
  const t = await story({
    organization: (receiver) => {
      const people = webhookPeople(receiver, 'ada', 'grace');
      const rules = [3, 60, 400].map((after) => ({ after, channels: ['webhook' as const] }));
      return {
        people: { ...people, grace: { ...people.grace, rules: { high: rules } } },
        teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']] }] } },
      };
    },
  });
  try {
    const { page } = await t.status(await t.page('team', 'sre', { urgency: 'high' }));
    const [first] = await t.notified('ada');
    assert.ok(first);
    assert.equal((await t.acknowledge(first)).status, 200);
    await t.advance({ minutes: 1 });
    const added = await t.post(`/api/pages/${page.id}/responders`, { users: ['grace@example.com'] });
    assert.equal(added.status, 200, JSON.stringify(added.body));
    await t.settle();
    t.receiver.assertNothingUnexpected();

    const stateOf = async () => {
      const row = await t.db
        .selectFrom('pages')
        .select('state')
        .where('id', '=', page.id)
        .executeTakeFirstOrThrow();
      return row.state;
    };
    // Nothing runs for five hours. The acknowledgement times out before any delivery is claimed, because claims skip
    // locked rows.
    t.clock.advance({ minutes: 300 });
    let settled: Promise<void> = Promise.resolve();
    await t.db.transaction().execute(async (tx) => {
      await sql`
        select from deliveries where page_id = ${page.id} and due_at <= ${t.clock.sql} for update`.execute(
        tx,
      );
      settled = t.settle();
      settled.catch(() => undefined);
      await eventually(stateOf, 'notifying');
    });
    await settled;

    // Ada again, and Grace, whose notifications after 3 and 60 minutes are overdue.
    await t.notified('ada', 'grace', 'grace');
    await t.post(`/api/pages/${page.id}/resolve`, {});
  } finally {
    await t.end();
  }
});
