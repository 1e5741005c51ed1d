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

it('an acknowledgement that times out while the schedule cannot be read does not leave its page unanswered', async () => {
  const t = await story({
    env: { LOG_LEVEL: 'silent' },
    organization: (receiver) => ({
      people: webhookPeople(receiver, 'ada', 'grace'),
      teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] } },
    }),
  });
  try {
    const requestId = await t.page('team', 'sre', { urgency: 'high' });
    const [first] = await t.notified('ada');
    assert.equal(first && (await t.acknowledge(first)).status, 200);
    await t.advance({ minutes: 29 });
    await sql`alter table shifts disable trigger user`.execute(t.db);
    await sql`update shifts set ends_at = 'infinity'`.execute(t.db);
    await t.advance({ minutes: 1, seconds: 1 });
    for (let seconds = 0; seconds < 5; seconds++) await t.advance({ seconds: 1 });
    await t.notified('ada', 'grace');
    assert.equal((await t.status(requestId)).page.state, 'notifying');
  } finally {
    await t.end();
  }
});
