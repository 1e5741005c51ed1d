import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Decision,
  decideTeamStep,
  type Escalation,
  personGraceMs,
  reachesSomebody,
  type Step,
  stepBeyond,
} from './escalation.ts';

const START: Step = { kind: 'stage', stage: null, round: 1 };
const MINUTE = 60_000;

describe('one step', () => {
  const stage = (stage: number, ...names: string[]) => ({
    stage,
    escalateAfterMs: stage * 10 * MINUTE,
    people: names.map((name) => ({
      userId: name.replace('-', ''),
      away: name.startsWith('-'),
      reachable: true,
      why: {},
    })),
  });
  const escalation = (...stages: Escalation['stages']): Escalation => ({
    stages,
    backstops: [{ userId: 'backstop', reachable: true, why: {} }],
    members: [],
  });
  const brief = ({ notify, gaps, next }: Decision) =>
    `${notify.map(({ userId }) => userId).join('+')} gaps ${gaps.join() || 'none'}, then ${next.step.kind} ${next.step.stage ?? ''} of round ${next.step.round} after ${next.afterMs / MINUTE}`;

  it('is followed by the next round, or the end, once its round has run', () => {
    const all = escalation(stage(1, 'ada'), stage(2, 'alan'));
    const beyond = (round: number, urgency: 'low' | 'high' = 'high') =>
      stepBeyond({ ...START, round }, urgency, all, 3);
    assert.deepEqual(beyond(1), { kind: 'stage', stage: null, round: 2 });
    assert.deepEqual(beyond(3), { kind: 'expire', stage: null, round: 3 });
    assert.deepEqual(beyond(1, 'low'), { kind: 'expire', stage: null, round: 1 });
  });

  it('skips stages without people, and records that', () => {
    const decision = decideTeamStep(
      START,
      'high',
      escalation(stage(1), stage(1.5), stage(2, 'ada'), stage(3, 'alan')),
    );
    assert.equal(brief(decision), 'ada gaps 1,1.5, then stage 3 of round 1 after 20');
  });

  it('notifies the backstop at once if nobody is on call', () => {
    assert.equal(
      brief(decideTeamStep(START, 'high', escalation(stage(1), stage(2)))),
      'backstop gaps 1,2, then stage  of round 2 after 20',
    );
    assert.equal(
      brief(decideTeamStep(START, 'high', escalation())),
      'backstop gaps none, then stage  of round 2 after 5',
    );
  });

  it('notifies every member if there is no backstop either', () => {
    const nobody: Escalation = { stages: [stage(1)], backstops: [], members: ['ada', 'alan'] };
    assert.equal(
      brief(decideTeamStep(START, 'high', nobody)),
      'ada+alan gaps 1, then stage  of round 2 after 10',
    );
  });

  it('notifies people who are away together with the next stages, up to one in which nobody is away', () => {
    const away = escalation(
      stage(1, '-ada'),
      stage(2, '-alan'),
      stage(3, 'grace', '-joan'),
      stage(4, 'edsger'),
    );
    assert.equal(
      brief(decideTeamStep(START, 'high', away)),
      'ada+alan+grace+joan+edsger gaps none, then backstop  of round 1 after 40',
    );
    const half = escalation(stage(1, 'ada', '-alan'), stage(2, 'grace'));
    assert.equal(
      brief(decideTeamStep(START, 'high', half)),
      'ada+alan+grace gaps none, then backstop  of round 1 after 20',
    );
    const all = escalation(stage(1, '-ada'), stage(2, '-alan'));
    assert.equal(
      brief(decideTeamStep(START, 'high', all)),
      'ada+alan+backstop gaps none, then stage  of round 2 after 20',
    );
  });

  it('skips stages in which nobody can be reached, but still notifies them', () => {
    const deaf = (one: ReturnType<typeof stage>) => ({
      ...one,
      people: one.people.map((person) => ({ ...person, reachable: false })),
    });
    for (const urgency of ['high', 'low'] as const)
      assert.match(
        brief(
          decideTeamStep(
            START,
            urgency,
            escalation(deaf(stage(1, 'ada')), stage(2, 'alan'), stage(3, 'grace')),
          ),
        ),
        /^ada\+alan gaps none/,
      );
    const nobody: Escalation = {
      stages: [deaf(stage(1, 'ada'))],
      backstops: [{ userId: 'backstop', reachable: false, why: {} }],
      members: ['joan'],
    };
    assert.equal(
      brief(decideTeamStep(START, 'high', nobody)),
      'ada+backstop+joan gaps none, then stage  of round 2 after 10',
    );
    assert.equal(reachesSomebody(nobody), true);
    assert.equal(reachesSomebody({ ...nobody, members: [] }), false);
  });

  it('notifies nobody twice', () => {
    const twice = escalation(stage(1, '-ada'), stage(2, '-ada', 'backstop'));
    assert.equal(
      brief(decideTeamStep(START, 'high', twice)),
      'ada+backstop gaps none, then stage  of round 2 after 20',
    );
  });

  it('expires after the third round', () => {
    const last: Step = { kind: 'backstop', stage: null, round: 3 };
    assert.equal(
      brief(decideTeamStep(last, 'high', escalation(stage(1, 'ada')))),
      'backstop gaps none, then expire  of round 3 after 10',
    );
  });
});

it('a page to one person waits as long as a usual stage', () => {
  assert.deepEqual(
    (['high', 'medium', 'low'] as const).map((urgency) => personGraceMs(urgency) / MINUTE),
    [5, 15, 24 * 60],
  );
});
