import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { DAY, planned, revise, rowsAfter, type Scene, situationOf } from '../../testing/planning/scene.ts';
import { type Drawn, openHours, overrideOf, quarterDays, scenes } from '../../testing/planning/scenes.ts';
import { planInputOf } from '../planning/revision.ts';
import { problemOf } from '../planning/solver/problem.ts';
import { measurer } from '../schedules/burdens.ts';
import type { ShiftRow } from '../schedules/difference.ts';
import { type Carried, carryIn } from './carried.ts';
import type { Piece } from './whole-shifts.ts';

const overridden = fc.array(overrideOf, { minLength: 1, maxLength: 6 });
const calendar = { timeZone: 'Europe/Berlin', holidays: new Set(['1970-01-06']) };

/** Shares of people, which change up to twice. */
const partShares = fc.dictionary(
  fc.constantFrom('A', 'B', 'C', 'D', 'E'),
  fc
    .array(
      fc.record({
        from: quarterDays(8).map((days) => days * DAY),
        percent: fc.integer({ min: 1, max: 100 }),
      }),
      {
        minLength: 1,
        maxLength: 2,
      },
    )
    .map((steps) => steps.toSorted((a, b) => a.from - b.from)),
);

type Overrides = NonNullable<Scene['overrides']>;

/** Planned once, and again some days later; only the first overrides are known from the beginning. */
function plannedTwice(scene: Scene, drawn: Overrides, known: number, later: number): ShiftRow[] {
  // Each keeps its id from plan to plan, because two overrides with the same id would count as one.
  const overrides = drawn.map((one, index) => ({ ...one, id: `override_${index}` }));
  const rows = planned({ ...scene, overrides: overrides.slice(0, known) });
  const { at: before = 0, length = 1 } = scene;
  const at = before + later;
  const then = situationOf({ ...scene, from: 0, at, rows, overrides: overrides.filter(({ to }) => to > at) });
  const handoffs = then.handoffs.filter((day) => day > (at - length) * DAY);
  return rowsAfter(rows, revise({ ...then, handoffs }));
}

/** Like the reports read the rows of a schedule. */
function pieceOf(row: ShiftRow): Piece {
  const { stage, seat, userId, plannedUserId, overrideId, from, to, planned: whole } = row;
  const isTaken = userId !== plannedUserId;
  return {
    ...{ stage, seat, userId, overrideId, from, to, whole: whole ?? { from, to } },
    ...{ isTaken, takenFrom: isTaken ? plannedUserId : null, isOutside: whole === null },
  };
}

/**
 * A person was away only at the beginning of a shift, which an override had taken before the shift was first planned.
 */
const UNDER_WAY: Drawn<typeof scenes> = {
  ...{ strategy: 'rotation', stages: [[], [], ['B', 'E']], seats: [1, 1, 1], away: { E: [[0.5, 1.25]] } },
  ...{ wishes: [], restHours: 0, at: 1.25, length: 1, to: 8 },
};

/** Two consecutive overrides of one person, the second of which became known when the first had ended. */
const ONE_AFTER_THE_OTHER: Drawn<typeof scenes> = {
  ...{ strategy: 'rotation', stages: [['E'], []], seats: [1, 1, 1], away: {} },
  ...{ wishes: [], restHours: 0, at: 0, length: 1, to: 8 },
};

/**
 * An override of a member who is away, outside of the hours, ends in a shift that begins then because it is planned
 * late.
 */
const BESIDE_A_LATE_SHIFT: Drawn<typeof scenes> = {
  ...{ strategy: 'rotation', stages: [['B'], ['E']], seats: [1, 1, 1], away: { E: [[0, 2.25]] } },
  ...{ wishes: [], restHours: 0, at: 0.75, length: 2, to: 8 },
};

/** An override outside of the hours is stored in two rows, because another one became known in between. */
const IN_TWO_ROWS: Drawn<typeof scenes> = {
  ...{ strategy: 'rotation', stages: [[], ['A', 'B']], seats: [1, 2, 1], away: {} },
  ...{ wishes: [], restHours: 0, at: 0, length: 1, to: 8 },
};

it('the planner owes everybody the difference that the reports show, with overrides as they were', () => {
  fc.assert(
    fc.property(
      scenes,
      overridden,
      openHours,
      fc.nat(6),
      quarterDays(6),
      partShares,
      (scene, overrides, windows, known, later, shares) => {
        const past: Scene = { ...scene, ...(windows ? { windows } : {}) };
        const rows = plannedTwice(past, overrides, known, later);
        const at = Math.max(...rows.map(({ to }) => to));
        const drawn = situationOf({ ...past, rows });
        const stages = drawn.stages.map((stage) => ({
          ...stage,
          members: stage.members.map((member) => {
            const share = shares[member.userId];
            return share ? { ...member, share } : member;
          }),
        }));
        const situation = { ...drawn, stages, handoffs: [], overrides: [], at };
        const { people, categories } = problemOf({ ...planInputOf(situation), calendar });
        const total = categories.find(({ name }) => name === 'total');
        const ledger = new Map<string, Carried>();
        const facts = {
          ...{ id: 's', calendar, weights: { night: 1, weekend: 1, holiday: 1 }, smallAbsenceMs: 0 },
          members: situation.stages.flatMap(({ stage, members }) =>
            members.map((member) => ({ ...member, stage })),
          ),
          pieces: rows.map(pieceOf),
        };
        const absences = new Map(
          [...situation.records].map(([userId, records]) => [
            userId,
            records.filter(({ type }) => type === 'hard_unavailable'),
          ]),
        );
        carryIn(ledger, facts, measurer(calendar), absences, { from: -DAY, to: at + DAY });
        for (const [index, userId] of people.entries()) {
          const { share, ofShare } = ledger.get(userId) ?? { share: 0, ofShare: 0 };
          const owed = total?.targets[index] ?? 0;
          assert.ok(
            Math.abs(owed - ((share ?? 0) - ofShare)) < 1e-9,
            `${userId}: ${owed}, ${share}, ${ofShare}`,
          );
        }
        const had = [...ledger.values()].reduce((sum, { shifts }) => sum + shifts, 0);
        const hours = rows.reduce((sum, { userId, from, to }) => sum + (userId === null ? 0 : to - from), 0);
        const measured = [...ledger.values()].reduce((sum, one) => sum + one.measured.all, 0);
        assert.ok(had > 0 || hours === 0);
        assert.equal(measured, hours, 'every hour is counted once');
      },
    ),
    {
      numRuns: 200,
      examples: [
        [UNDER_WAY, [{ who: 'A', stage: 3, from: 0.25, to: 1.25 }], undefined, 1, 1.25, {}],
        [
          ONE_AFTER_THE_OTHER,
          [
            { who: 'E', stage: 2, from: 0, to: 0.25 },
            { who: 'E', stage: 2, from: 0, to: 0.5 },
          ],
          [[8, 8.25]],
          1,
          0.25,
          {},
        ],
        [
          BESIDE_A_LATE_SHIFT,
          [
            { who: 'E', stage: 2, from: 0, to: 3 },
            { who: 'A', stage: 1, from: 0, to: 0.25 },
          ],
          [
            [0, 2.75],
            [3, 3.25],
          ],
          0,
          2,
          {},
        ],
        [
          IN_TWO_ROWS,
          [
            { who: 'A', stage: 2, from: 1, to: 4.25 },
            { who: 'E', stage: 2, from: 2.75, to: 4 },
            { who: 'B', stage: 2, from: 4, to: 4.25 },
          ],
          [[0, 0.25]],
          2,
          4,
          {},
        ],
      ],
    },
  );
});
