/** A contact method that was removed gets nothing more, not even what was planned for it before. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** Ada is notified at once and after two minutes, by two webhooks; Grace is the second stage. */
async function told(what: (t: Story, methods: readonly string[]) => Promise<void>): Promise<void> {
  const t = await story({
    organization: (receiver) => {
      const methods = (...names: string[]) =>
        names.map((name) => ({ type: 'webhook' as const, value: receiver.url + name }));
      const rules = [0, 2].map((after) => ({ after, channels: ['webhook' as const] }));
      return {
        people: {
          ada: { methods: methods('ada', 'lost'), rules: { high: rules } },
          grace: { methods: methods('grace') },
        },
        teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] } },
      };
    },
  });
  try {
    const rows = await t.db
      .selectFrom('contact_methods')
      .select(['id', 'value'])
      .where('user_id', '=', String(t.acme.users.ada))
      .orderBy('value')
      .execute();
    await what(
      t,
      rows.map(({ id }) => id),
    );
  } finally {
    await t.end();
  }
}

describe('removing a contact method', () => {
  it('sends nothing more to it about open pages, and uses the other methods', () =>
    told(async (t, [, lost]) => {
      const request = await t.page('team', 'sre', { urgency: 'high' });
      await t.notified('ada', 'lost');
      const ada = await signIn(t, 'ada');
      assert.equal((await ada.call('DELETE', `/api/contact-methods/${lost}`)).status, 200);
      await t.advance({ minutes: 2 });
      await t.notified('ada');
      const { page } = await t.status(request);
      const failed = page.deliveries.filter(({ state }) => state === 'failed');
      assert.deepEqual(
        failed.map(({ error }) => error),
        ['The contact method was removed or changed after the notification was planned.'],
      );
      await t.advance({ minutes: 3 });
      await t.notified('grace');
    }));

  it('notifies the next stage in time when it was the only one', () =>
    told(async (t, methods) => {
      await t.page('team', 'sre', { urgency: 'high' });
      await t.notified('ada', 'lost');
      const ada = await signIn(t, 'ada');
      for (const method of methods)
        assert.equal((await ada.call('DELETE', `/api/contact-methods/${method}`)).status, 200);
      await t.advance({ minutes: 5 });
      await t.notified('grace');
    }));
});
