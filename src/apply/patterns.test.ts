import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applying } from '../../testing/applying.ts';

const PEOPLE = `
organization: { name: Acme, time_zone: Europe/Berlin }
users:
  - { email: ada@example.com, name: Ada }
  - { email: bob@example.com, name: Bob }
  - { email: cleo@example.com, name: Cleo }
teams: [ { slug: sre, members: [ada@example.com, bob@example.com, cleo@example.com] } ]
`;

const SUN = `${PEOPLE}
schedules:
  - name: Sun
    team: sre
    backstop: ada@example.com
    holidays: { use: uncovered }
    shifts:
      every: week
      hours: [ { days: [mon-fri], from: "09:00", to: "17:00" } ]
      from: 2026-01-05
      changes:
        - { from: 2031-01-06, every: day, handoff: "09:00" }
    stages:
      - stage: 1
        layers:
          - { name: Europe, members: [ada@example.com, bob@example.com] }
          - { name: America, time_zone: America/New_York, seats: 1, members: [cleo@example.com],
              shifts: { every: week, hours: [{ days: [mon-fri], from: "09:00", to: "18:00" }] } }
      - { stage: 2, members: [bob@example.com], shifts: { every: day, handoff: "12:00" } }
`;

describe('patterns in the file', () => {
  const { apply, problemsOf, count, db } = applying();

  it('are saved, planned, described in words, and change nothing when they are applied again', async () => {
    const { changes } = await apply(SUN);
    const [told] = changes.filter(({ kind }) => kind === 'schedule');
    const words = told?.details.join('\n') ?? '';
    assert.match(
      words,
      /shifts from 2026-01-05 every week, hand-off Monday 09:00, Mon–Fri 09:00–17:00 only, from 2031-01-06 every day/,
    );
    assert.match(
      words,
      /layers are Europe \(Ada and Bob\), America \(Cleo; every week, .* 09:00–18:00 only; America\/New_York\)/,
    );
    assert.match(words, /holidays nobody is on call/);
    assert.ok((await count('shifts')) > 100);
    const seats = await db().selectFrom('shifts').select(['stage', 'seat']).distinct().execute();
    assert.deepEqual(seats.map(({ stage, seat }) => `${stage} ${seat}`).sort(), ['1 1', '1 2', '2 1']);
    assert.deepEqual((await apply(SUN)).changes, []);
  });

  it('describe their changes', async () => {
    await apply(SUN);
    const { changes } = await apply(
      SUN.replace('to: "18:00"', 'to: "17:00"').replace('use: uncovered', 'use: weight'),
    );
    const details = changes[0]?.details ?? [];
    assert.equal(changes.length, 1);
    assert.ok(details.includes('holidays: was nobody is on call, is weigh more'), details.join('\n'));
    assert.ok(
      details.some((detail) => /^stage 1: layers were .*18:00.* are .*09:00–17:00 only/.test(detail)),
      details.join('\n'),
    );
    const without = SUN.replace(/layers:[\s\S]*(?= {6}- \{ stage: 2)/, 'members: [cleo@example.com]\n');
    assert.match((await apply(without)).changes[0]?.details.join('\n') ?? '', /layers were .*, are none/);
  });

  it('include a list of holidays, written out or at an address', async () => {
    const listed = SUN.replace(
      'use: uncovered',
      'use: uncovered, days: [2030-12-24, { date: 2030-12-31, name: Eve }]',
    );
    const [told] = (await apply(listed)).changes.filter(({ kind }) => kind === 'schedule');
    assert.ok(told?.details.includes('holidays: 2 in the list of the file'));
    assert.deepEqual((await apply(listed)).changes, []);
    assert.deepEqual((await apply(SUN)).changes, [], 'what is not mentioned stays');
    const elsewhere = SUN.replace(
      'use: uncovered',
      'use: uncovered, url: "webcal://holidays.example.com/de.ics"',
    );
    const [moved] = (await apply(elsewhere)).changes;
    assert.deepEqual(moved?.details, ['holidays: are read from holidays.example.com']);
    assert.deepEqual((await apply(elsewhere)).changes, []);
    const [removed] = (await apply(SUN.replace('use: uncovered', 'use: uncovered, days: []'))).changes;
    assert.deepEqual(removed?.details, ['holidays: the list of the file is removed']);
    const problems = await problemsOf(SUN.replace('use: uncovered', 'url: nonsense, days: [2030-13-01]'));
    assert.equal(problems.length, 3, problems.join('\n'));
  });

  it('are refused with the line and the field of every problem', async () => {
    const problems = await problemsOf(`${PEOPLE}
schedules:
  - name: Sun
    team: sre
    holidays: { use: sometimes }
    shifts:
      every: week
      hours: [ { days: [mon-fry], from: "09:00", to: "17:00" } ]
      changes: [ { every: day } ]
    stages:
      - { stage: 1, members: [ada@example.com], layers: [ { name: Europe, members: [eve@example.com] } ] }
      - { stage: 2, layers: [] }
      - { stage: 3, layers: [ { members: [ada@example.com], shifts: { every: moon } } ] }
`);
    assert.deepEqual(
      problems.map((problem) => problem.replace(/^(\S+ \S+) (.{0,42}).*$/, '$1 $2')),
      [
        '12:22 schedules[0].holidays.use is "sometimes", which is not among the all',
        '15:24 schedules[0].shifts.hours[0].days has "mon-fry"; give days such as [mon, wed',
        '16:18 schedules[0].shifts.changes[0].from is missing; give the date of the change',
        '18:30 schedules[0].stages[0].members cannot be combined with layers; give it in',
        '18:85 schedules[0].stages[0].layers[0].members[0] is eve@example.com, who is neither in this',
        '19:29 schedules[0].stages[1].layers is empty; give at least one layer, or leav',
        '20:31 schedules[0].stages[2].layers[0].name is missing; give a text of 1 to 100 charac',
        '20:78 schedules[0].stages[2].layers[0].shifts.every is "moon"; give day, week, "12 hours", "2 ',
      ],
    );
  });
});
