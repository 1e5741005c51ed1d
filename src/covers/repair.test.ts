import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { intersects } from '../kit/interval.ts';
import { mayBeProposed } from '../schedules/eligibility.ts';
import { after, type Move, type Roster, type Stint } from '../schedules/roster.ts';
import { USUAL_RULES } from '../schedules/rules.ts';
import { type Repair, smallestRepair, type Vacancy } from './repair.ts';

const PEOPLE = ['a', 'b', 'c', 'd'];

/** Two stages with shifts of four hours. `turns` by stage: who has each shift; `.` is nobody. */
function rosterOf(
  turns: readonly string[],
  facts: { away?: Record<string, [number, number][]>; restMs?: number; members?: string[][] } = {},
): Roster {
  const stints = turns.flatMap((line, stage) =>
    [...line].map(
      (who, at): Stint => ({
        stage: stage + 1,
        seat: 1,
        from: at * 4,
        to: at * 4 + 4,
        userId: who === '.' ? null : who,
      }),
    ),
  );
  return {
    stints,
    members: new Map(turns.map((_, stage) => [stage + 1, facts.members?.[stage] ?? PEOPLE])),
    seats: new Map(turns.map((_, stage) => [stage + 1, 1])),
    absences: new Map(
      Object.entries(facts.away ?? {}).map(([who, spans]) => [
        who,
        spans.map(([from, to]) => ({ id: `${who}${from}`, name: '', from, to })),
      ]),
    ),
    wishes: new Map(),
    elsewhere: new Map(),
    restMs: facts.restMs ?? 0,
    rules: { ...USUAL_RULES, timeZone: 'UTC' },
  };
}

const vacancy = (userId: string, from: number, to: number, stage = 1): Vacancy => ({
  stage,
  seat: 1,
  from,
  to,
  userId,
  not: [],
});
const told = (repair: Repair | null) =>
  repair?.moves.map(({ stage, from, to, gains }) => `${gains}${stage} ${from}-${to}`).join(', ');

describe('the smallest repair', () => {
  it('is one person for all of it, if possible: the one with the least work around that time', () => {
    const roster = rosterOf(['abca', 'dddd'], { away: { a: [[0, 4]] } });
    assert.deepEqual(smallestRepair(roster, vacancy('a', 0, 4), -1), {
      moves: [{ stage: 1, seat: 1, from: 0, to: 4, gains: 'b' }],
      complete: true,
      proven: true,
    });
  });

  it('is two people for a part each if nobody can do all of it', () => {
    const away = { a: [[0, 4]], b: [[2, 4]], c: [[0, 2]] } as Record<string, [number, number][]>;
    const repair = smallestRepair(
      rosterOf(['abc', 'ddd'], { away, members: [['a', 'b', 'c']] }),
      vacancy('a', 0, 4),
      -1,
    );
    assert.equal(told(repair), 'b1 0-2, c1 2-4');
    assert.equal(repair?.proven, true);
  });

  it('lets a person take it whose own shift goes to a third person', () => {
    const members = [
      ['a', 'b'],
      ['b', 'c'],
    ];
    const repair = smallestRepair(
      rosterOf(['.a', '.b'], { members, away: { a: [[4, 8]] } }),
      vacancy('a', 4, 8),
      0,
    );
    assert.equal(told(repair), 'c2 4-8, b1 4-8');
  });

  it('exchanges two shifts if rest prevents one person from having both', () => {
    const roster = rosterOf(['abab'], { restMs: 4, members: [['a', 'b']], away: { a: [[8, 12]] } });
    assert.equal(told(smallestRepair(roster, vacancy('a', 8, 12), 0)), undefined);
    const three = rosterOf(['.a.b.'], { restMs: 5, members: [['a', 'b']], away: { a: [[4, 8]] } });
    assert.equal(told(smallestRepair(three, vacancy('a', 4, 8), 0)), 'a1 12-16, b1 4-8');
  });

  it('covers as much as possible, and nothing if nobody can take it', () => {
    const away = { a: [[0, 4]], b: [[0, 3]] } as Record<string, [number, number][]>;
    const roster = rosterOf(['aaa'], { members: [['a', 'b']], away });
    const repair = smallestRepair(roster, vacancy('a', 0, 4), -1);
    assert.deepEqual([told(repair), repair?.complete], ['b1 3-4', false]);
    assert.equal(smallestRepair(rosterOf(['aaa'], { members: [['a']], away }), vacancy('a', 0, 4), -1), null);
    assert.equal(smallestRepair(roster, { ...vacancy('a', 0, 4), not: ['b'] }, -1), null);
  });

  it('breaks no rule and has the fewest changes, compared with all possibilities', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', '.'), minLength: 4, maxLength: 4 });
    const away = fc.array(
      fc.tuple(fc.constantFrom(...PEOPLE), fc.integer({ min: 0, max: 14 }), fc.integer({ min: 1, max: 6 })),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(
        line,
        line,
        away,
        fc.constantFrom(0, 2, 4),
        fc.nat(3),
        (first, second, records, restMs, which) => {
          const turns = [first, [...second].map((who, at) => (who === first[at] ? '.' : who)).join('')];
          const who = first[which] ?? '.';
          fc.pre(who !== '.');
          const place = vacancy(who, which * 4, which * 4 + 4);
          const spans = (person: string) =>
            records
              .filter(([name]) => name === person)
              .map(([, from, long]): [number, number] => [from, from + long]);
          const roster = rosterOf(turns, {
            restMs,
            away: {
              ...Object.fromEntries(PEOPLE.map((person) => [person, spans(person)])),
              [who]: [[place.from, place.to]],
            },
          });
          const repair = smallestRepair(roster, place, -1);
          const fewest = fewestChanges(roster, place);
          for (const move of repair?.moves ?? [])
            assert.ok(
              mayBeProposed(after(roster, repair?.moves ?? []), move.gains, move),
              told(repair) ?? '',
            );
          if (fewest !== null) {
            assert.deepEqual(
              [repair?.complete, repair?.moves.length, repair?.proven],
              [true, fewest, true],
              told(repair) ?? 'none',
            );
          } else assert.ok(!repair?.complete || repair.moves.length > 2);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

/** Tries every one and two changes; null if more are needed. */
function fewestChanges(roster: Roster, place: Vacancy): number | null {
  const works = (moves: Move[]) => {
    const next = after(roster, moves);
    return moves.every((move) => mayBeProposed(next, move.gains, move));
  };
  const take = (gains: string, from = place.from, to = place.to): Move => ({
    stage: place.stage,
    seat: place.seat,
    from,
    to,
    gains,
  });
  const others = PEOPLE.filter((who) => who !== place.userId);
  if (others.some((who) => works([take(who)]))) return 1;
  for (let cut = place.from + 1; cut < place.to; cut++)
    if (
      others.some((one) =>
        others.some((two) => one !== two && works([take(one, place.from, cut), take(two, cut)])),
      )
    )
      return 2;
  for (const one of others)
    for (const { stage, seat, from, to, userId } of roster.stints)
      if (userId === one && !intersects({ from: -1, to: 0 }, { from, to }))
        for (const two of PEOPLE)
          if (two !== one && works([{ stage, seat, from, to, gains: two }, take(one)])) return 2;
  return null;
}
