import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Organization, seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

type Problem = { field: string; message: string };

describe('schedules made and changed in the dashboard', () => {
  let t: Story;
  let ada: SignedIn;
  let grace: SignedIn;
  let linus: SignedIn;
  let others: Organization;
  let id: string;
  const person = (name: string) => t.acme.users[name] ?? '';

  before(async () => {
    t = await story({
      organization: {
        people: { ada: {}, grace: {}, alan: {}, linus: {} },
        teams: { sre: { members: ['ada', 'grace', 'alan'] }, web: { members: ['linus'] } },
      },
    });
    await t.clock.travelTo(t.db, Temporal.Instant.from('2026-12-02T12:00:00Z'));
    await t.db.updateTable('users').set({ role: 'admin' }).where('id', '=', person('ada')).execute();
    await t.db
      .updateTable('team_members')
      .set({ role: 'manager' })
      .where('user_id', '=', person('grace'))
      .execute();
    ada = await signIn(t, 'ada');
    grace = await signIn(t, 'grace');
    linus = await signIn(t, 'linus');
    others = await seedOrganization(
      t,
      { people: { eve: {} }, teams: { evil: { members: ['eve'] } } },
      'Evil',
    );
  });
  after(() => t.end());

  const weekly = () => ({
    name: 'SRE',
    team: 'sre',
    time_zone: 'Europe/Berlin',
    shifts: { every: 'week', handoff: 'Mon 9:00' },
    stages: [{ stage: 1, members: [person('ada'), person('alan')] }],
  });
  const shiftsOf = async (from: string, to: string) => {
    const { body } = await ada.call('GET', `/api/schedules/${id}/shifts?from=${from}&to=${to}`);
    return body.shifts as { person: { name: string } | null; starts_at: string; planned: unknown }[];
  };

  it('reports all problems at once, in helpful words', async () => {
    const { status, body } = await grace.call('POST', '/api/schedules', {
      name: 7,
      team: 'nobody',
      time_zone: 'Europe/Atlantis',
      backstop: others.users.eve,
      plan_ahead_weeks: 0,
      shifts: { every: 'fortnight', handoff: '25:00' },
      stages: [
        { stage: 1, members: [person('ada'), person('ada')] },
        { stage: 1, members: ['organization_user_x'] },
      ],
    });
    assert.equal(status, 400);
    assert.deepEqual(
      body.details.map(({ field }: Problem) => field),
      [
        'name',
        'team',
        'time_zone',
        'backstop',
        'plan_ahead_weeks',
        'shifts.every',
        'shifts.handoff',
        'stages[0].members',
        'stages[1].stage',
        'stages[1].members',
      ],
    );
    const empty = await grace.call('POST', '/api/schedules', {});
    assert.deepEqual(
      empty.body.details.map(({ field }: Problem) => field),
      ['name', 'team', 'shifts', 'stages'],
    );
  });

  it('is made by a manager of the team, and planned at once', async () => {
    assert.equal((await linus.call('POST', '/api/schedules', weekly())).status, 403);
    const made = await grace.call('POST', '/api/schedules', weekly());
    assert.equal(made.status, 201, JSON.stringify(made.body));
    id = made.body.id;
    assert.deepEqual(
      [made.body.shifts_text, made.body.strategy, made.body.enabled, made.body.may_manage],
      ['every week, hand-off Monday 09:00', 'rotation', true, true],
    );
    const shifts = await shiftsOf('2026-12-01T00:00:00Z', '2026-12-20T00:00:00Z');
    assert.deepEqual(
      shifts.map((shift) => `${shift.person?.name} ${shift.starts_at}`),
      ['Ada 2026-11-30T08:00:00.000Z', 'Alan 2026-12-07T08:00:00.000Z', 'Ada 2026-12-14T08:00:00.000Z'],
    );
    assert.equal((await grace.call('POST', '/api/schedules', weekly())).body.details[0].field, 'name');
  });

  it("is listed for everybody with who is on call, and the viewer's rights", async () => {
    const seen = await linus.call('GET', '/api/schedules');
    const [schedule] = seen.body.schedules;
    assert.deepEqual(
      [schedule.name, schedule.team.slug, schedule.mine, schedule.stages[0].now[0].person.name],
      ['SRE', 'sre', false, 'Ada'],
    );
    assert.deepEqual(seen.body.may_make_for, []);
    const forGrace = (await grace.call('GET', '/api/schedules')).body.may_make_for;
    assert.deepEqual(
      forGrace.map(({ slug }: { slug: string }) => slug),
      ['sre'],
    );
    assert.equal((await linus.call('GET', `/api/schedules/${id}`)).body.may_manage, false);
  });

  it('changes only given fields, and the log names the person', async () => {
    assert.equal((await linus.call('PATCH', `/api/schedules/${id}`, { name: 'Mine' })).status, 403);
    const { body } = await grace.call('PATCH', `/api/schedules/${id}`, {
      name: 'Site Reliability',
      backstop: person('grace'),
      stages: [
        { stage: 1, members: [person('alan'), person('ada')] },
        { stage: 2.5, members: [person('grace')], escalate_after_minutes: 10, seats: 1 },
      ],
    });
    assert.deepEqual(body.changes.slice(0, 2), [
      'name: was SRE, is Site Reliability',
      'backstop: was nobody, is Grace',
    ]);
    assert.deepEqual(
      [body.time_zone, body.backstop.name, body.stages[1].stage],
      ['Europe/Berlin', 'Grace', 2.5],
    );
    const same = await grace.call('PATCH', `/api/schedules/${id}`, { name: 'Site Reliability' });
    assert.deepEqual(same.body.changes, []);
    const log = await t.db
      .selectFrom('audit_log')
      .selectAll()
      .where('subject', '=', id)
      .orderBy('at')
      .execute();
    assert.deepEqual(
      log.map(({ action, user_id }) => `${action} ${user_id === person('grace')}`),
      ['schedule.create true', 'schedule.change true'],
    );
  });

  it('divides a stage into layers, and keeps them if they are not mentioned', async () => {
    const stage = { stage: 3, members: [] };
    const layers = [
      { name: 'Europe', members: [person('ada')], shifts: { every: 'day', handoff: '08:00' } },
      { name: 'America', members: [person('alan')], time_zone: 'America/New_York', seats: 2 },
    ];
    const path = `/api/schedules/${id}`;
    const { stages } = (await grace.call('GET', path)).body;
    const others = stages.map((one: { members: { id: string }[] }) => ({
      ...one,
      members: one.members.map((member) => member.id),
    }));
    await grace.call('PATCH', path, { stages: [...others, { ...stage, layers }] });
    const { body } = await grace.call('PATCH', path, { stages: [...others, stage], holidays: 'uncovered' });
    assert.deepEqual(
      body.stages[2].layers.map((layer: Record<string, unknown>) => [
        layer.name,
        layer.shifts_text,
        layer.seats,
      ]),
      [
        ['Europe', 'every day, hand-off 08:00', 1],
        ['America', null, 2],
      ],
    );
    assert.deepEqual([body.stages[2].seats, body.holidays], [3, 'uncovered']);
    const wrong = await grace.call('PATCH', path, {
      stages: [...others, { ...stage, layers: [{ name: 'x', members: [], shifts: {} }] }],
    });
    assert.equal(wrong.body.details[0].field, 'stages[2].layers[0].shifts.every');
    await grace.call('PATCH', path, { stages: others, holidays: 'weight' });
  });

  it('is not enabled without people', async () => {
    const stages = [{ stage: 1, members: [] }];
    const made = await grace.call('POST', '/api/schedules', { ...weekly(), name: 'Nobody', stages });
    assert.equal(made.status, 400);
    assert.match(JSON.stringify(made.body), /"enabled".*no stage has a member/);
    const disabled = await grace.call('POST', '/api/schedules', {
      ...{ ...weekly(), name: 'Nobody', stages, enabled: false },
    });
    assert.equal(disabled.status, 201, JSON.stringify(disabled.body));
    const path = `/api/schedules/${disabled.body.id}`;
    assert.equal((await grace.call('PATCH', path, { enabled: true })).status, 400);
    const small = await grace.call('PATCH', path, { small_absence_hours: 2 });
    assert.equal(small.body.small_absence_hours, 2);
    const misspelled = await grace.call('PATCH', path, { weights: { nigth: 2 }, limits: { a_week: 1 } });
    assert.deepEqual(
      misspelled.body.details.map(({ message }: Problem) => message),
      [
        'weights.nigth is not a setting; did you mean night?',
        'limits.a_week is not a setting; use one of shifts_per_week, shifts_per_month, hours_per_week, average_hours_per_week, average_weeks, weekly_rest_hours, weekends_per_month, weekends_in_a_row, nights_in_a_row, shifts_in_a_row.',
      ],
    );
    const both = { enabled: true, stages: [{ stage: 1, members: [person('grace')] }] };
    assert.equal((await grace.call('PATCH', path, both)).status, 200);
    assert.equal((await grace.call('PATCH', path, { stages })).status, 400, 'nor left by everybody');
    await grace.call('PATCH', path, { enabled: false });
    assert.equal((await grace.call('DELETE', path)).status, 200);
  });

  it('gives people with a part of a share that part of the shifts, from the change on', async () => {
    const everyDay = { every: 'day', handoff: '09:00' };
    const people = ['ada', 'grace', 'alan'].map(person);
    const made = await grace.call('POST', '/api/schedules', {
      ...{ ...weekly(), name: 'Part-time', strategy: 'fair', shifts: everyDay, plan_ahead_weeks: 10 },
      stages: [{ stage: 1, members: people }],
      shares: [{ person: person('alan'), percent: 50 }],
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.deepEqual(made.body.shares, [{ person: person('alan'), percent: 50 }]);
    const path = `/api/schedules/${made.body.id}`;
    await t.app.duties.runAll();
    const counted = async (from: string, to: string) => {
      const { body } = await grace.call('GET', `${path}/shifts?from=${from}&to=${to}`);
      const own = (body.shifts as { person: { id: string } | null }[]).map((shift) => shift.person?.id);
      return people.map((one) => own.filter((userId) => userId === one).length);
    };
    const [ofAda = 0, ofGrace = 0, ofAlan = 0] = await counted(
      '2026-12-03T12:00:00Z',
      '2027-02-06T12:00:00Z',
    );
    // Other schedules of these people count a little, too.
    assert.ok(Math.abs(ofAda + ofGrace - 4 * ofAlan) <= 6, `${ofAda} ${ofGrace} ${ofAlan}`);
    const other = await grace.call('PATCH', path, { name: 'Part-timers' });
    assert.equal(other.body.shares.length, 1, 'what is not said stays');
    for (const [shares, problem] of [
      [[{ person: others.users.eve, percent: 50 }], /shares\[0\]\.person is not the id of an active person/],
      [[{ person: person('ada'), percent: 101 }], /shares\[0\]\.percent/],
      [
        [
          { person: person('ada'), percent: 50 },
          { person: person('ada'), percent: 60 },
        ],
        /listed twice/,
      ],
    ] as const) {
      const refused = await grace.call('PATCH', path, { shares });
      assert.equal(refused.status, 400);
      assert.match(JSON.stringify(refused.body), problem);
    }
    assert.deepEqual((await grace.call('PATCH', path, { shares: [] })).body.shares, []);
    await grace.call('PATCH', path, { enabled: false });
    assert.equal((await grace.call('DELETE', path)).status, 200);
  });

  it('stores limits of people and times that they never take, and gives the reason in words', async () => {
    const [ada_, grace_, alan] = ['ada', 'grace', 'alan'].map(person);
    const wednesdays = [{ days: ['wed'], from: '00:00', to: '24:00' }];
    const alans = {
      person: alan,
      limits: { weekends_per_month: 1, hours_per_week: null },
      never: wednesdays,
    };
    const made = await grace.call('POST', '/api/schedules', {
      ...{ ...weekly(), name: 'Different people', strategy: 'fair', plan_ahead_weeks: 6 },
      shifts: { every: 'day', handoff: '09:00' },
      stages: [{ stage: 1, members: [ada_, grace_, alan] }],
      limits: { weekends_in_a_row: 1, hours_per_week: 96 },
      people: [{ ...alans, until: '2026-12-27' }],
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.match(
      made.body.changes.join(),
      /at most 96 hours a week, at most 1 weekend in a row.*Alan any number of hours a week, at most 1 weekend a month, never Wed 00:00–24:00 and until 2026-12-27/,
    );
    const path = `/api/schedules/${made.body.id}`;
    const { limits, people } = (await grace.call('GET', path)).body;
    assert.deepEqual(
      [limits.weekends_in_a_row, limits.hours_per_week, limits.nights_in_a_row],
      [1, 96, null],
    );
    assert.deepEqual(people, [
      {
        person: alan,
        limits: { hours_per_week: null, weekends_per_month: 1 },
        ...{ until: '2026-12-27', never: wednesdays },
      },
    ]);
    await t.app.duties.runAll();
    type Shift = { id: string; starts_at: string; person: { id: string } | null };
    const { body } = await grace.call(
      'GET',
      `${path}/shifts?from=2026-12-02T12:00:00Z&to=2027-01-10T00:00:00Z`,
    );
    const shifts = body.shifts as Shift[];
    const of = (userId: string | undefined) => shifts.filter((shift) => shift.person?.id === userId);
    const dayOf = ({ starts_at }: Shift) =>
      Temporal.Instant.from(starts_at).toZonedDateTimeISO('Europe/Berlin');
    assert.ok(shifts.every((shift) => shift.person !== null));
    // A shift from 09:00 to 09:00 touches Wednesday if it starts on Tuesday or Wednesday.
    assert.ok(of(alan).length > 3 && of(alan).every((shift) => ![2, 3].includes(dayOf(shift).dayOfWeek)));
    assert.ok(of(alan).every((shift) => dayOf(shift).toPlainDate().toString() < '2026-12-27'));
    const weekendsOf = (userId: string | undefined) => [
      ...new Set(of(userId).flatMap((shift) => (dayOf(shift).dayOfWeek > 5 ? dayOf(shift).weekOfYear : []))),
    ];
    assert.ok(weekendsOf(alan).length <= 1);
    for (const userId of [ada_, grace_]) {
      const weeks = weekendsOf(userId);
      assert.ok(
        weeks.every((week) => !weeks.includes((week ?? 0) + 1)),
        JSON.stringify(weeks),
      );
      const byWeek = Map.groupBy(of(userId), (shift) => dayOf(shift).weekOfYear);
      assert.ok([...byWeek.values()].every((own) => own.length <= 4));
    }
    const [week] = weekendsOf(ada_).filter((one) =>
      of(grace_).some((s) => dayOf(s).weekOfYear === (one ?? 0) + 1),
    );
    const after = of(grace_).find(
      (shift) => dayOf(shift).dayOfWeek > 5 && dayOf(shift).weekOfYear === (week ?? 0) + 1,
    );
    const asked = await grace.call('GET', `/api/shifts/${after?.id}/candidates`);
    const candidate = asked.body.candidates.find((one: { person: { id: string } }) => one.person.id === ada_);
    assert.equal(candidate.because, 'limit', JSON.stringify(asked.body));
    assert.match(
      candidate.sentence,
      /^Ada cannot: it would be their (second|third) weekend in a row, and the limit is 1\.$/,
    );
    const tuesday = of(grace_)
      .concat(of(ada_))
      .find((shift) => dayOf(shift).dayOfWeek === 2);
    const reason = (await grace.call('GET', `/api/shifts/${tuesday?.id}/reason`)).body;
    assert.match(
      JSON.stringify(reason.reason.refused),
      /"never","sentence":"Alan never takes shifts at that time\."/,
    );
    for (const [changed, problem] of [
      [
        [{ ...alans, from: '2026-12-24', until: '2026-12-20' }],
        /people\[0\]\.until is 2026-12-20, which is before/,
      ],
      [
        [{ ...alans, never: [{ days: ['wen'], from: '9', to: '17:00' }] }],
        /people\[0\]\.never\[0\]\.days has "wen"/,
      ],
      [[{ person: others.users.eve }], /people\[0\]\.person is not the id of an active person/],
      [[{ person: alan, limits: { hours_per_week: 200 } }], /people\[0\]\.limits\.hours_per_week/],
      [[alans, alans], /people\[1\]\.person is listed twice; give each person one entry/],
    ] as const) {
      const refused = await grace.call('PATCH', path, { people: changed });
      assert.equal(refused.status, 400);
      assert.match(refused.body.details.map(({ message }: Problem) => message).join(), problem);
    }
    const alike = await grace.call('PATCH', path, { people: [], limits: { hours_per_week: null } });
    assert.deepEqual([alike.body.people, alike.body.limits.hours_per_week], [[], null]);
    await grace.call('PATCH', path, { enabled: false });
    assert.equal((await grace.call('DELETE', path)).status, 200);
  });

  it('stores weekly rest and average hours, and names the week in which the rest would be missing', async () => {
    const [ada_, grace_, alan] = ['ada', 'grace', 'alan'].map(person);
    const made = await grace.call('POST', '/api/schedules', {
      ...{ ...weekly(), name: 'Rested', strategy: 'fair', plan_ahead_weeks: 8 },
      shifts: { every: 'day', handoff: '09:00' },
      stages: [{ stage: 1, members: [ada_, grace_, alan] }],
      limits: { weekly_rest_hours: 48, average_hours_per_week: 84, average_weeks: 2 },
      people: [{ person: alan, limits: { average_hours_per_week: 24, average_weeks: 4 } }],
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.match(
      made.body.changes.join(),
      /at most 84 hours a week on average over 2 weeks, at least 48 free hours in a row each week.*Alan at most 24 hours a week on average over 4 weeks/,
    );
    const path = `/api/schedules/${made.body.id}`;
    await t.app.duties.runAll();
    type Shift = { id: string; starts_at: string; ends_at: string; person: { id: string } | null };
    const { body } = await grace.call(
      'GET',
      `${path}/shifts?from=2026-12-02T12:00:00Z&to=2027-01-25T00:00:00Z`,
    );
    const shifts = body.shifts as Shift[];
    assert.ok(shifts.every((shift) => shift.person !== null));
    const hour = (text: string) => Temporal.Instant.from(text).epochMilliseconds / 3_600_000;
    const monday = (week: number) => hour('2026-11-30T00:00:00+01:00') + week * 168;
    const own = (who: string | undefined, from: number, to: number) =>
      shifts
        .filter((shift) => shift.person?.id === who)
        .map(
          ({ starts_at, ends_at }) => [Math.max(from, hour(starts_at)), Math.min(to, hour(ends_at))] as const,
        )
        .filter(([begin, end]) => begin < end);
    const hours = (who: string | undefined, from: number, weeks: number) =>
      own(who, monday(from), monday(from + weeks)).reduce((sum, [begin, end]) => sum + end - begin, 0);
    for (let week = 1; week < 7; week++) {
      for (const who of [ada_, grace_, alan]) {
        const busy = own(who, monday(week), monday(week + 1));
        const begins = [...busy.map(([begin]) => begin), monday(week + 1)];
        const ends = [monday(week), ...busy.map(([, end]) => end)];
        const free = Math.max(...begins.map((begin, index) => begin - (ends[index] ?? begin)));
        assert.ok(free >= 48, `${who} has ${free} hours in week ${week}`);
      }
      for (const who of [ada_, grace_]) assert.ok(hours(who, week, 2) <= 168, `${who} in week ${week}`);
      assert.ok(hours(alan, week - 1, 4) <= 96, `Alan in week ${week}`);
    }
    const sentences = await Promise.all(
      shifts
        .filter((shift) => shift.person?.id === grace_)
        .map(async ({ id: shift, starts_at, ends_at }) => {
          const asked = await grace.call('GET', `/api/shifts/${shift}/candidates`);
          const found = asked.body.candidates as { person: { id: string }; sentence: string }[];
          return { starts_at, ends_at, sentence: found.find((one) => one.person.id === ada_)?.sentence };
        }),
    );
    const refused = sentences.find(({ sentence }) => sentence?.includes('free hours in a row'));
    assert.match(
      refused?.sentence ?? '',
      /^Ada cannot: it would leave them only \d+ free hours in a row in the week of (\d+ December|\d+ January), and the schedule asks for 48\.$/,
      JSON.stringify(sentences),
    );
    const { starts_at, ends_at } = refused ?? {};
    const put = await grace.call('POST', `${path}/overrides`, { stage: 1, user: ada_, starts_at, ends_at });
    assert.equal(put.status, 201, JSON.stringify(put.body));
    assert.deepEqual(put.body.warnings, [refused?.sentence]);
    const wrong = await grace.call('PATCH', path, { limits: { average_weeks: 1, weekly_rest_hours: 168 } });
    assert.match(
      wrong.body.details.map(({ message }: Problem) => message).join(),
      /average_weeks.*a whole number from 2 to 52.*weekly_rest_hours.*a number from 1 to 144/,
    );
    await grace.call('PATCH', path, { enabled: false });
    assert.equal((await grace.call('DELETE', path)).status, 200);
  });

  it('names the rules that a rotation ignores when it is made, shown, previewed and changed', async () => {
    const rules = {
      limits: { shifts_per_week: 1 },
      people: [{ person: person('ada'), limits: { weekends_in_a_row: 1 } }],
      only_with: [{ people: [person('ada')], with: [person('alan')] }],
      elsewhere: 'never',
    };
    const made = await grace.call('POST', '/api/schedules', { ...weekly(), ...rules, name: 'Turns' });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const warning =
      'Turns is a rotation, and rotations ignore limits, people[].limits, only_with and elsewhere: never. Set its strategy to fair so that plans keep these rules, or remove them.';
    assert.deepEqual(made.body.warnings, [warning]);
    const path = `/api/schedules/${made.body.id}`;
    assert.deepEqual((await ada.call('GET', path)).body.warnings, [warning]);
    const removed = { limits: { shifts_per_week: null }, people: [], elsewhere: 'avoid' };
    const { warnings } = (await grace.call('POST', `${path}/preview`, removed)).body;
    assert.match(warnings.join(), /^Turns is a rotation, and rotations ignore only_with\. /);
    const fair = await grace.call('PATCH', path, { strategy: 'fair' });
    assert.deepEqual([fair.body.warnings, fair.body.limits.shifts_per_week], [[], 1]);
    const back = await grace.call('PATCH', path, { strategy: 'rotation', ...removed, only_with: [] });
    assert.deepEqual(back.body.warnings, []);
    const german = await ada.call(
      'PATCH',
      path,
      { limits: { nights_in_a_row: 2 } },
      {
        'sec-fetch-site': 'same-origin',
        'accept-language': 'de',
      },
    );
    assert.match(
      german.body.warnings.join(),
      /^Turns ist eine Rotation, und Rotationen beachten limits nicht\. /,
    );
    await grace.call('PATCH', path, { enabled: false });
    assert.equal((await grace.call('DELETE', path)).status, 200);
  });

  it('shows when shifts would change hands before anything is saved', async () => {
    const { body } = await linus.call('POST', '/api/schedules/forecast', {
      shifts: { every: 'day', handoff: '09:00' },
      time_zone: 'Asia/Kathmandu',
    });
    assert.equal(body.text, 'every day, hand-off 09:00');
    assert.deepEqual(body.handoffs.slice(0, 2), ['2026-12-02T03:15:00.000Z', '2026-12-03T03:15:00.000Z']);
    const wrong = await linus.call('POST', '/api/schedules/forecast', { shifts: {}, time_zone: 'UTC' });
    assert.deepEqual([wrong.status, wrong.body.details[0].field], [400, 'shifts.every']);
  });

  it('shows who would be on call in a new schedule, and saves nothing', async () => {
    const count = async () => (await t.db.selectFrom('schedules').select('id').execute()).length;
    const [before, path] = [await count(), '/api/schedules/first-shifts'];
    // Neither a name nor one that is taken is needed.
    const { name: _, ...nameless } = weekly();
    for (const form of [nameless, weekly(), { ...nameless, name: 7 }]) {
      const { status, body } = await grace.call('POST', path, form);
      assert.equal(status, 200, JSON.stringify(body));
      const people = new Set(body.shifts.map((shift: { person: { name: string } }) => shift.person.name));
      assert.deepEqual([...people].toSorted(), ['Ada', 'Alan']);
      assert.deepEqual(Object.keys(body.shifts[0]).toSorted(), [
        'ends_at',
        'person',
        'seat',
        'stage',
        'starts_at',
      ]);
    }
    const wrong = await grace.call('POST', path, { ...nameless, shifts: {} });
    assert.equal(wrong.status, 200);
    assert.deepEqual(wrong.body.shifts, []);
    assert.match(wrong.body.refused, /^shifts\.every /);
    assert.equal((await linus.call('POST', path, nameless)).status, 403);
    assert.equal(await count(), before);
  });

  it('shows who was planned and what people entered about a time', async () => {
    const at = await t.clock.now(t.db);
    await t.db
      .insertInto('availabilities')
      .values({
        id: 'availability_01kaaaaaaaaaaaaaaaaaaaaaaa',
        ...{ organization_id: t.acme.id, user_id: person('alan'), type: 'hard_unavailable', name: 'Skiing' },
        starts_at: at.add({ hours: 24 * 7 }),
        ends_at: at.add({ hours: 24 * 9 }),
        ...{ created_at: at, updated_at: at },
      })
      .execute();
    const path = `/api/schedules/${id}/shifts`;
    const { body } = await linus.call('GET', `${path}?from=2026-12-02T00:00:00Z&to=2026-12-20T00:00:00Z`);
    assert.deepEqual([body.records[0].person.name, body.records[0].name], ['Alan', 'Skiing']);
    assert.equal(body.shifts[0].planned.person.name, body.shifts[0].person.name);
    assert.equal(
      (await linus.call('GET', `${path}?from=2026-12-02T00:00:00Z&to=2026-12-01T00:00:00Z`)).status,
      400,
    );
    assert.equal((await linus.call('GET', `${path}?from=2026-12-02T00:00:00Z`)).status, 400);
  });

  it('can be removed only when it is disabled', async () => {
    assert.equal((await grace.call('DELETE', `/api/schedules/${id}`)).status, 409);
    await grace.call('PATCH', `/api/schedules/${id}`, { enabled: false });
    assert.equal((await linus.call('DELETE', `/api/schedules/${id}`)).status, 403);
    assert.deepEqual((await grace.call('DELETE', `/api/schedules/${id}`)).body, { deleted: true });
    assert.equal((await grace.call('GET', `/api/schedules/${id}`)).status, 404);
  });

  it('opens in a browser where the public API lists schedules, and nowhere else', async () => {
    const get = async (headers: Record<string, string>) => {
      const answer = await fetch(`${t.url}/schedules`, { headers });
      return [answer.status, answer.headers.get('content-type')?.split(';')[0]];
    };
    const html = 'text/html,application/xhtml+xml,*/*;q=0.8';
    assert.deepEqual(await get({ accept: html }), [200, 'text/html']);
    assert.deepEqual(await get({}), [401, 'application/json']);
    assert.deepEqual(await get({ accept: 'application/json' }), [401, 'application/json']);
    const key = { authorization: `Bearer ${t.acme.key}` };
    assert.deepEqual(await get({ accept: html, ...key }), [200, 'application/json']);
    const unknown = await fetch(`${t.url}/schedules/x/oncalls`, { headers: { accept: html, ...key } });
    assert.equal(unknown.status, 404);
  });

  it('is hidden from another organization', async () => {
    const made = await ada.call('POST', '/api/schedules', weekly());
    const eve = await signIn({ ...t, acme: others }, 'eve');
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['GET', '/shifts?from=2026-12-02T00:00:00Z&to=2026-12-03T00:00:00Z', undefined],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', '', undefined],
    ] as const)
      assert.equal(
        (await eve.call(method, `/api/schedules/${made.body.id}${path}`, body)).status,
        404,
        method + path,
      );
    assert.deepEqual((await eve.call('GET', '/api/schedules')).body.schedules, []);
  });
});
