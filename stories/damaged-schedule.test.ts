import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { pageSource } from '../testing/page-source.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/** Ada is on call in the first stage and Grace in the second, until `damage` makes the schedule unreadable. */
async function onCall(then: (t: Story, damage: () => Promise<void>) => Promise<void>): Promise<void> {
  const t = await story({
    env: { LOG_LEVEL: 'silent' },
    organization: (receiver) => ({
      people: webhookPeople(receiver, 'ada', 'grace'),
      teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] } },
    }),
  });
  try {
    await then(t, async () => {
      await sql`alter table shifts disable trigger user`.execute(t.db);
      await sql`update shifts set ends_at = 'infinity'`.execute(t.db);
    });
  } finally {
    await t.end();
  }
}

it('a call that raises the urgency of a page while the schedule cannot be read loses nothing', () =>
  onCall(async (t, damage) => {
    const source = await pageSource(t);
    await source.post({ title: 'Queue grows', dedup_key: 'queue', urgency: 'medium' });
    await t.notified('ada');
    await damage();
    const [raised] = await source.post({ title: 'Queue full', dedup_key: 'queue', urgency: 'high' });
    assert.equal(raised?.action, 'updated');
    for (let seconds = 0; seconds < 3; seconds++) await t.advance({ seconds: 1 });
    await t.notified('ada', 'grace');
    const page = await t.db.selectFrom('pages').select(['urgency', 'state']).executeTakeFirstOrThrow();
    assert.deepEqual(page, { urgency: 'high', state: 'notifying' });
  }));

it('an open or acknowledged page is escalated while the schedule cannot be read', () =>
  onCall(async (t, damage) => {
    const requests = [await t.page('team', 'sre', { urgency: 'high' }), await t.page('team', 'sre')];
    const [, acknowledged] = await t.notified('ada', 'ada');
    assert.ok(acknowledged);
    assert.equal((await t.acknowledge(acknowledged)).status, 200);
    await damage();
    for (const request of requests) {
      const { page } = await t.status(request);
      const { status, body } = await t.post(`/api/pages/${page.id}/escalate`, {});
      assert.equal(status, 200, JSON.stringify(body));
      assert.match(String(body.message), /^Escalated: Ada and Grace are notified/);
      for (let seconds = 0; seconds < 3; seconds++) await t.advance({ seconds: 1 });
      await t.notified('ada', 'grace');
    }
  }));
