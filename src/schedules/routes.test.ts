import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, fields, startApi } from '../../testing/schedules/api.ts';
import { insertOrganization, insertPerson } from '../../testing/schedules/story.ts';
import { isId, newId } from '../kit/typeid.ts';

const weekly = { stages: [{ members: ['ada', 'alan'] }] };
const names = ({ body }: Answer) => (body.results as { name: string }[]).map(({ name }) => name);

describe('GET /schedules', () => {
  it('lists exactly the documented fields', async (t) => {
    const { rota, get } = await startApi(t);
    const { id } = await rota.save({ ...weekly, backstop: 'grace', description: 'Round the clock' });
    await rota.save({ ...weekly, name: 'Empty', enabled: false });
    const { status, body } = await get('/schedules');
    assert.equal(status, 200);
    const { results, ...paging } = body as { results: Record<string, unknown>[] };
    assert.deepEqual(paging, { page: 1, per_page: 25, has_more: false, total_pages: 1, total_count: 2 });
    const [empty, sre] = results;
    assert.deepEqual(
      [empty?.name, empty?.enabled, empty?.description, empty?.backstop],
      ['Empty', false, null, null],
    );
    assert.match(String(sre?.created_at), /^2026-11-18T12:00:\d\d\.\d{3}Z$/);
    assert.ok(isId('schedule', String(sre?.id)));
    assert.deepEqual(sre, {
      id,
      name: 'SRE',
      created_at: sre?.created_at,
      updated_at: sre?.created_at,
      description: 'Round the clock',
      enabled: true,
      backstop: { id: rota.people.grace, name: 'Grace', email: 'grace@example.com' },
    });
  });

  it('is ordered by name and paginated', async (t) => {
    const { rota, get } = await startApi(t);
    for (const name of ['Zebra', 'apple', 'Berlin', 'Ångström', 'Atlas'])
      await rota.save({ ...weekly, name });
    assert.deepEqual(names(await get('/schedules')), ['Atlas', 'Berlin', 'Zebra', 'apple', 'Ångström']);
    const second = await get('/schedules?per_page=2&page=2');
    assert.deepEqual(names(second), ['Zebra', 'apple']);
    const { results, ...paging } = second.body;
    assert.deepEqual(paging, { page: 2, per_page: 2, has_more: true, total_pages: 3, total_count: 5 });
    assert.equal((await get('/schedules?per_page=2&page=3')).body.has_more, false);
    const beyond = await get('/schedules?per_page=2&page=1000000');
    assert.deepEqual([names(beyond), beyond.body.has_more, beyond.body.total_count], [[], false, 5]);
  });

  it('finds a schedule by its exact name', async (t) => {
    const { rota, get } = await startApi(t);
    for (const name of ['SRE', 'sre', 'SRE 2', '100% ünïcödé']) await rota.save({ ...weekly, name });
    for (const name of ['SRE', 'sre', '100% ünïcödé'])
      assert.deepEqual(names(await get(`/schedules?name_eq=${encodeURIComponent(name)}`)), [name]);
    for (const name of ['SR', 'SRE%', 'SRE ', "' or '1'='1", ''])
      assert.deepEqual(names(await get(`/schedules?name_eq=${encodeURIComponent(name)}`)), [], name);
    const { body } = await get('/schedules?name_eq=nothing');
    assert.deepEqual([body.total_pages, body.total_count, body.has_more], [0, 0, false]);
  });

  it('also accepts its parameters in a body, and a content type without one', async (t) => {
    const { rota, get, curl } = await startApi(t);
    for (const name of ['SRE', 'Ops', 'Web']) await rota.save({ ...weekly, name });
    const json = ['-X', 'GET', '-H', 'Content-Type: application/json'];
    assert.deepEqual(names(await get('/schedules', { 'content-type': 'application/json' })).length, 3);
    assert.deepEqual(names(await curl('/schedules', '-H', 'Content-Type: application/json')).length, 3);
    assert.deepEqual(names(await curl('/schedules', ...json, '-d', '{"name_eq":"Ops"}')), ['Ops']);
    assert.deepEqual(
      names(await curl('/schedules', ...json, '-d', '{"per_page":1,"page":"2","name_eq":null}')),
      ['SRE'],
    );
    assert.deepEqual(names(await curl('/schedules', '-X', 'GET', '-d', 'name_eq=Web&page=1')), ['Web']);
    assert.deepEqual(names(await curl('/schedules', '-G', '--data-urlencode', 'name_eq=Ops')), ['Ops']);
    assert.deepEqual(names(await curl('/schedules?name_eq=Web', ...json, '-d', '{"name_eq":"Ops"}')), [
      'Web',
    ]);
    assert.deepEqual(
      names(await curl('/schedules', ...json, '-d', '{"unknown":[1],"time_range":{}}')).length,
      3,
    );
  });

  it('refuses bad input with every problem at once', async (t) => {
    const { get, curl } = await startApi(t);
    for (const value of ['0', '-1', 'x', '1.5', '1e3', '', '99999999999999999999', '1000001', '+1'])
      assert.deepEqual(fields(await get(`/schedules?page=${encodeURIComponent(value)}`)), ['page'], value);
    for (const value of ['0', '101', 'all', '25.0'])
      assert.deepEqual(fields(await get(`/schedules?per_page=${value}`)), ['per_page'], value);
    assert.deepEqual(fields(await get('/schedules?page=1&page=2')), ['page']);
    assert.deepEqual(fields(await get('/schedules?name_eq=a&name_eq=b')), ['name_eq']);
    assert.deepEqual(fields(await get('/schedules?name_eq=%00&page=0&per_page=1000')), [
      'name_eq',
      'page',
      'per_page',
    ]);
    const json = ['-X', 'GET', '-H', 'Content-Type: application/json', '-d'];
    for (const body of ['[]', '"SRE"', '7', '{"name_eq":', '[{"page":1}]', '{"__proto__":{"page":2}}'])
      assert.deepEqual(fields(await curl('/schedules', ...json, body)), ['body'], body);
    assert.deepEqual(fields(await curl('/schedules', ...json, '{"name_eq":7,"page":true,"per_page":[]}')), [
      'name_eq',
      'page',
      'per_page',
    ]);
    const { body } = await get('/schedules?per_page=1000');
    assert.deepEqual(body.details, [
      { field: 'per_page', message: 'per_page is 1000, out of range; give a whole number from 1 to 100.' },
    ]);
  });

  it('requires a key with the right scope, in either form', async (t) => {
    const { rota, get, key, keyOf } = await startApi(t);
    assert.equal((await get('/schedules', { authorization: '' })).status, 401);
    assert.equal((await get('/schedules?page=0', { authorization: 'Bearer tocsin_wrong' })).status, 401);
    assert.equal((await get('/schedules', { authorization: `Token token="${key}"` })).status, 200);
    const narrow = await keyOf(rota.organizationId, rota.people.ada ?? '', ['pages']);
    assert.equal((await get('/schedules', { authorization: `Bearer ${narrow}` })).status, 403);
  });

  it('does not show other organizations', async (t) => {
    const { rota, get, keyOf } = await startApi(t);
    const { id } = await rota.save(weekly);
    const other = await insertOrganization(rota.db);
    const stranger = await keyOf(other, await insertPerson(rota.db, other, 'eve'));
    const authorization = `Bearer ${stranger}`;
    assert.equal((await get('/schedules', { authorization })).body.total_count, 0);
    const hidden = await get(`/schedules/${id}/oncalls`, { authorization });
    const missing = await get(`/schedules/${newId('schedule')}/oncalls`, { authorization });
    assert.deepEqual([hidden.status, hidden.body], [404, missing.body]);
  });
});
