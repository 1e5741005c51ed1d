import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inputOf } from '../../testing/planning/problems.ts';
import { DAY } from '../../testing/planning/scene.ts';
import { programsHere } from '../optimizer/programs.ts';
import type { Compared, Reason } from '../schedules/planner.ts';
import { figuresText } from './figures-text.ts';
import { presentReason } from './reason-text.ts';
import { solvePlan } from './solver/planning.ts';

const NAMES = ['ada', 'ben', 'cleo'];
const people = new Map(
  NAMES.map((name) => [
    name,
    {
      id: name,
      name: `${name[0]?.toUpperCase()}${name.slice(1)}`,
      email: `${name}@x.example`,
      enabled: true,
    },
  ]),
);
const telling = { people, timeZone: 'UTC', restMs: 0 };
const shift = { from: 0, to: DAY, stage: 1, userId: 'ada' };

function present(reason: Partial<Reason>) {
  return presentReason(shift, { rule: 'least', skipped: [], ...reason }, telling);
}

/** The sentence about Ben, who could have had the shift. */
function ofBen(compared: Compared[] | undefined, cost = 12.4, swap: { from: number } | null = null): string {
  const exchange = swap && { stage: 2, from: swap.from, to: swap.from + DAY };
  const other = { user_id: 'ben', cost, swap: exchange, ...(compared ? { compared } : {}) };
  const [first] = present({ others: [other] }).others;
  return first?.sentence ?? '';
}

describe('the reason of a shift', () => {
  it('names the shares that were compared', () => {
    const share = (holder: number, taker: number, fair = 7.4): Compared => ({
      ...{ what: 'share', kind: 'weekend' },
      ...{ holder: { has: holder, fair: 7.4 }, taker: { has: taker, fair } },
    });
    assert.equal(
      ofBen([share(7, 9)]),
      'Ben could have it, but Ben has 9 weekend shifts in the past year and this plan, and Ada has 7.',
    );
    assert.equal(
      ofBen([share(7, 1, 0.5)]),
      'Ben could have it, but Ben has 1 weekend shift (a fair share is 0.5) in the past year and this plan, and Ada has 7 (a fair share is 7.4).',
    );
  });

  it('names the preferences of both people, and the shift in exchange', () => {
    assert.equal(
      ofBen([
        { what: 'soft', who: 'taker' },
        { what: 'requested', who: 'holder' },
      ]),
      'Ben could have it, but Ben prefers not to be on call at that time; and Ada asked to be on call at that time.',
    );
    assert.equal(
      ofBen([{ what: 'elsewhere', who: 'holder' }], 60, { from: DAY }),
      'Ben could have it in exchange for stage 2 from Fri 2 Jan 00:00, but Ada has a shift of another schedule at the time of the other shift.',
    );
  });

  it('states whether another person is just as good, or better', () => {
    assert.equal(ofBen([], 0), 'Ben could have it just as well.');
    assert.match(ofBen([], -3), /^Ben could have it, which would be better: the planner ran out of time/);
  });

  it('has sentences for older plans that did not store the comparison', () => {
    assert.equal(ofBen(undefined), 'Ben could have it, but the plan as a whole would be less even.');
    assert.match(present({}).sentence, /^With Ada, shifts are shared most equally, .*preferences allow\.$/);
  });

  it('states how the person compares, and whether there was a choice', () => {
    const own: Compared[] = [
      { what: 'requested', who: 'holder' },
      { what: 'share', kind: 'total', holder: { has: 12, fair: 12.3 } },
    ];
    assert.equal(
      present({ others: [], own }).sentence,
      'Ada has this shift because nobody else can have it. Ada asked to be on call at that time. Ada has 12 shifts (a fair share is 12.3) in the past year and this plan.',
    );
  });

  it('is correct for a solved plan, without points', async () => {
    const wishes = [{ who: 'ben', type: 'soft_unavailable' as const, from: 2, to: 4 }];
    const { shifts, ...figures } = await solvePlan(
      programsHere(),
      inputOf({ stages: [NAMES], away: { cleo: [[2, 3]] }, wishes, to: 12 }),
    );
    // Day 2 is a Saturday: Cleo is away, and Ben prefers not to be on call.
    const saturday = shifts[2];
    assert.equal(saturday?.userId, 'ada');
    const told = presentReason(saturday, saturday.reason ?? assert.fail(), telling);
    assert.match(
      told.sentence,
      /Ada has 2 weekend shifts \(a fair share is [\d.]+\) in the past year and this plan\.$/,
    );
    assert.match(
      told.others[0]?.sentence ?? '',
      /^Ben could have it, but Ben prefers not to be on call at that time/,
    );
    assert.deepEqual(
      told.refused.map(({ sentence }) => sentence),
      ['Cleo is away.'],
    );
    const texts = [told.sentence, ...told.others.map(({ sentence }) => sentence), figuresText(figures)];
    assert.doesNotMatch(texts.join(' '), /point/);
    assert.match(figuresText(figures), /^no better plan is possible \(proven in [\d.]+ s\)$/);
  });
});
