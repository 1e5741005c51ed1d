/** A loud source fills the batch that a worker processes; a page of another source does not wait for it. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { LOCK } from '../src/db/advisory-locks.ts';
import { keyName } from '../src/pages/keyed-store.ts';
import { eventually } from '../testing/eventually.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

const LOUD = 60;

let t: Story;
before(async () => {
  t = await story({
    automatic: true,
    organization: (receiver) => ({
      people: webhookPeople(receiver, 'ada', 'grace'),
      teams: {
        loud: { members: ['ada'], schedules: [{ stages: [['ada']] }] },
        quiet: { members: ['grace'], schedules: [{ stages: [['grace']] }] },
      },
    }),
  });
});
after(() => t.end());

it('pages for a quiet source while a batch of a loud one is in progress', async () => {
  const [loud, quiet] = [await t.source({ team: 'loud' }), await t.source({ team: 'quiet' })];
  const send = async (path: string, title: string, action: 'trigger' | 'resolve') => {
    const { status } = await fetch(t.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title, text: 'x', dedup_key: title, action }),
    });
    assert.equal(status, 200);
  };
  const waitingOf = async ({ id }: { id: string }) => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from received_notifications
      where webhook_id = ${id} and state = 'queued'`.execute(t.db);
    return rows[0]?.n;
  };
  const organization = await t.db.selectFrom('organizations').select('id').executeTakeFirstOrThrow();
  const names = Array.from({ length: LOUD }, (_, index) => `loud ${index}`);
  await t.db.transaction().execute(async (tx) => {
    // Somebody else holds the keys of the loud source, so its batch waits.
    for (const dedupKey of names)
      await sql`select pg_advisory_xact_lock(${LOCK.dedupKey}, hashtext(${keyName({
        ...{ organizationId: organization.id, scope: loud.id, dedupKey },
      })}))`.execute(tx);
    await Promise.all(names.map((name) => send(loud.path, name, 'resolve')));
    await send(quiet.path, 'quiet 1', 'trigger');
    await t.notified('grace');
    // Another call of the same source does not wait either.
    await send(quiet.path, 'quiet 2', 'trigger');
    await t.notified('grace');
    await eventually(() => waitingOf(quiet), 0);
    assert.equal(await waitingOf(loud), LOUD);
  });
  await eventually(() => waitingOf(loud), 0);
});
