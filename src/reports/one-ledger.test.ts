import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { ShiftRow } from '../schedules/plan/difference.ts';
import { planInputOf } from '../schedules/plan/revision.ts';
import { measurer } from '../schedules/plan/solver/burdens.ts';
import { problemOf } from '../schedules/plan/solver/problem.ts';
import { DAY, planned, type Scene, situationOf } from '../schedules/plan/testing.ts';
import { person, scenes, span } from '../schedules/plan/testing-scenes.ts';
import { type Carried, carryIn } from './carried.ts';
import type { Piece } from './places.ts';

const overridden = fc.array(
  fc
    .record({ who: person, stage: fc.integer({ min: 1, max: 3 }) })
    .chain((who) => span.map((when) => ({ ...who, ...when }))),
  { minLength: 1, maxLength: 6 },
);
const calendar = { timeZone: 'Europe/Berlin', holidays: new Set(['1970-01-06']) };

/** As reports read the rows of a schedule. */
function pieceOf({ stage, seat, userId, plannedUserId, from, to, planned: whole }: ShiftRow): Piece {
  const isTaken = userId !== plannedUserId;
  return {
    ...{ stage, seat, userId, from, to, whole: whole ?? { from, to } },
    ...{ isTaken, takenFrom: isTaken ? plannedUserId : null },
  };
}

it('the planner owes everybody what the reports say is missing to their share, with overrides as they were', () => {
  fc.assert(
    fc.property(scenes, overridden, (scene, overrides) => {
      const past: Scene = { ...scene, overrides };
      const rows = planned(past);
      const at = Math.max(...rows.map(({ to }) => to));
      const situation = { ...situationOf({ ...past, rows }), handoffs: [], overrides: [], at };
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
    }),
    { numRuns: 200 },
  );
});
