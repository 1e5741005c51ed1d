import assert from 'node:assert/strict';
import { it } from 'node:test';
import { story } from '../../testing/story.ts';

it('processed webhook calls are deleted after RETENTION_DAYS, and waiting ones are not', async () => {
  const t = await story({
    env: { RETENTION_DAYS: '7' },
    organization: { people: { ada: {} }, teams: { sre: { members: ['ada'] } } },
  });
  try {
    const webhook = { id: 'webhook_00000000000000000000000000', organization_id: t.acme.id };
    const at = await t.clock.now(t.db);
    const secret = { token_hash: Buffer.alloc(32), token_sealed: Buffer.alloc(1) };
    await t.db
      .insertInto('webhooks')
      .values({
        ...webhook,
        ...secret,
        team_id: String(t.acme.teams.sre),
        name: 'w',
        type: 'custom',
        created_at: at,
        updated_at: at,
      })
      .execute();
    const call = {
      organization_id: t.acme.id,
      webhook_id: webhook.id,
      integration: 'custom',
      headers: '{}',
      body: Buffer.from('{}'),
      due_at: at,
      received_at: at,
    };
    await t.db
      .insertInto('received_notifications')
      .values([
        { ...call, id: 'notification_00000000000000000000000001', state: 'success', processed_at: at },
        {
          ...call,
          id: 'notification_00000000000000000000000002',
          state: 'queued',
          due_at: at.add({ hours: 24 * 30 }),
        },
      ])
      .execute();
    t.clock.advance({ hours: 24 * 7 - 1 });
    await t.app.duties.runAll();
    const left = async () =>
      (await t.db.selectFrom('received_notifications').select('id').orderBy('id').execute()).map(({ id }) =>
        id.slice(-1),
      );
    assert.deepEqual(await left(), ['1', '2']);
    t.clock.advance({ hours: 2 });
    await t.app.duties.runAll();
    assert.deepEqual(await left(), ['2']);
  } finally {
    await t.end();
  }
});
