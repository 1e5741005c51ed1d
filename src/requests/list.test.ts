import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { type Story, story, webhookPeople } from '../../testing/story.ts';
import { MOST_READ } from './store.ts';

describe('the list of requests', () => {
  let t: Story;
  const idOf = (number: number) => `request_${String(number).padStart(26, '0')}`;

  before(async () => {
    t = await story({ organization: (receiver) => ({ people: webhookPeople(receiver, 'ada') }) });
    // The oldest and the newest failed.
    await sql`
      insert into requests (id, organization_id, kind, status, message, credential, created_at, updated_at, finished_at)
      select 'request_' || lpad(n::text, 26, '0'), ${t.acme.id}, 'page.team',
        case when n in (1, ${MOST_READ + 2}::int) then 'failed' else 'succeeded' end, '', 'story', now(), now(), now()
      from generate_series(1, ${MOST_READ + 2}::int) n`.execute(t.db);
  });
  after(() => t.end());

  type List = { requests: { id: string }[]; has_more: boolean; next_before: string | null };
  async function list(query: string): Promise<{ ids: string[]; more: boolean; next: string | null }> {
    const { status, body } = await t.get(`/api/requests?${query}`);
    assert.equal(status, 200);
    const { requests, has_more, next_before } = body as List;
    return { ids: requests.map(({ id }) => id), more: has_more, next: next_before };
  }

  it('continues after the last request of an answer', async () => {
    const first = await list('limit=2');
    assert.deepEqual(first, {
      ids: [idOf(MOST_READ + 2), idOf(MOST_READ + 1)],
      more: true,
      next: idOf(MOST_READ + 1),
    });
    assert.deepEqual((await list(`limit=2&before=${first.next}`)).ids, [
      idOf(MOST_READ),
      idOf(MOST_READ - 1),
    ]);
    assert.deepEqual(await list(`limit=2&before=${idOf(3)}`), {
      ids: [idOf(2), idOf(1)],
      more: false,
      next: null,
    });
  });

  it('searches a limited number of requests for those of one status, and returns where to continue', async () => {
    const first = await list('status=failed');
    assert.deepEqual(first, { ids: [idOf(MOST_READ + 2)], more: true, next: idOf(3) });
    const second = await list(`status=failed&before=${first.next}`);
    assert.deepEqual(second, { ids: [idOf(1)], more: false, next: null });
    assert.deepEqual(await list('kind=page.person'), { ids: [], more: true, next: idOf(3) });
    assert.deepEqual((await list('status=succeeded&limit=1')).next, idOf(MOST_READ + 1));
  });
});
