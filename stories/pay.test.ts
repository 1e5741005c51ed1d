import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { newId } from '../src/kit/typeid.ts';
import type { Statement } from '../src/pay/api-contract.ts';
import { ratesWith } from '../testing/pay/rates.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

const OCTOBER = { first: '2031-10-01', last: '2031-10-31' };
const NOVEMBER = { first: '2031-11-01', last: '2031-11-30' };
const HOUR = 3_600_000;

const inBerlin = (local: string) =>
  Temporal.PlainDateTime.from(local).toZonedDateTime('Europe/Berlin').toInstant();
const inNewYork = (local: string) =>
  Temporal.PlainDateTime.from(local).toZonedDateTime('America/New_York').toInstant();

/**
 * A payroll of three people in two regions, whose amounts were added up by hand. In October 2031, Friday the 3rd is a
 * public holiday, and clocks go back in the night to Sunday the 26th.
 */
describe('pay', () => {
  let t: Story;
  let by: Record<'owner' | 'ada' | 'ben' | 'gus', SignedIn>;
  let schedule: string;
  let germany: string;
  let october: string;

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'owner', 'ada', 'ben', 'gus'),
        teams: {
          sre: {
            members: ['ada', 'ben', 'gus'],
            schedules: [{ stages: [['ada', 'ben', 'gus']], backstop: 'ben' }],
          },
        },
      }),
    });
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'owner').execute();
    await travel('2031-09-30T12:00');
    schedule = (await t.db.selectFrom('schedules').select('id').executeTakeFirstOrThrow()).id;
    await t.db.deleteFrom('shifts').execute();
    await shift('ada', inBerlin('2031-10-03T08:00'), inBerlin('2031-10-06T08:00'));
    await shift('ada', inBerlin('2031-10-25T22:00'), inBerlin('2031-10-26T06:00'));
    await shift('ada', inBerlin('2031-10-28T10:00'), inBerlin('2031-10-28T10:10'));
    await shift('gus', inNewYork('2031-10-01T09:00'), inNewYork('2031-10-01T17:00'));
  });
  after(async () => {
    t?.receiver.inbox.takeAll();
    await t?.end();
  });

  /** Sessions end after some days, so everybody signs in again. */
  async function travel(local: string): Promise<void> {
    await t.clock.travelTo(t.db, inBerlin(local));
    const [owner, ada, ben, gus] = [
      await signIn(t, 'owner'),
      await signIn(t, 'ada'),
      await signIn(t, 'ben'),
      await signIn(t, 'gus'),
    ];
    by = { owner, ada, ben, gus };
  }

  async function shift(
    person: string,
    from: Temporal.Instant,
    to: Temporal.Instant,
    stage = 1,
  ): Promise<void> {
    const user = t.acme.users[person] ?? '';
    const now = await t.clock.now(t.db);
    await sql`
      insert into shifts (id, organization_id, schedule_id, stage, user_id, planned_user_id, starts_at, ends_at, created_at, updated_at)
      values (${newId('shift')}, ${t.acme.id}, ${schedule}, ${stage}, ${user}, ${user}, ${from}, ${to}, ${now}, ${now})`.execute(
      t.db,
    );
  }

  const call = async (method: string, path: string, body?: unknown, status = 200) => {
    const answer = await by.owner.call(method, `/api/pay${path}`, body);
    assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const periodOf = (id: string) => call('GET', `/periods/${id}`);
  const totals = async (id: string): Promise<string[]> =>
    (await periodOf(id)).statements.map(
      ({ person, table, amount, corrected, total }: Statement) =>
        `${person.name} ${table.currency} ${amount} ${corrected} ${total}`,
    );

  it('has rate tables of regions, by which people are paid', async () => {
    const made = await call(
      'POST',
      '/tables',
      { name: 'Germany', currency: 'EUR', time_zone: 'Europe/Berlin', country: 'de', region: 'by' },
      201,
    );
    assert.deepEqual([made.default, made.country, made.region, made.versions], [true, 'DE', 'BY', []]);
    germany = made.id;
    const other = await call(
      'POST',
      '/tables',
      { name: 'New York', currency: 'USD', time_zone: 'America/New_York' },
      201,
    );
    assert.equal(other.default, false);
    await call('PUT', `/tables/${germany}/rates/2031-01-01`, { rates: ratesWith() });
    await call('PUT', `/tables/${other.id}/rates/2031-01-01`, {
      rates: ratesWith({ on_call: { standby: '3.333', night: '4', weekend: '5', holiday: '6' } }),
    });
    const gus = await call('PUT', `/people/${t.acme.users.gus}`, { table: other.id });
    assert.deepEqual([gus.table.name, gus.assignments.length], ['New York', 1]);
    await call('PUT', `/people/${t.acme.users.owner}`, { table: null, from: '2031-01-01' });
    const { people } = await call('GET', '/people');
    assert.deepEqual(
      people.map(
        (one: { person: { name: string }; table: { name: string } | null }) =>
          `${one.person.name} ${one.table?.name}`,
      ),
      ['Ada Germany', 'Ben Germany', 'Gus New York', 'Owner undefined'],
    );
  });

  it('names the wrong field and the fix', async () => {
    for (const [method, path, body, status, message] of [
      [
        'POST',
        '/tables',
        { name: 'X', currency: 'XQQ' },
        400,
        /currency is XQQ, which is not a current currency/,
      ],
      ['POST', '/tables', { name: 'germany', currency: 'EUR' }, 409, /another rate table already uses/],
      [
        'POST',
        '/tables',
        { name: 'X', currency: 'EUR', country: 'DE', region: 'XX' },
        400,
        /not a region of Germany/,
      ],
      ['PUT', `/tables/${germany}/rates/2031-02-30`, { rates: ratesWith() }, 400, /from is "2031-02-30"/],
      [
        'PUT',
        `/tables/${germany}/rates/2031-02-01`,
        { until: '2031-01-01', rates: ratesWith() },
        400,
        /before 2031-02-01/,
      ],
      [
        'PUT',
        `/tables/${germany}/rates/2031-02-01`,
        { rates: { ...ratesWith(), overlap: 'x' } },
        400,
        /overlap/,
      ],
      [
        'PUT',
        `/tables/${germany}/rates/2031-02-01`,
        { rates: { ...ratesWith(), on_call: { standby: '1,5' } } },
        400,
        /rates/,
      ],
      [
        'PUT',
        `/tables/${germany}/rates/2031-01-01`,
        { only_new: true, rates: ratesWith({ overlap: 'add' }) },
        409,
        /from is 2031-01-01, from which Germany already has rates; change those, or choose another day/,
      ],
      ['DELETE', `/tables/${germany}/rates/2030-01-01`, undefined, 404, /no rates of Germany begin/],
      ['POST', '/periods', { first: '2031-10-31', last: '2031-10-01' }, 400, /before 2031-10-31/],
      ['POST', '/periods', { first: '2031-01-01', last: '2031-12-31' }, 400, /365 days/],
      ['PUT', '/people/nobody', { table: germany }, 404, /not a person of your organization/],
    ] as const) {
      const answer = await by.owner.call(method, `/api/pay${path}`, body);
      assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify(answer.body)}`);
      assert.match(
        (answer.body.details ?? [])
          .map((one: { field: string; message: string }) => `${one.field} ${one.message}`)
          .join(' '),
        message,
      );
    }
  });

  it('pays people who covered, and people who were called out by a page', async () => {
    const override = await by.owner.call('POST', `/api/schedules/${schedule}/overrides`, {
      ...{ user: t.acme.users.ben, stage: 1 },
      ...{
        starts_at: inBerlin('2031-10-04T12:00').toString(),
        ends_at: inBerlin('2031-10-04T18:00').toString(),
      },
    });
    assert.ok(override.status < 300, JSON.stringify(override.body));
    await travel('2031-10-05T03:11');
    const { page } = await t.status(await t.page('team', 'sre', { urgency: 'high', title: 'Disk full' }));
    await t.settle();
    await travel('2031-10-05T03:12:30');
    assert.equal((await by.ada.call('POST', `/api/pages/${page.id}/acknowledge`)).status, 200);
    await travel('2031-10-05T04:20');
    assert.equal((await by.ada.call('POST', `/api/pages/${page.id}/resolve`)).status, 200);
    t.receiver.inbox.takeAll();
  });

  it('adds up to the cent', async () => {
    october = (await call('POST', '/periods', OCTOBER, 201)).id;
    // Holiday 16 h at 6.25, weekend 49.75 h at 4, night 6 h at 3, standby 2 h 10 min at 2.50, called out 1 h 15 min at 50.
    assert.deepEqual(await totals(october), [
      'Ada EUR 384.92 0.00 384.92',
      'Ben EUR 24.00 0.00 24.00',
      'Gus USD 26.66 0.00 26.66',
    ]);
    assert.deepEqual((await periodOf(october)).totals, [
      { currency: 'EUR', total: '408.92' },
      { currency: 'USD', total: '26.66' },
    ]);
    const { statements } = await call('GET', `/periods/${october}/statements/${t.acme.users.ada}`);
    const [ada] = statements as Statement[];
    assert.deepEqual(
      ada?.lines.map(({ kind, class: name, milliseconds, amount }) => [
        kind,
        name,
        milliseconds / HOUR,
        amount,
      ]),
      [
        ['on_call', 'standby', 13 / 6, '5.42'],
        ['on_call', 'night', 6, '18.00'],
        ['on_call', 'weekend', 49.75, '199.00'],
        ['on_call', 'holiday', 16, '100.00'],
        ['called_out', 'weekend', 1.25, '62.50'],
      ],
    );
    const [callOut] = ada?.call_outs ?? [];
    assert.deepEqual(
      [callOut?.from, callOut?.to, callOut?.pages[0]?.title],
      [inBerlin('2031-10-05T03:12').toString(), inBerlin('2031-10-05T04:27').toString(), 'Disk full'],
    );
    // The same hours as in the load report: the night of the clock change has nine.
    const span = `from=${inBerlin('2031-10-01T00:00')}&to=${inBerlin('2031-11-01T00:00')}`;
    const { body: report } = await by.owner.call('GET', `/api/reports/fairness?${span}`);
    const hours = Object.fromEntries(
      report.people.map((line: { person: { name: string }; hours: number }) => [
        line.person.name,
        line.hours,
      ]),
    );
    const paid = (await periodOf(october)).statements.map((one: Statement) => [
      one.person.name,
      one.milliseconds / HOUR,
    ]);
    for (const [name, length] of paid)
      assert.ok(Math.abs(hours[name] - length) < 0.01, `${name}: ${hours[name]}, ${length}`);
  });

  it('exports the lines as a table, whose amounts add up to the totals', async () => {
    const answer = await fetch(`${t.url}/api/pay/periods/${october}/statements.csv`, {
      headers: { cookie: by.owner.cookie },
    });
    assert.match(answer.headers.get('content-disposition') ?? '', /tocsin-pay-2031-10-01-2031-10-31\.csv/);
    const rows: Record<string, string>[] = parse(await answer.text(), { columns: true });
    const cents = (currency: string) =>
      rows
        .filter((row) => row.currency === currency)
        .reduce((sum, { amount = '' }) => sum + BigInt(amount.replace('.', '')), 0n);
    assert.deepEqual([rows.length, cents('EUR'), cents('USD')], [7, 40_892n, 2_666n]);
    assert.equal(rows[0]?.hours, '2.166667');
  });

  it('is checked after the period, with the amounts that were shown', async () => {
    const early = await by.owner.call('POST', `/api/pay/periods/${october}/check`, { figures: 'x' });
    assert.equal(early.status, 409);
    assert.match(early.body.details[0].message, /has not ended/);
    await travel('2031-11-03T12:00');
    const { figures } = await periodOf(october);
    const stale = await by.owner.call('POST', `/api/pay/periods/${october}/check`, { figures: 'x' });
    assert.match(stale.body.details[0].message, /out of date/);
    await call('POST', `/periods/${october}/publish`, undefined, 409);
    const checked = await call('POST', `/periods/${october}/check`, { figures });
    assert.deepEqual([checked.state, checked.checked_by.name], ['checked', 'Owner']);
  });

  it('is not published if it changed after the check', async () => {
    await call('PUT', `/tables/${germany}/rates/2031-10-01`, {
      rates: ratesWith({ on_call: { standby: '9', night: '9', weekend: '9', holiday: '9' } }),
    });
    const { changed } = await periodOf(october);
    assert.deepEqual(
      changed.map((one: { person: { name: string } }) => one.person.name),
      ['Ada', 'Ben'],
    );
    const refused = await by.owner.call('POST', `/api/pay/periods/${october}/publish`);
    assert.match(refused.body.details[0].message, /has changed since it was checked/);
    await call('DELETE', `/tables/${germany}/rates/2031-10-01`);
    // Before that, nobody sees their statement.
    assert.deepEqual((await by.ada.call('GET', '/api/pay/periods')).body.periods, []);
    assert.equal((await by.ada.call('GET', `/api/pay/periods/${october}`)).status, 404);
    const published = await call('POST', `/periods/${october}/publish`);
    assert.deepEqual([published.state, published.published_by.name], ['published', 'Owner']);
  });

  it('shows people only their own statement', async () => {
    const { body } = await by.ada.call('GET', '/api/pay/periods');
    assert.deepEqual([body.periods.length, body.may_manage], [1, false]);
    const own = await by.ada.call('GET', `/api/pay/periods/${october}`);
    assert.deepEqual(
      own.body.statements.map(({ total }: Statement) => total),
      ['384.92'],
    );
    assert.deepEqual(own.body.totals, [{ currency: 'EUR', total: '384.92' }]);
    const mine = await by.ada.call('GET', `/api/pay/periods/${october}/statements/${t.acme.users.ada}`);
    assert.equal(mine.body.statements[0].lines.length, 5);
    for (const path of [
      `periods/${october}/statements/${t.acme.users.ben}`,
      'tables',
      'people',
      `periods/${october}/statements.csv`,
    ])
      assert.equal((await by.ada.call('GET', `/api/pay/${path}`)).status, 403, path);
    assert.equal((await by.ada.call('DELETE', `/api/pay/periods/${october}`)).status, 403);
    const rows = await t.db
      .selectFrom('audit_log')
      .select('action')
      .where('action', 'like', 'pay%')
      .execute();
    const actions = new Set(rows.map(({ action }) => action));
    for (const action of [
      'pay_table.create',
      'pay_rates.set',
      'pay.assign',
      'pay.export',
      'pay.view',
      'pay_period.check',
      'pay_period.publish',
    ])
      assert.ok(actions.has(action), action);
  });

  it('corrects changes since the publication in the next period', async () => {
    await t.db
      .updateTable('shifts')
      .set({ ends_at: inBerlin('2031-10-28T12:00') })
      .where('starts_at', '=', inBerlin('2031-10-28T10:00'))
      .execute();
    const { changed } = await periodOf(october);
    // Two hours instead of ten minutes: 4 h at 2.50 in all.
    assert.deepEqual(
      changed.map(
        ({
          person,
          published,
          now,
          difference,
        }: {
          person: { name: string };
          published: string;
          now: string;
          difference: string;
        }) => [person.name, published, now, difference],
      ),
      [['Ada', '384.92', '389.50', '4.58']],
    );
    assert.deepEqual((await totals(october))[0], 'Ada EUR 384.92 0.00 384.92');
    await shift('ada', inBerlin('2031-11-11T10:00'), inBerlin('2031-11-11T12:00'));
    const november = (await call('POST', '/periods', NOVEMBER, 201)).id;
    assert.deepEqual(await totals(november), ['Ada EUR 5.00 4.58 9.58']);
    await travel('2031-12-02T12:00');
    await call('POST', `/periods/${november}/check`, { figures: (await periodOf(november)).figures });
    await call('POST', `/periods/${november}/publish`);
    assert.deepEqual([(await periodOf(october)).changed, (await periodOf(november)).changed], [[], []]);
    const december = (await call('POST', '/periods', { first: '2031-12-01', last: '2031-12-31' }, 201)).id;
    assert.deepEqual(await totals(december), []);
    await call('DELETE', `/periods/${december}`);
    await call('DELETE', `/periods/${november}`, undefined, 409);
  });

  it('changes single rates of a version, and keeps the others', async () => {
    const rates = `/tables/${germany}/rates/2035-01-01`;
    await call('PUT', rates, { rates: ratesWith() });
    const body = {
      until: '2035-12-31',
      rates: { on_call: { night: '7' }, night: { to: '05:00' }, weekend: ['sun'] },
    };
    const { versions } = await call('PATCH', rates, body);
    const expected = ratesWith({
      on_call: { ...ratesWith().on_call, night: '7' },
      night: { from: '22:00', to: '05:00' },
      weekend: ['sun'],
    });
    assert.deepEqual(versions.at(-1), { from: '2035-01-01', until: '2035-12-31', rates: expected });
    await call('PATCH', rates, { until: '2034-12-31' }, 400);
    await call('PATCH', rates, { rates: { on_call: { nights: '7' } } }, 400);
    await call('PATCH', `/tables/${germany}/rates/2035-01-02`, {}, 404);
    await call('DELETE', rates);
  });

  const linesOf = async (id: string, person: string) => {
    const { statements } = await call('GET', `/periods/${id}/statements/${t.acme.users[person]}`);
    return (statements as Statement[])[0]?.lines.map(
      ({ class: name, from_stage, milliseconds, amount }) =>
        `${name} ${from_stage} ${milliseconds / HOUR} ${amount}`,
    );
  };
  let december = '';

  it('pays a second stage less, to the cent', async () => {
    const second = { standby: '0.833', night: '1', weekend: '1.50', holiday: '2' };
    const rates = ratesWith({ stages: [{ from_stage: 2, on_call: second }] });
    const twice = await by.owner.call('PUT', `/api/pay/tables/${germany}/rates/2031-12-01`, {
      rates: { ...rates, stages: [...(rates.stages ?? []), { from_stage: 2, on_call: second }] },
    });
    assert.deepEqual(
      [twice.status, twice.body.details[0]],
      [
        400,
        {
          field: 'rates.stages[1].from_stage',
          message: 'rates.stages[1].from_stage is 2, which another entry has; give each stage once.',
        },
      ],
    );
    await call('PUT', `/tables/${germany}/rates/2031-12-01`, { rates });
    const noon = (hours: number) => inBerlin('2031-12-01T12:00').add({ minutes: Math.round(hours * 60) });
    // Monday: Ada is first, Ben second. From 14:00 to 15:00 Ben is both, which counts once, at the first stage's rate.
    await shift('ada', noon(0), noon(2));
    await shift('ben', noon(0), noon(4), 2);
    await shift('ben', noon(2), noon(3));
    await shift('gus', noon(0), noon(0.5), 3);
    december = (await call('POST', '/periods', { first: '2031-12-01', last: '2031-12-31' }, 201)).id;
    assert.deepEqual(await linesOf(december, 'ada'), ['standby undefined 2 5.00']);
    assert.deepEqual(await linesOf(december, 'ben'), ['standby undefined 1 2.50', 'standby 2 3 2.50']);
    assert.deepEqual(await totals(december), [
      'Ada EUR 5.00 0.00 5.00',
      'Ben EUR 5.00 0.00 5.00',
      'Gus USD 1.67 0.00 1.67',
    ]);
    const answer = await fetch(`${t.url}/api/pay/periods/${december}/statements.csv`, {
      headers: { cookie: by.owner.cookie },
    });
    const rows: Record<string, string>[] = parse(await answer.text(), { columns: true });
    assert.deepEqual(
      rows.map(({ name, rate, amount, from_stage }) => [name, rate, amount, from_stage]),
      [
        ['Ada', '2.50', '5.00', ''],
        ['Ben', '2.50', '2.50', ''],
        ['Ben', '0.833', '2.50', '2'],
        ['Gus', '3.333', '1.67', ''],
      ],
    );
  });

  const enable = async (id: string, enabled: boolean) =>
    assert.equal((await by.owner.call('PATCH', `/api/schedules/${id}`, { enabled })).status, 200);
  const disable = (id: string) => enable(id, false);

  it('stays when the schedule is deleted', async () => {
    const before = await totals(october);
    const [lines, sums] = [await linesOf(december, 'ben'), await totals(december)];
    await travel('2031-12-03T12:00');
    await t.db
      .updateTable('schedules')
      .set({ enabled: false, updated_at: await t.clock.now(t.db) })
      .execute();
    assert.equal((await by.owner.call('DELETE', `/api/schedules/${schedule}`)).status, 200);
    assert.deepEqual([await totals(october), (await periodOf(october)).changed], [before, []]);
    assert.deepEqual([await linesOf(december, 'ben'), await totals(december)], [lines, sums]);
    await call('DELETE', `/periods/${december}`);
  });

  it('begins when a schedule is created, although its first shift begins at the hand-off before', async () => {
    await travel('2031-12-03T15:00');
    const { status, body } = await by.owner.call('POST', '/api/schedules', {
      ...{ name: 'New', team: 'sre', time_zone: 'Europe/Berlin', shifts: { every: 'day', handoff: '09:00' } },
      stages: [{ stage: 1, members: [t.acme.users.ada] }],
    });
    assert.equal(status, 201, JSON.stringify(body));
    const { id } = await call('POST', '/periods', { first: '2031-12-03', last: '2031-12-03' }, 201);
    // Moments pass between the two calls.
    const hours = async () =>
      (await linesOf(id, 'ada'))?.map((line) => {
        const [name, , amount] = line.split(' ');
        return `${name} ${Number(amount).toFixed(2)}`;
      });
    assert.deepEqual(await hours(), ['standby 7.00', 'night 2.00']);
    await travel('2031-12-04T15:00');
    await disable(body.id);
    assert.equal((await by.owner.call('DELETE', `/api/schedules/${body.id}`)).status, 200);
    assert.deepEqual(await hours(), ['standby 7.00', 'night 2.00']);
    await call('DELETE', `/periods/${id}`);
  });

  it('does not count the time in which a schedule was disabled', async () => {
    await travel('2031-12-05T09:00');
    const { body } = await by.owner.call('POST', '/api/schedules', {
      ...{
        name: 'Off',
        team: 'sre',
        time_zone: 'Europe/Berlin',
        shifts: { every: 'week', handoff: 'Friday 09:00' },
      },
      stages: [{ stage: 1, members: [t.acme.users.ada] }],
    });
    const { id } = await call('POST', '/periods', { first: '2031-12-05', last: '2031-12-06' }, 201);
    const standby = async () => {
      const { statements } = await call('GET', `/periods/${id}/statements/${t.acme.users.ada}`);
      const [{ milliseconds }] = statements as [Statement];
      return Math.round(milliseconds / 60_000) / 60;
    };
    assert.equal(await standby(), 39);
    await travel('2031-12-05T12:00');
    await disable(body.id);
    assert.equal(await standby(), 3);
    await travel('2031-12-05T15:00');
    await enable(body.id, true);
    assert.equal(await standby(), 36);
    await travel('2031-12-05T20:00');
    await disable(body.id);
    await travel('2031-12-05T23:00');
    assert.equal((await by.owner.call('DELETE', `/api/schedules/${body.id}`)).status, 200);
    assert.equal(await standby(), 8);
    await call('DELETE', `/periods/${id}`);
  });

  it('pays a page only from when its urgency rose, and from the answer after that', async () => {
    const page = (urgency: string) =>
      t.page('person', 'ada@example.com', { urgency, title: 'Disk full', dedup_key: 'disk' });
    const act = async (local: string, action: string) => {
      await travel(local);
      const answer = await by.ada.call('POST', `/api/pages/${id}/${action}`);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    };
    await travel('2031-12-06T09:00');
    const { id } = (await t.status(await page('low'))).page;
    await t.settle();
    await act('2031-12-06T09:05', 'acknowledge');
    await travel('2031-12-06T12:00');
    await t.status(await page('high'));
    await t.settle();
    await act('2031-12-06T12:10', 'acknowledge');
    await act('2031-12-06T12:30', 'resolve');
    t.receiver.inbox.takeAll();
    const period = (await call('POST', '/periods', { first: '2031-12-06', last: '2031-12-06' }, 201)).id;
    const { statements } = await call('GET', `/periods/${period}/statements/${t.acme.users.ada}`);
    assert.deepEqual(
      (statements as Statement[])[0]?.call_outs.map(({ from, to }) => [from, to]),
      [[inBerlin('2031-12-06T12:10').toString(), inBerlin('2031-12-06T13:10').toString()]],
    );
    await call('DELETE', `/periods/${period}`);
  });

  it('cannot be checked while times have no rates', async () => {
    const id = (await call('POST', '/periods', { first: '2030-12-01', last: '2030-12-31' }, 201)).id;
    await sql`insert into former_shifts (organization_id, user_id, schedule_name, starts_at, ends_at)
      values (${t.acme.id}, ${t.acme.users.ben}, 'Old', ${inBerlin('2030-12-10T10:00')}, ${inBerlin('2030-12-10T12:00')})`.execute(
      t.db,
    );
    const period = await periodOf(id);
    assert.deepEqual(
      period.unpriced.map((one: { person: { name: string }; milliseconds: number }) => [
        one.person.name,
        one.milliseconds / HOUR,
      ]),
      [['Ben', 2]],
    );
    const refused = await by.owner.call('POST', `/api/pay/periods/${id}/check`, { figures: period.figures });
    assert.match(refused.body.details[0].message, /times of Ben without rates/);
    await call('DELETE', `/tables/${germany}`, undefined, 409);
  });

  it('warns of a draft whose pages or shifts have been deleted', async () => {
    const { id } = await call('POST', '/periods', { first: '2029-12-01', last: '2029-12-31' }, 201);
    assert.equal((await periodOf(id)).incomplete, true);
    await call('DELETE', `/periods/${id}`);
    const today = (await t.clock.now(t.db)).toString().slice(0, 10);
    const recent = await call('POST', '/periods', { first: today, last: today }, 201);
    assert.equal((await periodOf(recent.id)).incomplete, false);
    await call('DELETE', `/periods/${recent.id}`);
  });

  it('shows no change that no period corrects any more', async () => {
    const rates = ratesWith({ on_call: { standby: '9', night: '9', weekend: '9', holiday: '9' } });
    const before = await totals(october);
    await call('PUT', `/tables/${germany}/rates/2031-10-01`, { rates });
    assert.notDeepEqual((await periodOf(october)).changed, []);
    await travel('2032-12-15T12:00');
    assert.deepEqual([await totals(october), (await periodOf(october)).changed], [before, []]);
    await call('DELETE', `/tables/${germany}/rates/2031-10-01`);
  });

  it('has bounds', async () => {
    const path = `/people/${t.acme.users.ben}`;
    for (let day = 1; day <= 60; day++)
      await call('PUT', path, {
        table: germany,
        from: Temporal.PlainDate.from('2033-01-01').add({ days: day }).toString(),
      });
    await call('PUT', path, { table: germany, from: '2035-01-01' }, 409);
    await call('PUT', path, { table: null, from: '2033-01-02' });
    await call('DELETE', `${path}/from/2033-01-03`);
    await call('DELETE', `${path}/from/2033-01-03`, undefined, 404);
    for (let month = 1; month <= 11; month++) {
      const first = Temporal.PlainDate.from('2040-01-01').add({ months: month });
      await call(
        'POST',
        '/periods',
        { first: first.toString(), last: first.add({ days: 9 }).toString() },
        201,
      );
    }
    const many = await by.owner.call('POST', '/api/pay/periods', { first: '2041-01-01', last: '2041-01-31' });
    assert.deepEqual([many.status, /exceeds the limit of/.test(many.body.details[0].message)], [409, true]);
    const twice = await by.owner.call('POST', '/api/pay/periods', {
      first: '2040-02-05',
      last: '2040-02-20',
    });
    assert.match(twice.body.details[0].message, /overlaps with that of 2040-02-01 to 2040-02-10/);
  });
});
