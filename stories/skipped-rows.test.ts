import { it } from 'node:test';
import { story, webhookPeople } from '../testing/story.ts';

it('a page continues while a row that refers to it is being written', async () => {
  const t = await story({
    organization: (receiver) => ({
      people: webhookPeople(receiver, 'ada', 'grace'),
      teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] } },
    }),
  });
  try {
    const request = await t.page('team', 'sre', { urgency: 'high' });
    await t.notified('ada');
    const { page } = await t.status(request);
    await t.db.transaction().execute(async (tx) => {
      await tx
        .insertInto('page_events')
        .values({ organization_id: t.acme.id, page_id: page.id, at: await t.clock.now(tx), kind: 'noted' })
        .execute();
      // Until this commits, the insert locks the key of the page's row. The next step must not skip the page because of
      // it.
      await Promise.all([t.advance({ minutes: 5 }), t.notified('grace')]);
    });
  } finally {
    await t.end();
  }
});
