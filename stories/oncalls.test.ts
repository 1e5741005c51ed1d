import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newId } from '../src/kit/typeid.ts';
import { appliedStory, JSON_BODY, type Reply, refusedFields } from '../testing/applied-story.ts';
import { seedOrganization } from '../testing/organization.ts';

const MONDAY = '2026-11-23T08:00:00.000Z';

type Oncall = { stage: number; start_time: string; user: { name: string } };

function oncalls({ status, body }: Reply): Oncall[] {
  assert.equal(status, 200, JSON.stringify(body));
  return body.oncalls as Oncall[];
}

const brief = (reply: Reply) =>
  oncalls(reply).map(({ stage, user, start_time }) => `${stage} ${user.name} ${start_time}`);
const between = (start: string, end: string) => `time_range[start]=${start}&time_range[end]=${end}`;

describe('GET /schedules/:id/oncalls, with curl', () => {
  const { curl, ids, story } = appliedStory();
  const path = (name = 'SRE') => `/schedules/${ids[name]}/oncalls`;

  it('answers who is on call now, and how to reach them', async () => {
    const { status, body } = await curl(path(), '-H', 'Content-Type: application/json');
    assert.equal(status, 200);
    const shift = {
      schedule_id: ids.SRE,
      start_time: '2026-11-16T08:00:00.000Z',
      end_time: '2026-11-20T00:00:00.000Z',
    };
    const ada = {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      contact_methods: [
        { type: 'chat', value: 'ada', chat_user_id: 'U024BE7LH' },
        { type: 'phone', value: '+15005550006' },
        { type: 'email', value: 'ada@example.com' },
      ],
    };
    const grace = {
      name: 'Grace Hopper',
      email: 'grace@example.com',
      contact_methods: [{ type: 'chat', value: 'grace', chat_user_id: null }],
    };
    assert.deepEqual(body, {
      has_more: false,
      oncalls: [
        { ...shift, stage: 1, user: ada },
        { ...shift, stage: 1.5, end_time: MONDAY, user: grace },
      ],
    });
  });

  it('accepts the range in every form, and shows overrides with their own times', async () => {
    const [start, end] = ['2026-11-19T00:00:00Z', '2026-11-23T09:00:00+01:00'];
    const fields = [
      '--data-urlencode',
      `time_range[start]=${start}`,
      '--data-urlencode',
      `time_range[end]=${end}`,
    ];
    const flat = { 'time_range[start]': start, 'time_range[end]': end };
    const encoded = new URLSearchParams(flat);
    const expected = [
      '1 Ada Lovelace 2026-11-16T08:00:00.000Z',
      '1.5 Grace Hopper 2026-11-16T08:00:00.000Z',
      '1 Joan Clarke 2026-11-20T00:00:00.000Z',
      '1 Ada Lovelace 2026-11-21T00:00:00.000Z',
    ];
    const json = JSON.stringify({ time_range: { start, end } });
    const forms: [string, ...string[]][] = [
      [`${path()}?${between(start, end.replace('+', '%2B'))}`],
      [`${path()}?${encoded}`],
      [path(), '-G', ...fields],
      [path(), ...JSON_BODY, json],
      [path(), ...JSON_BODY, JSON.stringify(flat)],
      [path(), '-X', 'GET', '-H', 'Content-Type: application/json; charset=utf-8', '-d', json],
      [path(), '-X', 'GET', ...fields],
      [`${path()}?time_range[start]=${start}`, ...JSON_BODY, JSON.stringify({ time_range: { end } })],
    ];
    for (const [url, ...args] of forms)
      assert.deepEqual(brief(await curl(url, ...args)), expected, [url, ...args].join(' '));
  });

  it('uses the current time if no range is given, in any form', async () => {
    const now = ['1 Ada Lovelace 2026-11-16T08:00:00.000Z', '1.5 Grace Hopper 2026-11-16T08:00:00.000Z'];
    assert.deepEqual(brief(await curl(path())), now);
    assert.deepEqual(brief(await curl(path(), '-X', 'GET', '-d', '')), now);
    for (const body of [
      '',
      '{}',
      '{"time_range":null}',
      '{"time_range":{}}',
      '{"time_range":{"start":null}}',
    ])
      assert.deepEqual(brief(await curl(path(), ...JSON_BODY, body)), now, body);
  });

  it('leaves gaps out, and nothing else', async () => {
    const reply = await curl(`${path()}?${between('2026-11-24T00:00:00Z', '2026-12-08T00:00:00Z')}`);
    assert.deepEqual(brief(reply), [
      '1 Alan Turing 2026-11-23T08:00:00.000Z',
      '1.5 Grace Hopper 2026-11-23T08:00:00.000Z',
      '1 Ada Lovelace 2026-11-30T08:00:00.000Z',
      // She is away on 1 December, and that stage has nobody else.
      '1.5 Grace Hopper 2026-11-30T08:00:00.000Z',
      '1.5 Grace Hopper 2026-12-02T00:00:00.000Z',
      '1 Alan Turing 2026-12-07T08:00:00.000Z',
      '1.5 Grace Hopper 2026-12-07T08:00:00.000Z',
    ]);
  });

  it('orders by start, then by the number of the stage', async () => {
    const reply = await curl(
      `${path('Büro & Co. 100%')}?${between('2026-11-18T12:00:00Z', '2026-11-19T12:00:00Z')}`,
    );
    assert.deepEqual(
      oncalls(reply).map(({ stage, user }) => `${stage} ${user.name}`),
      ['2 Alan Turing', '10 Ada Lovelace', '2 Alan Turing', '10 Ada Lovelace'],
    );
  });

  it('is paginated without loss', async () => {
    const week = `${path('Database')}?${between('2026-11-19T00:00:00Z', '2026-11-26T00:00:00Z')}`;
    const pages = [await curl(`${week}`), await curl(`${week}&page=2`)];
    assert.deepEqual(
      pages.map((reply) => [oncalls(reply).length, reply.body.has_more]),
      [
        [100, true],
        [68, false],
      ],
    );
    assert.equal(new Set(pages.flatMap(brief)).size, 168);
    const whole = await curl(`${week}&per_page=168`);
    assert.deepEqual([oncalls(whole).length, whole.body.has_more], [168, false]);
  });

  it('covers at most 366 days at once', async () => {
    const [start, end] = ['2026-11-18T12:00:00Z', '2027-11-19T12:00:00Z'];
    const year = await curl(`${path()}?${between(start, end)}&per_page=500`);
    assert.equal(oncalls(year).filter(({ stage }) => stage === 1).length, 53 + 2);
    assert.deepEqual(refusedFields(await curl(`${path()}?${between(start, '2027-11-20T12:00:00Z')}`)), [
      'time_range',
    ]);
  });

  it('refuses half a range, a reversed one, and invalid times', async () => {
    const time = '2026-11-22T00:00:00Z';
    assert.deepEqual(refusedFields(await curl(`${path()}?time_range[start]=${time}`)), ['time_range.end']);
    assert.deepEqual(
      refusedFields(await curl(path(), ...JSON_BODY, JSON.stringify({ time_range: { end: time } }))),
      ['time_range.start'],
    );
    assert.deepEqual(refusedFields(await curl(`${path()}?${between(time, '2026-11-21T23:59:59Z')}`)), [
      'time_range.end',
    ]);
    assert.deepEqual(refusedFields(await curl(`${path()}?${between('2026-11-22', '5')}`)), [
      'time_range.end',
      'time_range.start',
    ]);
  });

  it('refuses an unreadable range instead of using the current time', async () => {
    const time = '2026-11-22T00:00:00Z';
    for (const query of [
      `time_range[begin]=${time}`,
      `time_range.start=${time}`,
      `time_range[]=${time}`,
      'time_range=now',
    ])
      assert.deepEqual(refusedFields(await curl(`${path()}?${query}`)), ['time_range'], query);
    for (const range of [{ begin: time, until: time }, 'today', [time, time]])
      assert.deepEqual(
        refusedFields(await curl(path(), ...JSON_BODY, JSON.stringify({ time_range: range }))),
        ['time_range'],
      );
  });

  it('names unknown parameters', async () => {
    const range = between('2026-11-19T00:00:00Z', '2026-11-26T00:00:00Z');
    const reply = await curl(`${path()}?${range}&per_pag=3`);
    assert.equal(reply.status, 200);
    assert.equal(
      (reply.body.warnings as string[])[0],
      '"per_pag" is not a field of this request and was ignored; did you mean per_page?',
    );
    const body = { time_range: { start: '2026-11-19T00:00:00Z', end: '2026-11-26T00:00:00Z', zone: 'UTC' } };
    const warned = await curl(path(), ...JSON_BODY, JSON.stringify(body));
    assert.match(String((warned.body.warnings as string[])[0]), /^"time_range\.zone" is not a field/);
    const schedules = await curl('/schedules?name=x');
    assert.match(String((schedules.body.warnings as string[])[0]), /^"name" is not a field/);
    assert.equal('warnings' in (await curl(`${path()}?${range}`)).body, false);
  });

  it('reads a form in the body under the content type of JSON', async () => {
    const range = between('2026-11-19T00:00:00Z', '2026-11-26T00:00:00Z');
    const asForm = await curl(path(), ...JSON_BODY, range);
    assert.equal(asForm.status, 200, JSON.stringify(asForm.body));
    assert.deepEqual(asForm.body, (await curl(`${path()}?${range}`)).body);
  });

  it('reads an offset whose plus was a blank in the URL', async () => {
    const bare = between('2026-11-22T00:00:00+01:00', '2026-11-22T00:00:00Z');
    const reply = await curl(`${path()}?${bare}`);
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    assert.deepEqual(reply.body, (await curl(`${path()}?${bare.replace('+', '%2B')}`)).body);
  });

  it('shows only schedules of the own organization', async () => {
    const t = story();
    const spec = {
      people: { eve: {} },
      teams: { ops: { members: ['eve'], schedules: [{ stages: [['eve']] }] } },
    };
    const other = await seedOrganization(t, spec, 'Other');
    const theirs = await t.db
      .selectFrom('schedules')
      .select('id')
      .where('organization_id', '=', other.id)
      .executeTakeFirstOrThrow();
    const foreign = await curl(`/schedules/${theirs.id}/oncalls`);
    const unknown = await curl(`/schedules/${newId('schedule')}/oncalls`);
    assert.equal(foreign.status, 404);
    assert.deepEqual(foreign, unknown);
    assert.equal((await curl('/schedules')).body.total_count, 3);
  });

  it('does not show people who were disabled', async () => {
    const t = story();
    const at = await t.clock.now(t.db);
    await t.db
      .updateTable('users')
      .set({ disabled_at: at })
      .where('email', '=', 'grace@example.com')
      .execute();
    assert.deepEqual(brief(await curl(`${path()}?${between(MONDAY, '2026-11-24T00:00:00Z')}`)), [
      '1 Alan Turing 2026-11-23T08:00:00.000Z',
    ]);
  });
});
