import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Urgency } from './contract.ts';
import { type Decision, decideTeamStep, type Ladder, reachesSomebody, type Step } from './escalation.ts';

const START: Step = { kind: 'stage', stage: null, round: 1 };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const person = fc.constantFrom('ada', 'alan', 'grace', 'joan', 'edsger');
/** Mostly people who can be reached; a person's reach is the same everywhere in a ladder. */
const outOfReach = fc.uniqueArray(person, { maxLength: 3 });
const people = fc.uniqueArray(
  fc.record({ userId: person, away: fc.boolean(), reachable: fc.constant(true), why: fc.constant({}) }),
  { maxLength: 3, selector: ({ userId }) => userId },
);
const delay = fc.integer({ min: 1, max: 60 }).map((minutes) => minutes * MINUTE);
const stages = fc
  .uniqueArray(fc.record({ stage: fc.constantFrom(0, 0.5, 1, 2, 2.5, 10), escalateAfterMs: delay, people }), {
    maxLength: 4,
    selector: ({ stage }) => stage,
  })
  .map((rungs) => rungs.sort((a, b) => a.stage - b.stage));
const backstops = fc.uniqueArray(
  fc.record({ userId: person, reachable: fc.constant(true), why: fc.constant({}) }),
  {
    maxLength: 2,
    selector: ({ userId }) => userId,
  },
);
/** As they are read: the members of the team are there only when nobody else can be reached. */
const ladders: fc.Arbitrary<Ladder> = fc
  .record({ stages, backstops, members: fc.uniqueArray(person, { maxLength: 3 }), outOfReach })
  .map(({ stages, backstops, members, outOfReach }) => {
    const within = <One extends { userId: (typeof members)[number] }>(one: One) => ({
      ...one,
      reachable: !outOfReach.includes(one.userId),
    });
    const ladder = {
      stages: stages.map((rung) => ({ ...rung, people: rung.people.map(within) })),
      backstops: backstops.map(within),
    };
    const others = [...ladder.stages.flatMap((rung) => rung.people), ...ladder.backstops];
    return { ...ladder, members: others.some(({ reachable }) => reachable) ? [] : members };
  });
const urgency = fc.constantFrom<Urgency>('low', 'medium', 'high');
const escalating = fc.constantFrom<Urgency>('medium', 'high');

const onCall = ({ stages }: Pick<Ladder, 'stages'>) =>
  stages.flatMap((rung) => rung.people.map(({ userId }) => userId));
const notified = ({ notify }: Decision) => notify.map(({ userId }) => userId);
const everybody = (ladder: Ladder) =>
  new Set([...onCall(ladder), ...ladder.backstops.map(({ userId }) => userId), ...ladder.members]);

const withinReach = ({ stages, backstops, members }: Ladder) => {
  const candidates = [...stages.flatMap((rung) => rung.people), ...backstops];
  return new Set([
    ...candidates.filter(({ reachable }) => reachable).map(({ userId }) => userId),
    ...members,
  ]);
};

type Run = { step: Step; decision: Decision; atMs: number }[];

/** Every step of a page that nobody acknowledges; `ladderAt` says how the ladder is at each of them. */
function unanswered(urgency: Urgency, ladderAt: (step: number) => Ladder): { run: Run; expiresAtMs: number } {
  const run: Run = [];
  let [step, atMs] = [START, 0];
  while (step.kind !== 'expire') {
    assert.ok(run.length < 100, 'the ladder ends');
    const decision = decideTeamStep(step, urgency, ladderAt(run.length));
    run.push({ step, decision, atMs });
    atMs += decision.next.afterMs;
    step = decision.next.step;
  }
  return { run, expiresAtMs: atMs };
}

/** When each person is first notified. */
function firstNotified({ run }: { run: Run }): Map<string, number> {
  const first = new Map<string, number>();
  for (const { decision, atMs } of run)
    for (const userId of notified(decision)) if (!first.has(userId)) first.set(userId, atMs);
  return first;
}

