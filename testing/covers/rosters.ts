import fc from 'fast-check';
import type { Vacancy } from '../../src/covers/repair.ts';
import { cut, intersects } from '../../src/kit/interval.ts';
import { apartOf } from '../../src/schedules/apart.ts';
import { needsNoRest } from '../../src/schedules/eligibility.ts';
import type { Limits } from '../../src/schedules/limits.ts';
import { isSeat, type Move, type Roster, type Seated, type Stint } from '../../src/schedules/roster.ts';
import { limitsOfPerson, type PlanRules, USUAL_RULES } from '../../src/schedules/rules.ts';
import { meetByHand } from '../schedules/juniors-by-hand.ts';
import { exceededByHand } from '../schedules/limits-by-hand.ts';

/** In small rosters, all times are multiples of two hours. */
const CELL = 7_200_000;
const PEOPLE = ['a', 'b', 'c', 'd', 'e'];

export type SmallScene = { roster: Roster; vacancies: Vacancy[] };

/** Rosters small enough to try all repairs: two stages, a few shifts of two or three cells, few eligible people. */
export const smallRotas = fc
  .record({
    turns: fc.tuple(...[0, 1].map(() => fc.array(fc.nat(PEOPLE.length), { minLength: 2, maxLength: 4 }))),
    members: fc.tuple(...[0, 1].map(() => fc.shuffledSubarray(PEOPLE, { minLength: 1, maxLength: 4 }))),
    away: fc.array(
      fc.record({
        who: fc.constantFrom(...PEOPLE),
        from: fc.integer({ min: 0, max: 9 }),
        long: fc.integer({ min: 1, max: 5 }),
      }),
      { maxLength: 7 },
    ),
    length: fc.constantFrom(2, 2, 3),
    rest: fc.constantFrom(0, 0, 1, 2),
    limits: fc.constantFrom<Limits>(
      ...[{}, {}, {}, { shiftsPerWeek: 2 }, { shiftsInARow: 1 }, { shiftsInARow: 2 }, { hoursPerWeek: 9 }],
      ...[{ shiftsPerWeek: 1, hoursPerWeek: 6 }, { nightsInARow: 1 }],
      // The week has 72 hours before the scene begins, and 96 from then on.
      ...[{ weeklyRestHours: 90 }, { averageHoursPerWeek: 4, averageWeeks: 2 }],
    ),
    others: fc.constantFrom<PlanRules['people']>(
      ...[{}, {}, { a: { limits: { shiftsPerWeek: 1 } } }, { b: { limits: { shiftsInARow: null } } }],
    ),
    apart: fc.constantFrom<string[][]>(
      ...[[], [], [], [['a', 'b']], [['b', 'c', 'd']], [PEOPLE]],
      ...[
        [
          ['a', 'b'],
          ['b', 'c'],
        ],
        [
          ['a', 'd'],
          ['b', 'c'],
        ],
      ],
    ),
    stands: fc.array(fc.nat(7), { maxLength: 2 }),
    vacancies: fc.array(
      fc.record({ which: fc.nat(7), part: fc.constantFrom('all', 'all', 'begin', 'end'), not: fc.nat(40) }),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(sceneOf)
  .filter(({ vacancies }) => vacancies.length > 0);

type Facts = {
  turns: number[][];
  members: string[][];
  away: { who: string; from: number; long: number }[];
  length: number;
  rest: number;
  limits: Limits;
  others: PlanRules['people'];
  apart: string[][];
  stands: number[];
  vacancies: { which: number; part: string; not: number }[];
};

function sceneOf({
  turns,
  members,
  away,
  length,
  rest,
  limits,
  others,
  apart,
  stands,
  vacancies,
}: Facts): SmallScene {
  const stints: Stint[] = [];
  for (const [stage, line] of turns.entries())
    for (const [at, who] of line.entries()) {
      const span = { from: at * length * CELL, to: (at + 1) * length * CELL };
      const person = PEOPLE[who] ?? null;
      const isTaken = stints.some((other) => other.userId === person && intersects(other, span));
      stints.push({ stage: stage + 1, seat: 1, ...span, userId: isTaken ? null : person });
    }
  for (const which of stands) {
    const stint = stints[which % stints.length];
    if (stint) stint.stands = true;
  }
  const found = new Map<Stint, Vacancy>();
  const absences = Map.groupBy(
    away.map(({ who, from, long }) => ({
      ...{ who, id: '', name: '' },
      ...{ from: from * CELL, to: (from + long) * CELL },
    })),
    ({ who }) => who,
  );
  for (const { which, part, not } of vacancies) {
    const stint = stints[which % stints.length];
    if (!stint || stint.userId === null || found.has(stint)) continue;
    const { stage, seat, userId } = stint;
    const from = part === 'end' ? stint.from + CELL : stint.from;
    const to = part === 'begin' ? stint.to - CELL : stint.to;
    const declined = PEOPLE[not];
    found.set(stint, { stage, seat, from, to, userId, not: declined ? [declined] : [] });
    absences.set(userId, [...(absences.get(userId) ?? []), { who: userId, id: '', name: '', from, to }]);
  }
  const roster: Roster = {
    ...{ stints, absences, wishes: new Map(), elsewhere: new Map(), restMs: rest * CELL },
    members: new Map(members.map((own, stage) => [stage + 1, own])),
    seats: new Map(turns.map((_, stage) => [stage + 1, 1])),
    rules: { ...USUAL_RULES, limits, people: others ?? {}, timeZone: 'UTC' },
    apart: apartOf(apart.map((people) => ({ why: 'apart' as const, people }))),
  };
  return { roster, vacancies: [...found.values()] };
}

/**
 * The least uncovered time in cells, of which those of stage 1 weigh three times as much, and the fewest changes for
 * it.
 */
export type Least = { uncovered: number; changes: number };

function uncoveredOf({ members }: Roster, cells: readonly Seated[]): number {
  const highest = Math.max(...members.keys());
  return cells.reduce((sum, { stage, from, to }) => sum + ((to - from) / CELL) * 3 ** (highest - stage), 0);
}

/** A cell of a shift that may be given to another person. */
type Cell = Seated & { stint: number; userId: string; vacancy: Vacancy | null };
type Held = Cell & { who: string };

/**
 * The optimum by brute force over all assignments with at most `most` changes. It has its own rules about which shifts
 * one person cannot have together, to check those of the solver.
 */
export function leastByTrying(scene: SmallScene, most: number): Least | null {
  const cells = cellsOf(scene);
  const vacantCells = cells.filter(({ vacancy }) => vacancy);
  const levels = new Set([0]);
  for (const cell of vacantCells)
    for (const sum of [...levels]) levels.add(sum + uncoveredOf(scene.roster, [cell]));
  for (const uncovered of [...levels].sort((a, b) => a - b))
    for (let changes = 0; changes <= most; changes++)
      if (exists(scene, cells, uncovered, changes)) return { uncovered, changes };
  return null;
}

function cellsOf({ roster, vacancies }: SmallScene): Cell[] {
  const cells = roster.stints.flatMap((stint, index): Cell[] => {
    const { stage, seat, userId } = stint;
    if (userId === null) return [];
    const vacancy = vacancies.find((one) => isSeat(one, stint) && intersects(one, stint)) ?? null;
    const isAway = (roster.absences.get(userId) ?? []).some((absence) => intersects(absence, stint));
    if (!vacancy && (isAway || stint.stands)) return [];
    const span = vacancy ?? stint;
    return Array.from({ length: (span.to - span.from) / CELL }, (_, at) => {
      const from = span.from + at * CELL;
      return { stage, seat, from, to: from + CELL, stint: index, userId, vacancy };
    });
  });
  return cells.sort((a, b) => a.stage - b.stage || a.from - b.from);
}

function exists(scene: SmallScene, cells: readonly Cell[], uncovered: number, changes: number): boolean {
  const unaffected = unaffectedOf(scene, cells);
  const held: Held[] = [];
  const decide = (index: number, left: number, open: number): boolean => {
    const cell = cells[index];
    if (!cell) return withinLimits(scene, held, unaffected);
    const before = held.at(-1);
    for (const who of [cell.userId, ...(scene.roster.members.get(cell.stage) ?? [])]) {
      const isKept = who === cell.userId;
      if (isKept && held.length > index) continue;
      const goesOn = before?.stint === cell.stint && before.to === cell.from && before.who === who;
      const cost = isKept || goesOn ? 0 : 1;
      const lost = isKept && cell.vacancy ? uncoveredOf(scene.roster, [cell]) : 0;
      if (cost > left || lost > open) continue;
      if (!isKept && !mayTake(scene, cell, who)) continue;
      const next = { ...cell, who };
      if ([...held, ...unaffected].some((other) => excludes(scene, next, other, held))) continue;
      held.push(next);
      if (decide(index + 1, left - cost, open - lost)) return true;
      held.pop();
    }
    return false;
  };
  return decide(0, changes, uncovered);
}

/** Cells that cannot be given to others. */
function unaffectedOf({ roster }: SmallScene, cells: readonly Cell[]): Held[] {
  return roster.stints.flatMap((stint, index): Held[] => {
    if (stint.userId === null) return [];
    const { stage, seat, userId } = stint;
    const parts: Held[] = [];
    for (let from = stint.from; from < stint.to; from += CELL)
      if (!cells.some((cell) => cell.stint === index && cell.from === from))
        parts.push({
          ...{ stage, seat, from, to: from + CELL, stint: index },
          userId,
          vacancy: null,
          who: userId,
        });
    return parts;
  });
}

function mayTake({ roster, vacancies }: SmallScene, cell: Cell, who: string): boolean {
  const declined = cell.vacancy ? cell.vacancy.not : vacancies.flatMap(({ not }) => not);
  if (declined.includes(who)) return false;
  return !(roster.absences.get(who) ?? []).some((absence) => intersects(absence, cell));
}

function excludes(scene: SmallScene, a: Held, b: Held, held: readonly Held[]): boolean {
  const [gainsA, gainsB] = [a.who !== a.userId, b.who !== b.userId];
  // Shifts that the person already has may stay together: an absent person keeps a shift that nobody takes.
  if (!gainsA && !gainsB) return false;
  if (a.who !== b.who)
    return groupsOf(scene).some((group) =>
      meetByHand(
        group,
        [a, b].map(({ from, to, who }) => ({ from, to, userId: who })),
      ),
    );
  const pause = Math.max(a.from - b.to, b.from - a.to);
  if (pause < 0) return true;
  if (a.stint === b.stint && (pause === 0 || isOneStretch(a, b, held))) return false;
  const { roster } = scene;
  const rests = (one: Held) => one.who !== one.userId && !needsNoRest(roster, one.stage);
  return pause < roster.restMs && (rests(a) || rests(b));
}

function isOneStretch(a: Held, b: Held, held: readonly Held[]): boolean {
  const [first, last] = a.from < b.from ? [a, b] : [b, a];
  for (let from = first.to; from < last.from; from += CELL)
    if (!held.some((one) => one.stint === a.stint && one.from === from && one.who === a.who)) return false;
  return true;
}

function withinLimits({ roster }: SmallScene, held: readonly Held[], unaffected: readonly Held[]): boolean {
  const all = [...held, ...unaffected];
  return [...new Set(held.map(({ who }) => who))].every((who) => {
    const mine = all.filter((one) => one.who === who);
    const shifts = [...Map.groupBy(mine, ({ stint }) => stint)].flatMap(([stint, spans]) => {
      const whole = roster.stints[stint];
      return whole ? [{ from: whole.from, to: whole.to, spans }] : [];
    });
    const gained = shifts.filter(({ spans }) => spans.some(({ userId }) => userId !== who));
    return exceededByHand(limitsOfPerson(roster.rules, who), shifts, gained).length === 0;
  });
}

/** Who has what after some moves. `stint`: the index of the shift; `isGained`: by one of these moves. */
function heldAfter({ roster }: SmallScene, moves: readonly Move[]) {
  return roster.stints.flatMap((stint, index) => {
    const own = moves.filter((move) => isSeat(move, stint) && intersects(move, stint));
    const left = own.reduce<Seated[]>(
      (parts, move) => parts.flatMap((part) => cut(part, move)),
      [{ stage: stint.stage, seat: stint.seat, from: stint.from, to: stint.to }],
    );
    return [
      ...left.map((span) => ({ ...span, who: stint.userId, stint: index, isGained: false })),
      ...own.map((move) => ({ ...move, who: move.gains, stint: index, isGained: true })),
    ];
  });
}

/** Whether a person who gains something by these moves is on call together with somebody they are kept apart from. */
export function peopleApartMeetAfter(scene: SmallScene, moves: readonly Move[]): boolean {
  const held = heldAfter(scene, moves);
  const had = (some: typeof held) =>
    some.flatMap(({ from, to, who }) => (who === null ? [] : [{ from, to, userId: who }]));
  const gained = held.filter(({ isGained }) => isGained);
  return groupsOf(scene).some((group) => meetByHand(group, had(held), had(gained)));
}

function groupsOf({ roster }: SmallScene): string[][] {
  return (roster.apart ?? []).map(({ people }) => [...people]);
}

/** The limits that people exceed who gain something by these moves, counted by hand. */
export function exceededAfter(scene: SmallScene, moves: readonly Move[]): string[] {
  const { roster } = scene;
  const held = heldAfter(scene, moves);
  return [...new Set(moves.map(({ gains }) => gains))].flatMap((who) => {
    const mine = held.filter((one) => one.who === who);
    const shifts = [...Map.groupBy(mine, ({ stint }) => stint)].flatMap(([stint, spans]) => {
      const whole = roster.stints[stint];
      return whole ? [{ from: whole.from, to: whole.to, spans }] : [];
    });
    const gained = shifts.filter(({ spans }) => spans.some(({ isGained }) => isGained));
    return exceededByHand(limitsOfPerson(roster.rules, who), shifts, gained);
  });
}

/** The cells that the moves leave uncovered, and the number of changes. */
export function resultOf({ roster, vacancies }: SmallScene, moves: readonly Move[]): Least {
  const left = vacancies.flatMap((vacancy) =>
    moves
      .filter((move) => isSeat(move, vacancy))
      .reduce<Seated[]>(
        (parts, move) => parts.flatMap((part) => cut(part, move)),
        [{ stage: vacancy.stage, seat: vacancy.seat, from: vacancy.from, to: vacancy.to }],
      ),
  );
  return { uncovered: uncoveredOf(roster, left), changes: moves.length };
}
