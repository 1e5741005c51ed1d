import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Urgency } from './contract.ts';
import { type Decision, decideTeamStep, type Escalation, reachesSomebody, type Step } from './escalation.ts';

const START: Step = { kind: 'stage', stage: null, round: 1 };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const person = fc.constantFrom('ada', 'alan', 'grace', 'joan', 'edsger');
/** Mostly people who can be reached. A person's reachability is the same everywhere in an escalation. */
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
  .map((stages) => stages.sort((a, b) => a.stage - b.stage));
const backstops = fc.uniqueArray(
  fc.record({ userId: person, reachable: fc.constant(true), why: fc.constant({}) }),
  {
    maxLength: 2,
    selector: ({ userId }) => userId,
  },
);
/** As read from the database: the members of the team are present only if nobody else can be reached. */
const escalations: fc.Arbitrary<Escalation> = fc
  .record({ stages, backstops, members: fc.uniqueArray(person, { maxLength: 3 }), outOfReach })
  .map(({ stages, backstops, members, outOfReach }) => {
    const within = <One extends { userId: (typeof members)[number] }>(one: One) => ({
      ...one,
      reachable: !outOfReach.includes(one.userId),
    });
    const escalation = {
      stages: stages.map((one) => ({ ...one, people: one.people.map(within) })),
      backstops: backstops.map(within),
    };
    const others = [...escalation.stages.flatMap(({ people }) => people), ...escalation.backstops];
    return { ...escalation, members: others.some(({ reachable }) => reachable) ? [] : members };
  });
const urgency = fc.constantFrom<Urgency>('low', 'medium', 'high');
const escalating = fc.constantFrom<Urgency>('medium', 'high');

const onCall = ({ stages }: Pick<Escalation, 'stages'>) =>
  stages.flatMap(({ people }) => people.map(({ userId }) => userId));
const notified = ({ notify }: Decision) => notify.map(({ userId }) => userId);
const everybody = (escalation: Escalation) =>
  new Set([
    ...onCall(escalation),
    ...escalation.backstops.map(({ userId }) => userId),
    ...escalation.members,
  ]);

const withinReach = ({ stages, backstops, members }: Escalation) => {
  const candidates = [...stages.flatMap(({ people }) => people), ...backstops];
  return new Set([
    ...candidates.filter(({ reachable }) => reachable).map(({ userId }) => userId),
    ...members,
  ]);
};

type Run = { step: Step; decision: Decision; atMs: number }[];

/** Every step of a page that nobody acknowledges. `escalationAt` returns the escalation at each of them. */
function unanswered(
  urgency: Urgency,
  escalationAt: (step: number) => Escalation,
): { run: Run; expiresAtMs: number } {
  const run: Run = [];
  let [step, atMs] = [START, 0];
  while (step.kind !== 'expire') {
    assert.ok(run.length < 100, 'the escalation ends');
    const decision = decideTeamStep(step, urgency, escalationAt(run.length));
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
  it('reaches somebody at once if anybody can be reached', () => {
    fc.assert(
      fc.property(urgency, escalations, (urgency, escalation) => {
        const { notify } = decideTeamStep(START, urgency, escalation);
        const reached = notify.some(({ userId }) => withinReach(escalation).has(userId));
        assert.equal(reached, reachesSomebody(escalation));
        assert.ok(notify.every(({ userId }) => everybody(escalation).has(userId)));
      }),
    );
  });

  it('reaches everybody on call and every backstop within the first round, and again in each round', () => {
    fc.assert(
      fc.property(escalating, escalations, (urgency, escalation) => {
        const { run } = unanswered(urgency, () => escalation);
        for (const round of [1, 2, 3]) {
          const reached = run
            .filter(({ step }) => step.round === round)
            .flatMap(({ decision }) => notified(decision));
          assert.deepEqual(new Set(reached), everybody(escalation), `round ${round}`);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('ends within three rounds, however the escalation changes meanwhile', () => {
    fc.assert(
      fc.property(urgency, fc.array(escalations, { minLength: 1, maxLength: 12 }), (urgency, changing) => {
        const { run } = unanswered(urgency, (step) => changing[step % changing.length] as Escalation);
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

  it('begins each round with the people on call at that time', () => {
    fc.assert(
      fc.property(escalating, fc.array(escalations, { minLength: 1, maxLength: 12 }), (urgency, changing) => {
        const escalationAt = (step: number) => changing[step % changing.length] as Escalation;
        const { run } = unanswered(urgency, escalationAt);
        for (const [index, { step, decision }] of run.entries()) {
          if (run[index - 1]?.step.round === step.round) continue;
          assert.equal(decision.notify.length > 0, everybody(escalationAt(index)).size > 0);
        }
      }),
    );
  });

  it('waits for a stage’s delay at high urgency, and three times as long at medium', () => {
    fc.assert(
      fc.property(escalations, (escalation) => {
        const [high, medium] = [unanswered('high', () => escalation), unanswered('medium', () => escalation)];
        assert.deepEqual(
          medium.run.map(({ step, atMs }) => [step, atMs]),
          high.run.map(({ step, atMs }) => [step, 3 * atMs]),
        );
        for (const { decision } of high.run) {
          const [stage] = decision.notify.map(({ stage }) => stage);
          const reached = escalation.stages.find((one) => one.stage === stage);
          if (reached?.people.every(({ away, reachable }) => !away && reachable))
            assert.equal(decision.next.afterMs, reached.escalateAfterMs);
        }
      }),
    );
  });

  it('never escalates at low urgency, and expires after a day', () => {
    fc.assert(
      fc.property(escalations, (escalation) => {
        const { run, expiresAtMs } = unanswered('low', () => escalation);
        assert.equal(run.length, 1);
        assert.equal(expiresAtMs, 24 * HOUR);
        assert.deepEqual(run[0]?.decision.notify, decideTeamStep(START, 'high', escalation).notify);
      }),
    );
  });
});

describe('an absence', () => {
  const withAway = (escalation: Escalation, away: readonly string[]): Escalation => ({
    ...escalation,
    stages: escalation.stages.map((one) => ({
      ...one,
      people: one.people.map((one) => ({ ...one, away: one.away || away.includes(one.userId) })),
    })),
  });

  it('never reaches fewer people because somebody is away, nor anybody later', () => {
    fc.assert(
      fc.property(urgency, escalations, fc.uniqueArray(person), (urgency, escalation, away) => {
        const less = withAway(escalation, away);
        const step = notified(decideTeamStep(START, urgency, escalation));
        assert.ok(new Set(notified(decideTeamStep(START, urgency, less))).isSupersetOf(new Set(step)));
        const [there, gone] = [escalation, less].map((one) => firstNotified(unanswered(urgency, () => one)));
        for (const [userId, atMs] of there ?? [])
          assert.ok((gone?.get(userId) ?? Number.POSITIVE_INFINITY) <= atMs, `${userId} is notified later`);
      }),
      { numRuns: 1_000 },
    );
  });

  it('notifies somebody who is not away in the same step, or every backstop', () => {
    fc.assert(
      fc.property(urgency, escalations, (urgency, escalation) => {
        const { notify } = decideTeamStep(START, urgency, escalation);
        const there = new Set(
          escalation.stages.flatMap((one) =>
            one.people.filter(({ away }) => !away).map(({ userId }) => userId),
          ),
        );
        const notified = new Set(notify.map(({ userId }) => userId));
        if (notify.some(({ userId }) => there.has(userId))) return;
        for (const { userId } of escalation.backstops) assert.ok(notified.has(userId));
      }),
    );
  });
});
