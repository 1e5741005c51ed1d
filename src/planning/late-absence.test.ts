import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  DAY,
  isUnchanged,
  letters,
  planned,
  revise,
  type Scene,
  situationOf,
} from '../../testing/planning/scene.ts';
import { person, quarterDays, scenes, span } from '../../testing/planning/scenes.ts';
import type { ShiftRow } from '../schedules/difference.ts';
import { type AvailabilityRecord, overlap } from '../schedules/planner.ts';
import { planInputOf } from './revision.ts';
import { STRATEGIES } from './strategies.ts';

type Late = { who: string; from: number; to: number };

/** Absences that were unknown when the plan was made. */
const lateAbsences = fc.array(
  person.chain((who) => span.map((when) => ({ who, ...when }))),
  { minLength: 1, maxLength: 6 },
);

function awayWith(scene: Scene, late: readonly Late[]): NonNullable<Scene['away']> {
  const away = { ...scene.away };
  for (const { who, from, to } of late) away[who] = [...(away[who] ?? []), [from, to]];
  return away;
}

type RandomScene = Scene & { at: number; length: number; to: number };

/** The same plan, extended days later and further ahead. */
function planOn(scene: RandomScene, rows: readonly ShiftRow[], days: number, more: number): Scene {
  const { length, to } = scene;
  const at = scene.at + days;
  const first = Math.floor(scene.at);
  const from = first + Math.floor((at - first) / length) * length;
  return { ...scene, from, at, to: to + more, rows };
}

const personal = (rows: readonly ShiftRow[]) => rows.filter(({ userId }) => userId !== null);

describe('an extended plan', () => {
  it('takes no published shift from anybody, and is the same when it is made again', () => {
    fc.assert(
      fc.property(scenes, quarterDays(5), fc.integer({ min: 0, max: 12 }), (scene, days, more) => {
        const rows = planned(scene);
        const after = planned(planOn(scene, rows, days, more));
        checkUntouched(rows, after);
        assert.ok(isUnchanged(revise(situationOf(planOn(scene, after, days, more)))));
      }),
      { numRuns: 500 },
    );
  });
});

describe('a late absence in a schedule that proposes covers', () => {
  it('takes no published shift from anybody, no matter how often and how far the plan is extended', () => {
    fc.assert(
      fc.property(
        scenes,
        lateAbsences,
        quarterDays(5),
        fc.integer({ min: 0, max: 12 }),
        (scene, late, days, more) => {
          const rows = planned(scene);
          const later: RandomScene = { ...scene, cover: 'propose', away: awayWith(scene, late) };
          const after = planned(planOn(later, rows, days, more));
          checkUntouched(rows, after);
          assert.ok(isUnchanged(revise(situationOf(planOn(later, after, days, more)))));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('counts in shifts that do not exist yet', () => {
    const stages = [['A', 'B', 'C']];
    const rows = planned({ stages, to: 6 });
    const away = {
      B: [
        [1, 2],
        [7, 8],
      ] as const,
    };
    const after = planned({ stages, to: 9, rows, cover: 'propose', away });
    assert.equal(letters(rows), 'ABCABC');
    assert.equal(letters(after), 'ABCABCACB');
  });

  it('stays when others leave, and moves shifts once covers are applied', () => {
    const stages = [['A', 'B', 'C', 'D']];
    const rows = planned({ stages, to: 8 });
    const away = { C: [[2, 3]] as const };
    assert.equal(letters(planned({ stages, to: 8, rows, cover: 'propose', away })), 'ABCDABCD');
    const smaller = [['A', 'B', 'C']];
    const replanned = planned({ stages: smaller, to: 8, rows, plannedWith: stages, cover: 'propose', away });
    assert.equal(letters(replanned), 'ABCBABCA', 'only the shifts of who left change hands');
    assert.equal(letters(planned({ stages, to: 8, rows, cover: 'apply', away })), 'ABADABCD');
  });

  it('keeps no shift of a person whom the rules do not plan at that time', () => {
    const stages = [['A', 'B', 'C']];
    const rows = planned({ stages, to: 6 });
    const situation = situationOf({ stages, to: 6, rows, cover: 'propose', away: { C: [[2, 2.05]] } });
    const keeper = (more: readonly AvailabilityRecord[]) => {
      const records = new Map([
        ...situation.records,
        ['C', [...(situation.records.get('C') ?? []), ...more]],
      ]);
      const input = planInputOf({ ...situation, smallAbsenceMs: DAY / 3, records });
      return STRATEGIES.rotation.plan(input).find(({ from }) => from === 2 * DAY)?.userId;
    };
    assert.equal(keeper([]), 'C');
    assert.notEqual(keeper([{ type: 'hard_unavailable', from: 2 * DAY, to: 99 * DAY, why: 'left' }]), 'C');
  });
});

function checkUntouched(before: readonly ShiftRow[], after: readonly ShiftRow[]): void {
  const now = new Map(after.map((row) => [row.id, row]));
  for (const row of personal(before)) assert.deepEqual(now.get(row.id), row);
}

describe('a late absence', () => {
  it('changes only the shifts that it overlaps', () => {
    fc.assert(
      fc.property(scenes, person, span, (scene, who, when) => {
        const single = { ...scene, stages: scene.stages.slice(0, 1), seats: [1] };
        const rows = planned(single);
        const away = { ...scene.away, [who]: [...(scene.away[who] ?? []), [when.from, when.to] as const] };
        const after = planned({ ...single, away, rows });
        const hit = (row: ShiftRow) =>
          row.userId === who &&
          row.from > scene.at * DAY &&
          overlap(row, { from: when.from * DAY, to: when.to * DAY });
        for (const row of rows) {
          if (row.userId === null) continue;
          const now = after.find(({ id }) => id === row.id);
          assert.ok(now, 'shifts keep their ids');
          if (hit(row)) assert.ok(!hit(now), 'nobody has a piece of a shift for which they are away');
          else assert.equal(now.userId, row.userId);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is taken over by somebody without an adjacent shift', () => {
    const stages = [['A', 'B', 'C', 'D']];
    const rows = planned({ stages, to: 8 });
    const after = planned({ stages, to: 8, rows, away: { C: [[2, 3]] } });
    assert.equal(letters(rows), 'ABCDABCD');
    assert.equal(letters(after), 'ABADABCD');
    assert.equal(
      letters(planned({ stages, to: 12, rows: after, away: { C: [[2, 3]] } })),
      'ABADABCDCABC',
      'C gets the day back',
    );
  });

  it('from time that a shift did not have before leaves that time to nobody who is away', () => {
    const stages = [['A', 'B']];
    const windows = [0, 1, 2, 3, 4, 5].map((day) => [day, day + 0.5] as const);
    const rows = planned({ stages, windows, to: 6, cover: 'propose' });
    assert.equal(letters(rows), 'ABABAB');
    // Day 2 was A's. With shifts of two days, the shift continues to day 3.
    const longer = { stages, windows, to: 6, length: 2, cover: 'propose' as const, rows };
    assert.equal(letters(planned(longer)), 'AAAAAA');
    assert.equal(letters(planned({ ...longer, away: { A: [[3, 3.2]] } })), 'AABBAA');
    assert.equal(
      letters(planned({ ...longer, away: { A: [[2, 2.2]] } })),
      'AAAAAA',
      'a cover says who takes it',
    );
  });
});
