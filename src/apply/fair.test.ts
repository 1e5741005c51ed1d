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
  it('is solved at once, also for people who are new, and says what its plan is worth', async () => {
    const said: string[] = [];
    const applied = await apply(file({}, away), {}, (sentence) => said.push(sentence));
    const [plan] = applied.plans;
    assert.equal(plan?.figures?.origin, 'optimal');
    assert.match(
      appliedText(applied, { dryRun: false, prune: false }),
      /^= SRE is planned until \S+: proven best, /m,
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

  it('takes weights, limits and what shifts elsewhere do; what is not said stays', async () => {
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

  it('says in words where nobody can be on call', async () => {
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
