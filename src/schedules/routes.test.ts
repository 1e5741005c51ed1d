import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { createListener } from '../http/listener.ts';
import { createKeys } from '../keys/authenticate.ts';
import { createBudgets } from '../keys/budget.ts';
import { newKey, type Scope } from '../keys/key.ts';
import { insertKey } from '../keys/store.ts';
import { createLog } from '../kit/log.ts';
import { isId, newId } from '../kit/typeid.ts';
import { scheduleRoutes } from './routes.ts';
import { insertOrganization, insertPerson, type Rota, startRota } from './testing.ts';

const run = promisify(execFile);
const NOW = '2026-11-18T12:00:00Z';

type Answer = { status: number; headers: Headers; body: Record<string, unknown> };
type Api = {
  rota: Rota;
  url: string;
  key: string;
  keyOf(organizationId: string, userId: string, scopes?: Scope[]): Promise<string>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** What the real curl gets: arguments beside the URL and the key. */
  curl(path: string, ...args: string[]): Promise<Answer>;
};

async function startApi(t: TestContext, handles?: string[]): Promise<Api> {
  const rota = await startRota(t, NOW, handles);
  const { db, clock } = rota;
  const listener = await createListener({
    config: { tls: null, trustProxy: false },
    log: createLog('silent'),
    bodyLimit: 256 * 1024,
  });
  const budgets = createBudgets({ perSecond: 1_000, burst: 1_000 });
  scheduleRoutes(listener, { db, clock, keys: createKeys(db, clock), budgets });
  const url = await listener.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => listener.close());
  const keyOf: Api['keyOf'] = async (organizationId, userId, scopes) => {
    const { key, hash, hint } = newKey();
    const id = newId('api_key');
    await insertKey(db, clock, {
      ...{ id, organizationId, userId, hash, hint },
      name: 'test',
      scopes: scopes ?? null,
      expiresAt: null,
    });
    return key;
  };
  const key = await keyOf(rota.organizationId, Object.values(rota.people)[0] ?? '');
  return {
    rota,
    url,
    key,
    keyOf,
    async get(path, headers = {}) {
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}`, ...headers } });
      const body = (await response.json()) as Record<string, unknown>;
      return { status: response.status, headers: response.headers, body };
    },
    async curl(path, ...args) {
      const all = [
        '-sS',
        '-g',
        '-w',
        '\n%{http_code}',
        '-H',
        `Authorization: Bearer ${key}`,
        ...args,
        url + path,
      ];
      const { stdout } = await run('curl', all);
      const [, body, status] = /^(.*)\n(\d+)$/s.exec(stdout) ?? [];
      return { status: Number(status), headers: new Headers(), body: JSON.parse(body ?? '') };
    },
  };
}

const weekly = { stages: [{ members: ['ada', 'alan'] }] };
const names = ({ body }: Answer) => (body.results as { name: string }[]).map(({ name }) => name);
const fields = ({ status, body }: Answer) => {
  assert.deepEqual([status, body.error], [400, 'Invalid request'], JSON.stringify(body));
  return (body.details as { field: string; message: string }[]).map(({ field }) => field).sort();
};

describe('GET /schedules', () => {
  it('lists exactly what the interface says', async (t) => {
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

  it('is ordered by name and comes in pages', async (t) => {
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

  it('finds a schedule by exactly its name', async (t) => {
    const { rota, get } = await startApi(t);
    for (const name of ['SRE', 'sre', 'SRE 2', '100% ünïcödé']) await rota.save({ ...weekly, name });
    for (const name of ['SRE', 'sre', '100% ünïcödé'])
      assert.deepEqual(names(await get(`/schedules?name_eq=${encodeURIComponent(name)}`)), [name]);
    for (const name of ['SR', 'SRE%', 'SRE ', "' or '1'='1", ''])
      assert.deepEqual(names(await get(`/schedules?name_eq=${encodeURIComponent(name)}`)), [], name);
    const { body } = await get('/schedules?name_eq=nothing');
    assert.deepEqual([body.total_pages, body.total_count, body.has_more], [0, 0, false]);
  });

  it('takes its parameters from a body as well, and a content type without one', async (t) => {
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
      { field: 'per_page', message: 'is 1000, out of range; give a whole number from 1 to 100' },
    ]);
  });

  it('needs a key with the right scope, in either form', async (t) => {
    const { rota, get, key, keyOf } = await startApi(t);
    assert.equal((await get('/schedules', { authorization: '' })).status, 401);
    assert.equal((await get('/schedules?page=0', { authorization: 'Bearer tocsin_wrong' })).status, 401);
    assert.equal((await get('/schedules', { authorization: `Token token="${key}"` })).status, 200);
    const narrow = await keyOf(rota.organizationId, rota.people.ada ?? '', ['pages']);
    assert.equal((await get('/schedules', { authorization: `Bearer ${narrow}` })).status, 403);
  });

  it('shows nothing of another organization', async (t) => {
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

type Entry = { stage: number; start_time: string; end_time: string; user: { name: string } };
const brief = ({ body }: Answer) =>
  (body.oncalls as Entry[]).map(
    (entry) => `${entry.stage} ${entry.user.name} ${entry.start_time} ${entry.end_time}`,
  );

describe('GET /schedules/:id/oncalls', () => {
  it('answers exactly what the interface says, with the contact methods that are verified', async (t) => {
    const { rota, get } = await startApi(t);
    const { id } = await rota.save({ stages: [{ stage: 1.5, members: ['ada'] }] });
    const at = Temporal.Instant.from(NOW);
    const method = (
      position: number,
      type: 'phone' | 'email' | 'chat' | 'push',
      value: string,
      more = {},
    ) => ({
      ...{
        id: newId('contact_method'),
        organization_id: rota.organizationId,
        user_id: rota.people.ada ?? '',
      },
      ...{ position, type, value, verified_at: at, created_at: at, updated_at: at },
      ...more,
    });
    await rota.db
      .insertInto('contact_methods')
      .values([
        method(2, 'email', 'ada@example.com'),
        method(0, 'chat', 'ada', { chat_user_id: 'U024BE7LH' }),
        method(1, 'phone', '+15005550006'),
        method(3, 'phone', '+15005550007', { verified_at: null }),
        method(4, 'push', 'https://push.example.com/1', { push_keys: '{}' }),
        method(5, 'chat', 'ada2'),
      ])
      .execute();
    const { status, body } = await get(`/schedules/${id}/oncalls`);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      has_more: false,
      oncalls: [
        {
          schedule_id: id,
          stage: 1.5,
          start_time: '2026-11-16T08:00:00.000Z',
          end_time: '2026-11-23T08:00:00.000Z',
          user: {
            name: 'Ada',
            email: 'ada@example.com',
            contact_methods: [
              { type: 'chat', value: 'ada', chat_user_id: 'U024BE7LH' },
              { type: 'phone', value: '+15005550006' },
              { type: 'email', value: 'ada@example.com' },
              { type: 'chat', value: 'ada2', chat_user_id: null },
            ],
          },
        },
      ],
    });
  });

  it('takes the range in every form that clients send', async (t) => {
    const { rota, get, curl } = await startApi(t);
    const { id } = await rota.save({ stages: [{ members: ['ada', 'alan'] }, { members: ['grace'] }] });
    const path = `/schedules/${id}/oncalls`;
    const [start, end] = ['2026-11-22T00:00:00Z', '2026-11-24T00:00:00Z'];
    const expected = [
      '1 Ada 2026-11-16T08:00:00.000Z 2026-11-23T08:00:00.000Z',
      '2 Grace 2026-11-16T08:00:00.000Z 2026-11-23T08:00:00.000Z',
      '1 Alan 2026-11-23T08:00:00.000Z 2026-11-30T08:00:00.000Z',
      '2 Grace 2026-11-23T08:00:00.000Z 2026-11-30T08:00:00.000Z',
    ];
    const flat = { 'time_range[start]': start, 'time_range[end]': end };
    const json = ['-X', 'GET', '-H', 'Content-Type: application/json', '-d'];
    const form = [
      '--data-urlencode',
      `time_range[start]=${start}`,
      '--data-urlencode',
      `time_range[end]=${end}`,
    ];
    for (const answer of [
      await get(`${path}?time_range[start]=${start}&time_range[end]=${end}`),
      await get(`${path}?${new URLSearchParams(flat)}`),
      await curl(path, ...json, JSON.stringify({ time_range: { start, end } })),
      await curl(path, ...json, JSON.stringify(flat)),
      await curl(path, '-X', 'GET', ...form),
      await curl(path, '-G', ...form),
      await curl(`${path}?time_range[start]=${start}`, ...json, JSON.stringify({ time_range: { end } })),
      await curl(
        path,
        ...json,
        JSON.stringify({ time_range: { start: '2026-11-22T01:00:00+01:00', end: '2026-11-24T00:00:00' } }),
      ),
    ])
      assert.deepEqual(brief(answer), expected);
    for (const body of [
      '{}',
      '{"time_range":null}',
      '{"time_range":{"start":null,"end":null}}',
      '{"time_range":{}}',
    ])
      assert.deepEqual(
        brief(await curl(path, ...json, body)),
        expected.slice(0, 2),
        'without a range it is now',
      );
    assert.deepEqual(brief(await curl(path, '-H', 'Content-Type: application/json')), expected.slice(0, 2));
  });

  it('includes what overlaps, start inclusive and end exclusive, gaps and disabled people left out', async (t) => {
    const { rota, get } = await startApi(t);
    for (const who of ['ada', 'alan']) await rota.away(who, '2026-12-01T00:00:00Z', '2026-12-02T00:00:00Z');
    const { id } = await rota.save(weekly);
    const range = async (start: string, end: string) =>
      brief(await get(`/schedules/${id}/oncalls?time_range[start]=${start}&time_range[end]=${end}`));
    const [ada, alan] = [
      '1 Ada 2026-11-16T08:00:00.000Z 2026-11-23T08:00:00.000Z',
      '1 Alan 2026-11-23T08:00:00.000Z 2026-11-30T08:00:00.000Z',
    ];
    const handoff = '2026-11-23T08:00:00Z';
    assert.deepEqual(await range('2026-11-20T00:00:00Z', handoff), [ada]);
    assert.deepEqual(await range(handoff, '2026-11-24T00:00:00Z'), [alan]);
    assert.deepEqual(await range('2026-11-23T07:59:59.999Z', '2026-11-23T08:00:00.001Z'), [ada, alan]);
    assert.deepEqual(await range(handoff, handoff), [alan], 'one instant');
    assert.deepEqual(await range('2026-12-01T00:00:00Z', '2026-12-02T00:00:00Z'), [], 'a gap');
    assert.deepEqual(await range('0001-01-01T00:00:00%2B05:00', '0001-06-01T00:00:00Z'), []);
    assert.deepEqual(await range('9999-01-01T00:00:00Z', '9999-12-31T00:00:00Z'), []);
    await rota.disable('alan');
    assert.deepEqual(await range('2026-11-17T00:00:00Z', '2026-11-25T00:00:00Z'), [ada]);
  });

  it('tells overrides apart from what they replace', async (t) => {
    const { rota, get } = await startApi(t);
    const override = { who: 'grace', from: '2026-11-18T00:00:00Z', to: '2026-11-18T18:00:00Z' };
    const { id } = await rota.save({ ...weekly, overrides: [override] });
    const answer = await get(`/schedules/${id}/oncalls`);
    assert.deepEqual(brief(answer), ['1 Grace 2026-11-18T00:00:00.000Z 2026-11-18T18:00:00.000Z']);
  });

  it('comes in pages', async (t) => {
    const { rota, get } = await startApi(t);
    const { id } = await rota.save({ ...weekly, shifts: { every: 'hour' } });
    const path = `/schedules/${id}/oncalls?time_range[start]=2026-11-19T00:00:00Z&time_range[end]=2026-11-26T00:00:00Z`;
    const first = await get(path);
    assert.deepEqual([brief(first).length, first.body.has_more], [100, true]);
    const second = await get(`${path}&page=2`);
    assert.deepEqual([brief(second).length, second.body.has_more], [68, false]);
    assert.equal(new Set([...brief(first), ...brief(second)]).size, 168);
    const exact = await get(`${path}&per_page=168`);
    assert.deepEqual([brief(exact).length, exact.body.has_more], [168, false]);
    assert.deepEqual((await get(`${path}&page=3`)).body, { has_more: false, oncalls: [] });
  });

  it('refuses bad input with every problem at once', async (t) => {
    const { rota, get, curl } = await startApi(t);
    const { id } = await rota.save(weekly);
    const path = `/schedules/${id}/oncalls`;
    const range = (start: string, end: string) =>
      get(`${path}?${new URLSearchParams({ 'time_range[start]': start, 'time_range[end]': end })}`);
    const good = '2026-11-22T00:00:00Z';
    assert.deepEqual(fields(await get(`${path}?time_range[start]=${good}`)), ['time_range.end']);
    assert.deepEqual(fields(await get(`${path}?time_range[end]=${good}`)), ['time_range.start']);
    assert.deepEqual(fields(await range(good, '2026-11-21T00:00:00Z')), ['time_range.end']);
    assert.deepEqual(fields(await range(good, '2027-11-23T00:00:00.001Z')), ['time_range']);
    assert.equal((await range(good, '2027-11-23T00:00:00Z')).status, 200);
    for (const bad of [
      'today',
      '2026-11-22',
      '2026-02-30T00:00:00Z',
      '',
      '1763769600',
      '2026-11-22T25:00:00Z',
    ])
      assert.deepEqual(fields(await range(bad, good)), ['time_range.start'], bad);
    assert.deepEqual(fields(await range('x', 'y')), ['time_range.end', 'time_range.start']);
    assert.deepEqual(fields(await get(`${path}?page=0&per_page=501&time_range[start]=${good}`)), [
      'page',
      'per_page',
      'time_range.end',
    ]);
    assert.deepEqual(
      fields(
        await get(`${path}?time_range[start]=${good}&time_range[start]=${good}&time_range[end]=${good}`),
      ),
      ['time_range.start'],
    );
    const json = ['-X', 'GET', '-H', 'Content-Type: application/json', '-d'];
    for (const body of ['{"time_range":"now"}', '{"time_range":["a","b"]}', '{"time_range":5}'])
      assert.deepEqual(fields(await curl(path, ...json, body)), ['time_range'], body);
    assert.deepEqual(fields(await curl(path, ...json, '{"time_range":{"start":5,"end":{}}}')), [
      'time_range.end',
      'time_range.start',
    ]);
    assert.deepEqual(fields(await curl(path, ...json, '[1]')), ['body']);
  });

  it('does not know schedules that do not exist', async (t) => {
    const { get } = await startApi(t);
    for (const id of [newId('schedule'), newId('team'), 'SRE', '1', '%00', encodeURIComponent("' or 1=1")]) {
      const { status, body } = await get(`/schedules/${id}/oncalls`);
      assert.deepEqual([status, body.error], [404, 'Not Found'], id);
    }
    assert.equal((await get('/schedules/')).status, 200);
  });

  it('is only there to be read', async (t) => {
    const { rota, url, key } = await startApi(t);
    const { id } = await rota.save(weekly);
    for (const path of ['/schedules', `/schedules/${id}/oncalls`]) {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
      });
      assert.equal(response.status, 405);
      assert.match(response.headers.get('allow') ?? '', /GET/);
    }
  });
});
