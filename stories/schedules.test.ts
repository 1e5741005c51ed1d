import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { appliedStory, JSON_BODY, type Reply, refusedFields } from '../testing/applied-story.ts';

const names = ({ body }: Reply) => (body.results as { name: string }[]).map(({ name }) => name);

describe('GET /schedules, with curl', () => {
  const { curl, ids } = appliedStory();

  it('lists all of the organization by name, exactly as documented', async () => {
    const { status, body } = await curl('/schedules', '-H', 'Content-Type: application/json');
    assert.equal(status, 200);
    assert.deepEqual(names({ status, body }), ['Büro & Co. 100%', 'Database', 'SRE']);
    const { results, ...paging } = body as { results: Record<string, unknown>[] };
    assert.deepEqual(paging, { page: 1, per_page: 25, has_more: false, total_pages: 1, total_count: 3 });
    const { created_at, updated_at, ...sre } = results[2] ?? {};
    for (const time of [created_at, updated_at])
      assert.match(String(time), /^2026-11-18T12:00:\d\d\.\d{3}Z$/);
    const backstop = sre.backstop as { id: string };
    assert.match(backstop.id, /^organization_user_[0-9a-z]{26}$/);
    assert.deepEqual(sre, {
      id: ids.SRE,
      name: 'SRE',
      description: 'Round the clock',
      enabled: true,
      backstop: { id: backstop.id, name: 'Grace Hopper', email: 'grace@example.com' },
    });
    assert.deepEqual([results[1]?.enabled, results[1]?.backstop], [false, null]);
  });

  it('filters by exact name, and pages, from the query, a JSON body and a form', async () => {
    const odd = 'Büro & Co. 100%';
    for (const reply of [
      await curl('/schedules', '-G', '--data-urlencode', `name_eq=${odd}`),
      await curl('/schedules', ...JSON_BODY, JSON.stringify({ name_eq: odd })),
      await curl('/schedules', '-X', 'GET', '--data-urlencode', `name_eq=${odd}`),
    ])
      assert.deepEqual(names(reply), [odd]);
    for (const name of ['sre', 'SR', 'SRE '])
      assert.deepEqual(names(await curl('/schedules', '-G', '--data-urlencode', `name_eq=${name}`)), []);
    for (const reply of [
      await curl('/schedules?per_page=2&page=2'),
      await curl('/schedules', ...JSON_BODY, '{"per_page":2,"page":2}'),
      await curl('/schedules', '-X', 'GET', '-d', 'per_page=2', '-d', 'page=2'),
    ]) {
      const { results, ...paging } = reply.body;
      assert.deepEqual(paging, { page: 2, per_page: 2, has_more: false, total_pages: 2, total_count: 3 });
      assert.deepEqual(names(reply), ['SRE']);
    }
    assert.equal((await curl('/schedules?per_page=2')).body.has_more, true);
    assert.deepEqual(refusedFields(await curl('/schedules?per_page=101&page=0')), ['page', 'per_page']);
    assert.deepEqual(refusedFields(await curl('/schedules', ...JSON_BODY, '{"page":')), ['body']);
  });
});
