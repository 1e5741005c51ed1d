import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stringify } from 'yaml';
import { applying, headlines } from '../../testing/applying.ts';
import { appliedText } from './present.ts';

const { apply, db, problemsOf } = applying();
const emails = ['ada', 'bob', 'cleo'].map((name) => `${name}@example.com`);

function file(schedule: object = {}, availabilities: object[] = []): string {
  return stringify({
    organization: { name: 'Acme' },
    users: emails.map((email) => ({ email, role: 'owner' })),
    teams: [{ slug: 'sre', members: emails }],
    schedules: [
      {
        name: 'SRE',
        team: 'sre',
        strategy: 'fair',
        backstop: emails[0],
        shifts: { every: 'week' },
        stages: [{ stage: 1, members: emails }],
        ...schedule,
      },
    ],
    availabilities,
  });
}

const away = emails.map((user, index) => ({
  user,
  type: 'hard_unavailable',
  name: 'Away',
  ...{ start: `2030-01-0${index + 1}T00:00:00Z`, end: `2030-01-0${index + 3}T00:00:00Z` },
}));

describe('a fair schedule in a file', () => {
  it('is solved at once, including new people, and the quality of its plan is shown', async () => {
    const said: string[] = [];
    const applied = await apply(file({}, away), {}, (sentence) => said.push(sentence));
    const [plan] = applied.plans;
    assert.equal(plan?.figures?.origin, 'optimal');
    assert.match(
      appliedText(applied, { dryRun: false, prune: false }),
      /^= SRE is planned until \S+: no better plan is possible \(proven in /m,
    );
    assert.ok(
      said.some((sentence) => /^Solving a plan of \d+ shifts for 3 people, at most 10 s …$/.test(sentence)),
    );
    const stored = await db().selectFrom('plans').select(['state', 'figures']).execute();
    assert.deepEqual(
      stored.map(({ state }) => state),
      ['published'],
    );
    assert.match(JSON.stringify(stored[0]?.figures), /"solver":"HiGHS /);
    const again = await apply(file({}, away));
    assert.deepEqual([again.changes, again.plans[0]?.figures], [[], null]);
  });

  it('is applied as a rotation as well, with a warning that names the rules that rotations ignore', async () => {
    const rules = {
      strategy: 'rotation',
      working_time: 'eu',
      only_with: [{ people: [emails[1]], with: [emails[2]] }],
    };
    const applied = await apply(file(rules));
    const note =
      'SRE is a rotation, and rotations ignore limits and only_with. Set its strategy to fair so that plans keep these rules, or remove them.';
    assert.deepEqual(applied.notes, [note]);
    assert.ok(appliedText(applied, { dryRun: false, prune: false }).includes(`\n! ${note}\n`));
    const again = await apply(file(rules));
    assert.deepEqual([again.changes, again.notes], [[], [note]]);
    const fair = await apply(file({ strategy: 'fair' }));
    assert.ok(!fair.notes.includes(note), fair.notes.join('\n'));
  });

  it('takes weights, limits and the rule about other schedules, and keeps unmentioned ones', async () => {
    const rules = { weights: { weekend: 2 }, limits: { shifts_per_month: 2 }, elsewhere: 'never' };
    const [, , , , , made] = (await apply(file(rules))).changes;
    assert.match(
      made?.details.join() ?? '',
      /planning weekends count 2 times, at most 2 shifts a month, never at the time of a shift of another schedule/,
    );
    assert.deepEqual((await apply(file())).changes, []);
    const changed = await apply(
      file({ weights: { weekend: 1 }, limits: { shifts_per_month: null }, elsewhere: 'avoid' }),
    );
    assert.deepEqual(headlines(changed), ['~ schedule SRE']);
    assert.match(
      changed.changes[0]?.details.join() ?? '',
      /^planning: was weekends count 2 times, .*, is usual$/,
    );
    const shares = [{ user: 'ada@example.com', percent: 60 }];
    const part = await apply(file({ shares }));
    assert.match(part.changes[0]?.details.join() ?? '', /^shares: was equal, is .* 60 %$/);
    assert.deepEqual((await apply(file({ shares }))).changes, []);
    assert.match((await apply(file({ shares: [] }))).changes[0]?.details.join() ?? '', /60 %, is equal$/);
    const wrong = [
      { user: 'ada@example.com', percent: 0 },
      { user: 'nobody@example.com', percent: 50 },
    ];
    assert.equal((await problemsOf(file({ shares: wrong }))).length, 2);
    const twice = [...shares, ...shares];
    assert.match((await problemsOf(file({ shares: twice }))).join(), /listed twice/);
    const problems = await problemsOf(
      file({ weights: { evening: -1 }, limits: { shifts_per_week: 0 }, elsewhere: 'no' }),
    );
    assert.equal(problems.length, 3, problems.join('\n'));
  });

  it('takes settings of single people, and keeps unmentioned ones', async () => {
    const people = [
      { user: 'ada@example.com', limits: { weekends_per_month: 1, hours_per_week: null } },
      {
        user: 'Bob@example.com',
        never: [{ days: ['mon-tue'], from: '18:00', to: '24:00' }],
        from: '2020-01-01',
      },
    ];
    const daily = { shifts: { every: 'day', handoff: '09:00' }, plan_ahead_weeks: 3 };
    const rules = { ...daily, limits: { hours_per_week: 96, weekends_in_a_row: 2 }, people };
    await apply(file(daily));
    const changed = await apply(file(rules));
    const details = changed.changes.flatMap((change) => change.details).join();
    assert.match(details, /planning: was usual, is at most 96 hours a week, at most 2 weekends in a row/);
    assert.match(
      details,
      /people: was all alike, is ada.* any number of hours a week and at most 1 weekend a month, bob.* never Mon, Tue 18:00–24:00 and from 2020-01-01/i,
    );
    assert.deepEqual((await apply(file(rules))).changes, []);
    assert.deepEqual((await apply(file(daily))).changes, [], 'what is not said stays');
    const shifts = await db()
      .selectFrom('shifts')
      .innerJoin('users', 'users.id', 'shifts.user_id')
      .select(['email', 'starts_at'])
      .where('starts_at', '>', Temporal.Now.instant())
      .execute();
    const days = shifts
      .filter(({ email }) => email === 'bob@example.com')
      .map(({ starts_at }) => starts_at.toZonedDateTimeISO('UTC').dayOfWeek);
    assert.ok(days.length > 0 && !days.includes(1) && !days.includes(2), String(days));
    const wrong = [
      { user: 'ada@example.com', limits: { hours_a_week: 1 } },
      { user: 'bob@example.com', until: '24.12.2026' },
      { user: 'cleo@example.com', never: [{ days: ['mon'], from: '18:00', to: '18:00' }] },
      { user: 'nobody@example.com' },
    ];
    const problems = (await problemsOf(file({ ...daily, people: wrong }))).join('\n');
    assert.match(problems, /hours_a_week/);
    assert.match(problems, /until is "?24\.12\.2026"?/);
    assert.match(problems, /nobody@example\.com/);
    const late = await problemsOf(file({ ...daily, people: wrong.slice(2, 3) }));
    assert.match(late.join(), /never\[0\]\.to is the same as from/);
    const none = { hours_per_week: null, weekends_in_a_row: null };
    const alike = await apply(file({ ...daily, people: [], limits: none }));
    assert.match(alike.changes.flatMap((change) => change.details).join(), /people: was .*, is all alike/);
  });

  it('takes juniors who are never on call together, and keeps both if they are not mentioned', async () => {
    const people = emails.slice(0, 2).map((user) => ({ user, level: 'junior' }));
    const daily = { shifts: { every: 'day', handoff: '09:00' }, plan_ahead_weeks: 2 };
    const stages = [1, 2].map((stage) => ({ stage, members: emails }));
    const rules = { ...daily, stages, people, never_two_juniors: true };
    await apply(file({ ...daily, stages }));
    const details = (await apply(file(rules))).changes.flatMap((change) => change.details).join();
    assert.match(details, /planning: was usual, is never two juniors on call at the same time/);
    assert.match(details, /people: was all alike, is ada\S* junior, bob\S* junior/i);
    assert.deepEqual((await apply(file(rules))).changes, []);
    assert.deepEqual((await apply(file({ ...daily, stages }))).changes, [], 'what is not said stays');
    const shifts = await db()
      .selectFrom('shifts')
      .innerJoin('users', 'users.id', 'shifts.user_id')
      .select(['email', 'starts_at'])
      .where('starts_at', '>', Temporal.Now.instant())
      .execute();
    const together = [...Map.groupBy(shifts, ({ starts_at }) => `${starts_at}`).values()];
    assert.ok(together.length > 10 && together.every((own) => own.length === 2), JSON.stringify(shifts));
    assert.ok(together.every((own) => own.some(({ email }) => email === 'cleo@example.com')));
    const wrong = [
      { user: 'ada@example.com', level: 'senior' },
      { user: 'bob@example.com', level: 'junior', levels: 2 },
    ];
    const problems = await problemsOf(file({ ...rules, people: wrong, never_two_juniors: 'sometimes' }));
    assert.match(problems.join('\n'), /level is "?senior"?/);
    assert.match(problems.join('\n'), /levels.*did you mean level/);
    assert.match(problems.join('\n'), /never_two_juniors is "?sometimes"?/);
    const off = await apply(file({ ...rules, people: [], never_two_juniors: false }));
    assert.match(off.changes.flatMap((change) => change.details).join(), /people: was .*, is all alike/);
  });

  it('takes people who are never on call together, shadows, and the limits of a law', async () => {
    const daily = { shifts: { every: 'day', handoff: '09:00' }, plan_ahead_weeks: 2 };
    const stages = [1, 2].map((stage) => ({ stage, members: emails }));
    const rules = { ...daily, stages };
    await apply(file(rules));
    const named = { ...rules, never_together: [emails.slice(1, 3)] };
    const pair = (await apply(file(named))).changes.flatMap((change) => change.details).join();
    assert.match(pair, /never together: was nobody, is bob\S* and cleo/i);
    assert.deepEqual((await apply(file({ ...daily, stages }))).changes, [], 'what is not said stays');
    const only = { ...daily, stages, only_with: [{ people: [emails[1]], with: [emails[0], emails[2]] }] };
    const company = (await apply(file(only))).changes.flatMap((change) => change.details).join();
    assert.match(company, /only with: was nobody, is bob\S* with ada\S* or cleo/i);
    assert.deepEqual((await apply(file(only))).changes, []);
    const wrongOnes = await problemsOf(file({ ...only, only_with: [{ with: ['clea@example.com'] }] }));
    assert.match(
      wrongOnes.join(),
      /only_with\[0\]\.with\[0\] is clea@example.com.*did you mean cleo@example.com/,
    );
    const learning = {
      ...daily,
      stages,
      shadows: [{ user: 'cleo@example.com', of: 'ada@example.com', until: '2030-01-31' }],
    };
    const shadows = (await apply(file(learning))).changes.flatMap((change) => change.details).join();
    assert.match(shadows, /shadows: was nobody, is cleo\S* with ada\S* until 2030-01-31/i);
    assert.deepEqual((await apply(file(learning))).changes, []);
    const strangers = await problemsOf(
      file({ ...learning, shadows: [{ user: 'clea@example.com', of: 'ada@example.com' }] }),
    );
    assert.match(strangers.join(), /shadows\[0\]\.user is clea@example.com.*did you mean cleo@example.com/);
    const lawful = (await apply(file({ ...daily, stages, working_time: 'eu' }))).changes.flatMap(
      (change) => change.details,
    );
    assert.match(lawful.join(), /rest: was \d+ hours?, is 11 hours/);
    assert.match(
      lawful.join(),
      /at most 48 hours a week on average over 17 weeks, at least 35 free hours in a row each week/,
    );
    assert.deepEqual((await apply(file({ ...daily, stages, working_time: 'eu' }))).changes, []);
    const own = { ...daily, stages, working_time: 'ch', rest_hours: 12, limits: { hours_per_week: null } };
    const explicit = (await apply(file(own))).changes.flatMap((change) => change.details).join();
    assert.match(explicit, /rest: was 11 hours, is 12 hours/, 'what the file names itself counts');
    assert.match(explicit, /planning: was .*on average.*, is at least 35 free hours in a row each week/i);
    assert.match(
      (await problemsOf(file({ ...own, working_time: 'mars' }))).join(),
      /working_time is "?mars"?/,
    );
    const unknown = await problemsOf(
      file({ ...rules, never_together: [['ada@example.com', 'adda@example.com']] }),
    );
    assert.match(
      unknown.join(),
      /never_together\[0\]\[1\] is adda@example.com.*did you mean ada@example.com/,
    );
  });

  it('describes in words when nobody can be on call', async () => {
    const start = '2030-01-01T00:00:00Z';
    const alone = { stages: [{ stage: 1, members: [emails[0]] }], plan_ahead_weeks: 2 };
    const now = Temporal.Now.instant();
    const records = [
      { user: emails[0], type: 'hard_unavailable', start: now.add({ hours: 24 }).toString(), end: start },
    ];
    const { notes } = await apply(file(alone, records));
    assert.match(
      notes.join(),
      /^schedule SRE: nobody can take stage 1 from .*: ada is away until 1 January 00:00/i,
    );
  });
});
