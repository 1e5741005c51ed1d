import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, fields, NOW, startApi } from '../../testing/schedules/api.ts';
import { newId } from '../kit/typeid.ts';

const weekly = { stages: [{ members: ['ada', 'alan'] }] };

type Entry = { stage: number; start_time: string; end_time: string; user: { name: string } };
const brief = ({ body }: Answer) =>
  (body.oncalls as Entry[]).map(
    (entry) => `${entry.stage} ${entry.user.name} ${entry.start_time} ${entry.end_time}`,
  );

describe('GET /schedules/:id/oncalls', () => {
  it('returns exactly the documented fields, with verified contact methods', async (t) => {
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

  it('accepts the range in every form that clients send', async (t) => {
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
      await get(`${path}?time_range[start]=2026-11-22T01:00:00+01:00&time_range[end]=2026-11-24T02+02`),
      await curl(path, ...json, JSON.stringify({ time_range: { start, end } })),
      await curl(path, ...json, JSON.stringify(flat)),
      await curl(path, ...json, JSON.stringify({ start, end })),
      await get(`${path}?start=2026-11-22T01:00:00+01:00&end=${end}`),
      await curl(path, '-X', 'GET', ...form),
      await curl(path, '-G', ...form),
      await curl(path, '-X', 'GET', '-F', `time_range[start]=${start}`, '-F', `time_range[end]=${end}`),
      await curl(
        path,
        ...json.slice(0, -1),
        '-F',
        `time_range[start]=${start}`,
        '-F',
        `time_range[end]=${end}`,
      ),
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

  it('includes overlapping shifts (start inclusive, end exclusive) without gaps and disabled people', async (t) => {
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
    assert.deepEqual(await range('0001-01-01T00:00:00-05:00', '0001-06-01T00:00:00Z'), []);
    assert.deepEqual(await range('9999-01-01T00:00:00Z', '9999-12-31T00:00:00Z'), []);
    await rota.disable('alan');
    assert.deepEqual(await range('2026-11-17T00:00:00Z', '2026-11-25T00:00:00Z'), [ada]);
  });

  it('distinguishes overrides from the shifts that they replace', async (t) => {
    const { rota, get } = await startApi(t);
    const override = { who: 'grace', from: '2026-11-18T00:00:00Z', to: '2026-11-18T18:00:00Z' };
    const { id } = await rota.save({ ...weekly, overrides: [override] });
    const answer = await get(`/schedules/${id}/oncalls`);
    assert.deepEqual(brief(answer), ['1 Grace 2026-11-18T00:00:00.000Z 2026-11-18T18:00:00.000Z']);
  });

  it('is paginated', async (t) => {
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
    const multipart = ['-X', 'GET', '-H', 'Content-Type: multipart/form-data; boundary=x', '-d', 'page=1'];
    assert.equal((await curl(path, ...multipart)).status, 415);
  });

  it('returns 404 for schedules that do not exist', async (t) => {
    const { get } = await startApi(t);
    for (const id of [newId('schedule'), newId('team'), 'SRE', '1', '%00', encodeURIComponent("' or 1=1")]) {
      const { status, body } = await get(`/schedules/${id}/oncalls`);
      assert.deepEqual([status, body.error], [404, 'Not Found'], id);
    }
    assert.equal((await get('/schedules/')).status, 200);
  });

  it('allows only reading', async (t) => {
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
