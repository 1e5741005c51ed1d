import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applying, twoPeople } from '../../testing/applying.ts';

const { apply, db, problemsOf } = applying();

describe('references', () => {
  it('must be valid; each invalid one is named with its line', async () => {
    await apply(twoPeople);
    const text = `users:
  - { email: cleo@example.com }
teams:
  - { slug: web, members: [cleo@example.com, adda@example.com] }
schedules:
  - name: SRE
    team: srre
    backstop: nobody@example.org
    overrides:
      - { stage: 3, user: bob@example.com, start: 2030-01-01T00:00:00Z, end: 2030-01-02T00:00:00Z }
  - name: New
availabilities:
  - { user: cloe@example.com, type: requested, start: 2030-01-01T00:00:00Z, end: 2030-01-02T00:00:00Z }
`;
    assert.deepEqual(await problemsOf(text), [
      '4:46 teams[0].members[1] is adda@example.com, who is neither in this file nor in the organization; did you mean ada@example.com?',
      '7:11 schedules[0].team is srre, a team that is neither in this file nor in the organization; did you mean sre?',
      '8:15 schedules[0].backstop is nobody@example.org, who is neither in this file nor in the organization; add them under users',
      '10:18 schedules[0].overrides[0].stage is 3, but schedule SRE has 1; give one of its stages',
      '11:5 schedules[1].team is missing; give the slug of the team that it belongs to',
      '11:5 schedules[1].shifts is missing; give the times at which shifts change, such as { "every": "week", "handoff": "Monday 09:00" }',
      '11:5 schedules[1].stages is missing; give at least one stage with its members',
      '13:13 availabilities[0].user is cloe@example.com, who is neither in this file nor in the organization; did you mean cleo@example.com?',
    ]);
  });

  it('from a stage to a stage of another schedule are followed in any order, and applying the file again changes nothing', async () => {
    const linked = (name: string, stages: string) => `
  - name: ${name}
    team: sre
    shifts: { every: day, handoff: "09:00" }
    stages: [{ stage: 1, members: [ada@example.com] }${stages}]`;
    const text = twoPeople.replace(
      'availabilities:',
      `${linked('Web', ', { stage: 2, linked_to: { schedule: Platform, stage: 1 } }').slice(1)}${linked('Platform', '')}
availabilities:`,
    );
    const { changes } = await apply(text);
    const [web] = changes.filter(({ name }) => name === 'Web');
    assert.match(web?.details.join('; ') ?? '', /stage 2: is new, is linked to stage 1 of Platform/);
    assert.deepEqual((await apply(text)).changes, []);
    const mutual = `${linked('Day', ', { stage: 2, linked_to: { schedule: Night, stage: 1 } }')}${linked('Night', ', { stage: 2, linked_to: { schedule: Day, stage: 1 } }')}`;
    const both = text.replace('availabilities:', `${mutual.slice(1)}\navailabilities:`);
    assert.equal((await apply(both)).changes.length, 2);
    assert.deepEqual((await apply(both)).changes, []);
    const wrong = text.replace('schedule: Platform, stage: 1', 'schedule: Platfrom, stage: 1');
    assert.deepEqual(await problemsOf(wrong), [
      '17:91 schedules[1].stages[1].linked_to.schedule is Platfrom, which is not another schedule of your organization; give one of those',
    ]);
    const without = text.replace(
      '[{ stage: 1, members: [ada@example.com] }]',
      '[{ stage: 2, members: [ada@example.com] }]',
    );
    assert.deepEqual(await problemsOf(without), [
      '17:108 schedules[1].stages[1].linked_to.stage is 1, which "Platform" does not have; give one of 2',
      '21:13 schedules[2].stages leave out stage 1, to which stage 2 of "Web" is linked; remove that link first',
    ]);
  });

  it('are reported together with the problems in the file itself', async () => {
    const text =
      'organization: { name: Acme }\nusers:\n  - { email: a@example.com, rolle: owner }\nteams:\n  - { slug: x, members: [b@example.com] }\n';
    assert.deepEqual(
      (await problemsOf(text)).map((line) => line.split(' ').slice(0, 2).join(' ')),
      ['3:29 users[0].rolle', '5:26 teams[0].members[0]'],
    );
  });

  it('that could not be read are not also reported as missing', async () => {
    const text = `organization: { name: Acme }
users: [ { email: a@example.com } ]
teams: [ { slug: x } ]
schedules:
  - { name: S, team: x, shifts: { every: wek }, stages: [ { stage: 1, members: [a@example.com] } ] }
`;
    const problems = await problemsOf(text);
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems[0] ?? '', /^5:\d+ schedules\[0\]\.shifts\.every is "wek"; give day, week/);
  });

  it('with problems prevent every change', async () => {
    await apply(twoPeople);
    await problemsOf('users:\n  - { email: ada@example.com, name: Changed }\n  - { email: nonsense }\n');
    const { name } = await db()
      .selectFrom('users')
      .select('name')
      .where('email', '=', 'ada@example.com')
      .executeTakeFirstOrThrow();
    assert.equal(name, 'Ada');
  });
});
