import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { story, webhookPeople } from '../testing/story.ts';

it('a step that can never run does not prevent a page from being answered', async () => {
  const t = await story({
    env: { LOG_LEVEL: 'silent' },
    organization: (receiver) => ({
      people: webhookPeople(receiver, 'ada', 'grace', 'linus'),
      teams: {
        sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] },
        web: { members: ['linus'], schedules: [{ stages: [['linus']] }] },
      },
    }),
  });
  try {
    await sql`create function damaged() returns trigger language plpgsql as
      $$ begin raise exception 'damaged' using errcode = 'XX001'; end $$`.execute(t.db);
    await sql`create trigger damaged before insert on responders for each row
      when (new.stage is not null and new.user_id <> ${sql.lit(t.acme.users.linus ?? '')}) execute function damaged()`.execute(
      t.db,
    );
    const requestId = await t.page('team', 'sre', { urgency: 'high' });
    await t.page('team', 'web', { urgency: 'high' });
    await t.notified('linus');
    await t.advance({ seconds: 1 });
    t.receiver.assertNothingUnexpected();
    await t.advance({ seconds: 1 });
    await t.notified('ada', 'grace');
    const { page } = await t.status(requestId);
    assert.equal(page.state, 'notifying');
    const timeline = await t.db
      .selectFrom('page_events')
      .select('data')
      .where('kind', '=', 'failed')
      .execute();
    assert.match(JSON.stringify(timeline), /Every member of the team is notified instead/);

    // The next round tries the schedules again, and waits as long.
    await t.advance({ minutes: 5 });
    await t.advance({ seconds: 1 });
    await t.advance({ seconds: 1 });
    await t.notified('ada', 'grace', 'linus');
  } finally {
    await t.end();
  }
});