describe('a page that nobody acknowledges', () => {
  it('reaches somebody at once whenever anybody can be reached', () => {
    fc.assert(
      fc.property(urgency, ladders, (urgency, ladder) => {
        const { notify } = decideTeamStep(START, urgency, ladder);
        const reached = notify.some(({ userId }) => withinReach(ladder).has(userId));
        assert.equal(reached, reachesSomebody(ladder));
        assert.ok(notify.every(({ userId }) => everybody(ladder).has(userId)));
      }),
    );
  });

  it('reaches everybody on call and every backstop within the first round, and again in each', () => {
    fc.assert(
      fc.property(escalating, ladders, (urgency, ladder) => {
        const { run } = unanswered(urgency, () => ladder);
        for (const round of [1, 2, 3]) {
          const asked = run
            .filter(({ step }) => step.round === round)
            .flatMap(({ decision }) => notified(decision));
          assert.deepEqual(new Set(asked), everybody(ladder), `round ${round}`);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('ends within three rounds, however the ladder changes meanwhile', () => {
    fc.assert(
      fc.property(urgency, fc.array(ladders, { minLength: 1, maxLength: 12 }), (urgency, changing) => {
        const { run } = unanswered(urgency, (step) => changing[step % changing.length] as Ladder);
        const last = run.at(-1);
        assert.equal(last?.step.round, urgency === 'low' ? 1 : 3);
        for (const [index, { step, decision }] of run.entries()) {
          const before = run[index - 1]?.step;
          assert.ok(decision.next.afterMs > 0, 'never in a circle without time passing');
          if (!before || before.round < step.round) continue;
          assert.equal(before.round, step.round);
          assert.ok(
            step.kind === 'backstop' || (step.stage ?? -1) > (before.stage ?? Number.NEGATIVE_INFINITY),
          );
          assert.notEqual(before.kind, 'backstop');
        }
      }),
      { numRuns: 500 },
    );
  });

  it('begins each round with whoever is on call then', () => {
    fc.assert(
      fc.property(escalating, fc.array(ladders, { minLength: 1, maxLength: 12 }), (urgency, changing) => {
        const ladderAt = (step: number) => changing[step % changing.length] as Ladder;
        const { run } = unanswered(urgency, ladderAt);
        for (const [index, { step, decision }] of run.entries()) {
          if (run[index - 1]?.step.round === step.round) continue;
          assert.equal(decision.notify.length > 0, everybody(ladderAt(index)).size > 0);
        }
      }),
    );
  });

  it('waits a stage’s delay at high, three times that at medium', () => {
    fc.assert(
      fc.property(ladders, (ladder) => {
        const [high, medium] = [unanswered('high', () => ladder), unanswered('medium', () => ladder)];
        assert.deepEqual(
          medium.run.map(({ step, atMs }) => [step, atMs]),
          high.run.map(({ step, atMs }) => [step, 3 * atMs]),
        );
        for (const { decision } of high.run) {
          const [stage] = decision.notify.map(({ stage }) => stage);
          const rung = ladder.stages.find((one) => one.stage === stage);
          if (rung?.people.every(({ away, reachable }) => !away && reachable))
            assert.equal(decision.next.afterMs, rung.escalateAfterMs);
        }
      }),
    );
  });

  it('never escalates at low, and is given up after a day', () => {
    fc.assert(
      fc.property(ladders, (ladder) => {
        const { run, expiresAtMs } = unanswered('low', () => ladder);
        assert.equal(run.length, 1);
        assert.equal(expiresAtMs, 24 * HOUR);
        assert.deepEqual(run[0]?.decision.notify, decideTeamStep(START, 'high', ladder).notify);
      }),
    );
  });
});

describe('an absence', () => {
  const withAway = (ladder: Ladder, away: readonly string[]): Ladder => ({
    ...ladder,
    stages: ladder.stages.map((rung) => ({
      ...rung,
      people: rung.people.map((one) => ({ ...one, away: one.away || away.includes(one.userId) })),
    })),
  });

  it('never makes a page reach fewer people, nor anybody later', () => {
    fc.assert(
      fc.property(urgency, ladders, fc.uniqueArray(person), (urgency, ladder, away) => {
        const less = withAway(ladder, away);
        const step = notified(decideTeamStep(START, urgency, ladder));
        assert.ok(new Set(notified(decideTeamStep(START, urgency, less))).isSupersetOf(new Set(step)));
        const [there, gone] = [ladder, less].map((one) => firstNotified(unanswered(urgency, () => one)));
        for (const [userId, atMs] of there ?? [])
          assert.ok((gone?.get(userId) ?? Number.POSITIVE_INFINITY) <= atMs, `${userId} is notified later`);
      }),
      { numRuns: 1_000 },
    );
  });

  it('notifies somebody who is there in the same step, or every backstop', () => {
    fc.assert(
      fc.property(urgency, ladders, (urgency, ladder) => {
        const { notify } = decideTeamStep(START, urgency, ladder);
        const there = new Set(
          ladder.stages.flatMap((rung) =>
            rung.people.filter(({ away }) => !away).map(({ userId }) => userId),
          ),
        );
        const asked = new Set(notify.map(({ userId }) => userId));
        if (notify.some(({ userId }) => there.has(userId))) return;
        for (const { userId } of ladder.backstops) assert.ok(asked.has(userId));
      }),
    );
  });
});
