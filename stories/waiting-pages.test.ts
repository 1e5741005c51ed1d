import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import type { ProblemShown } from '../src/problems/api-contract.ts';
import { MOST_WAITING } from '../src/sources/contract.ts';
import { pageSource } from '../testing/page-source.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import type { Story } from '../testing/story.ts';
import { twoStageStory } from '../testing/two-stage-story.ts';

/**
 * The number of waiting pages of a source is bounded. Silence is worse than noise, so events beyond the bound page at
 * once.
 */

let t: Story;
let ada: SignedIn;

before(async () => {
  t = await twoStageStory();
  ada = await signIn(t, 'ada');
});
after(() => t.end());

/** As if the waiting page of the key `copied` had been received under this many other keys. */
async function copyWaiting(copies: number): Promise<void> {
  await sql`
    insert into waiting_pages (organization_id, source_id, dedup_key, request_id, position, event, reason, due_at, created_at, triggered_at)
    select organization_id, source_id, 'copy ' || n, request_id, position, event, reason, due_at, created_at, triggered_at
    from waiting_pages, generate_series(1, ${copies}::int) as n where dedup_key = 'copied'`.execute(t.db);
}

async function problems(state = 'open'): Promise<ProblemShown[]> {
  await t.app.duties.runAll();
  return (await ada.call('GET', `/api/problems?state=${state}`)).body.problems;
}

it('pages at once beyond the limit of waiting pages of a source', async () => {
  const source = await pageSource(t, { wait_minutes: 30 });
  const other = await pageSource(t, { wait_minutes: 30 });
  const actions = async (body: unknown, of = source) => (await of.post(body)).map(({ action }) => action);

  assert.deepEqual(await actions({ title: 'Slow', dedup_key: 'copied' }), ['waiting']);
  await copyWaiting(MOST_WAITING - 2);
  assert.deepEqual(await actions({ title: 'Last', dedup_key: 'last' }), ['waiting']);
  await t.notified();
  assert.deepEqual(await problems(), []);

  const [beyond] = await source.post({ title: 'Beyond', dedup_key: 'beyond' });
  assert.equal(beyond?.action, 'raised');
  assert.match(beyond?.reason ?? '', /^It pages at once instead of waiting, because 10000 pages/);
  await t.notified('ada');
  const { timeline } = (await ada.call('GET', `/api/pages/${beyond?.id}`)).body;
  assert.match(timeline[0].reasons.at(-1), /because 10000 pages of this source are already waiting$/);
  const [problem, ...more] = await problems();
  assert.deepEqual([problem?.code, problem?.webhook?.id, more], ['waiting', source.id, []]);

  assert.deepEqual(
    await actions({ title: 'Last again', dedup_key: 'last' }),
    ['waiting'],
    'it has its place',
  );
  assert.deepEqual(await actions({ title: 'Slow', dedup_key: 'x' }, other), ['waiting'], 'another source');
  assert.equal((await problems()).length, 1, 'calls that work do not close the problem');

  await actions({ action: 'resolve', dedup_key: 'last' });
  assert.deepEqual(await actions({ title: 'There is room', dedup_key: 'room' }), ['waiting']);
  await ada.call('POST', `/api/pages/${beyond?.id}/resolve`);
  await t.db.deleteFrom('waiting_pages').execute();
  await t.advance({ minutes: 62 });
  assert.deepEqual(await problems(), []);
  assert.equal((await problems('closed')).length, 1);
});
