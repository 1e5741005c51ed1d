import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DAY, planned, type Scene } from '../../testing/planning/scene.ts';
import type { ShiftRow } from '../schedules/difference.ts';

const CREW = ['A', 'B', 'C', 'D', 'E', 'F'];
const crew = fc.integer({ min: 2, max: 6 }).map((count) => CREW.slice(0, count));

function turns(rows: readonly ShiftRow[], who: string, since = 0): number {
  return rows.filter(({ plannedUserId, from }) => plannedUserId === who && from >= since * DAY).length;
}

/** The difference between the numbers of turns of these people. */
function spread(rows: readonly ShiftRow[], people: readonly string[], since = 0): number {
  const counts = people.map((who) => turns(rows, who, since));
  return Math.max(...counts) - Math.min(...counts);
}

/** Absences of a shift or more, at most one at a time over all people, with time to come back from each. */
const absences = fc
  .array(fc.record({ who: fc.constantFrom(...CREW), length: fc.integer({ min: 1, max: 3 }) }), {
    maxLength: 8,
  })
  .map((list) => list.map(({ who, length }, index) => ({ who, from: 6 + index * 16, length })));

function sceneOf(
  members: readonly string[],
  away: readonly { who: string; from: number; length: number }[],
): Scene {
  const spans = Map.groupBy(
    away.filter(({ who }) => members.includes(who)),
    ({ who }) => who,
  );
  const all = [...spans].map(([who, list]) => [
    who,
    list.map(({ from, length }) => [from + 0.2, from + length - 0.2] as const),
  ]);
  return { stages: [members], away: Object.fromEntries(all), to: 160 };
}

describe('turns of a rotation over a long time', () => {
  it('are equal for people who are always present', () => {
    fc.assert(
      fc.property(crew, absences, (members, away) => {
        const rows = planned(sceneOf(members, away));
        const present = members.filter((who) => !away.some((absence) => absence.who === who));
        if (present.length > 0) assert.ok(spread(rows, present) <= 1, JSON.stringify(present));
      }),
    );
  });

  it('are equal for a person who is sometimes away for a shift: every skipped turn is made up', () => {
    fc.assert(
      fc.property(
        crew.filter(({ length }) => length > 2),
        absences,
        (members, away) => {
          const short = away.map((absence) => ({ ...absence, length: 1 }));
          const rows = planned(sceneOf(members, short));
          assert.ok(spread(rows, members) <= 1, rows.map(({ userId }) => userId).join(''));
          const skipped = rows.flatMap(({ reason }) => (reason?.rule === 'turn' ? reason.skipped : []));
          const returned = rows.filter(({ reason }) => reason?.rule === 'owed');
          assert.ok(skipped.length - returned.length <= 1, 'one may still be owed at the end');
        },
      ),
    );
  });

  it('are lost for a long absence except for one turn, whenever the person returns', () => {
    fc.assert(
      fc.property(
        crew.filter(({ length }) => length > 2),
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 1, max: 20 }),
        (members, from, length) => {
          const rows = planned({
            stages: [members],
            away: { A: [[from + 0.2, from + length - 0.2]] },
            to: 90,
          });
          const isSkip = ({ user_id, because }: { user_id: string; because: string }) =>
            user_id === 'A' && because === 'unavailable';
          const skips = rows.filter(
            ({ reason }) => reason?.rule === 'turn' && reason.skipped.some(isSkip),
          ).length;
          const most = Math.max(...members.map((who) => turns(rows, who)));
          const lost = Math.max(0, skips - 1);
          assert.ok(turns(rows, 'A') + lost >= most - 1, rows.map(({ userId }) => userId).join(''));
        },
      ),
    );
  });

  it('come back at the first possible shift, without two in a row', () => {
    fc.assert(
      fc.property(
        crew.filter(({ length }) => length > 2),
        absences,
        (members, away) => {
          const rows = planned(sceneOf(members, away));
          for (const [index, { reason }] of rows.entries())
            for (const { user_id } of reason?.rule === 'turn' ? reason.skipped : []) {
              const isAway = (at: number) =>
                away.some(({ who, from, length }) => who === user_id && at >= from && at < from + length);
              const next = rows.findIndex((_, at) => at > index && !isAway(at));
              if (next !== -1) assert.equal(rows[next]?.userId, user_id, `owed at ${next}`);
            }
        },
      ),
    );
  });

  it('are not made up at the expense of others when somebody takes over: the plan does not change', () => {
    fc.assert(
      fc.property(
        crew,
        absences,
        fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.constantFrom(...CREW))),
        (members, away, takers) => {
          const scene = sceneOf(members, away);
          const overrides = takers.map(([from, who]) => ({ who, from, to: from + 2 }));
          const whose = (rows: readonly ShiftRow[]) =>
            new Map(
              rows.flatMap(({ planned: whole, plannedUserId }) =>
                whole ? [[whole.from, plannedUserId]] : [],
              ),
            );
          assert.deepEqual(whose(planned({ ...scene, overrides })), whose(planned(scene)));
        },
      ),
    );
  });

  it('are equal again from the day on which somebody joined or left', () => {
    fc.assert(
      fc.property(crew, fc.integer({ min: 3, max: 20 }), fc.boolean(), (members, at, joins) => {
        const [before, after] = joins ? [members, [...members, 'Z']] : [[...members, 'Z'], members];
        const rows = planned({ stages: [before], to: at });
        const then = planned({ stages: [after], plannedWith: [before], rows, from: 0, at, to: at + 60 });
        assert.ok(spread(then, after, at + 1) <= 1, then.map(({ userId }) => userId).join(''));
      }),
    );
  });
});
