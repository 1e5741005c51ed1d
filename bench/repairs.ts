import { inTurn } from '../src/covers/in-turn.ts';
import { isOneChange, type Vacancy } from '../src/covers/repair.ts';
import { fewestChanges } from '../src/covers/repairs/fewest.ts';
import type { Programs } from '../src/optimizer/programs.ts';
import type { ProblemInput } from '../src/planning/solver/problem.ts';
import type { Solution } from '../src/planning/solver/solution.ts';
import type { Roster } from '../src/schedules/roster.ts';
import { line } from './figures.ts';

const DAY = 86_400_000;

/**
 * Duration and number of changes of the smallest repair after a late absence: for one shift at a time, for two weeks
 * and two months, and for a shift that takes at least three changes because everybody else is away or has another
 * shift. `false` when a repair is not proven to be the smallest.
 */
export async function measureRepairs(
  programs: Programs,
  name: string,
  input: ProblemInput,
  { shifts }: Solution,
): Promise<boolean> {
  const roster = rosterOf(input, shifts);
  const coming = shifts.flatMap(({ stage, seat, from, to, userId }): Vacancy[] =>
    userId === null || from < 14 * DAY ? [] : [{ stage, seat, from, to, userId, not: [] }],
  );
  const some = coming.filter((_, index) => index % Math.ceil(coming.length / 15) === 0);
  const tasks: [string, { roster: Roster; vacancies: Vacancy[] }[]][] = [
    [
      'one shift each',
      some.map((vacancy) => ({ roster: without(roster, vacancy, [vacancy]), vacancies: [vacancy] })),
    ],
    ['two weeks', [awayFor(roster, coming, 14)]],
    ['two months', [awayFor(roster, coming, 60)]],
    ['hardly anybody else', some.flatMap((vacancy) => hardly(roster, coming, vacancy)).slice(0, 3)],
  ];
  line(`repairs: ${name}`, 'vacancy', 'changes', '', 'nobody for', 'time', 'of it CPU');
  let proven = true;
  for (const [what, own] of tasks) {
    const results = [];
    for (const task of own) results.push(await repaired(programs, task.roster, task.vacancies));
    proven &&= results.every((result) => result.proven);
    const changes = results.map((result) => result.changes);
    line(
      `  ${what}`,
      String(own.reduce((sum, { vacancies }) => sum + vacancies.length, 0)),
      `${Math.min(...changes)}–${Math.max(...changes)}`,
      results.every((result) => result.proven) ? 'proven' : 'NOT PROVEN',
      String(Math.max(...results.map(({ open }) => open))),
      `${Math.max(...results.map(({ seconds }) => seconds)).toFixed(2)} s`,
      `${Math.max(...results.map(({ cpu }) => cpu)).toFixed(2)} s`,
    );
  }
  return proven;
}

/** Repairs as the duty does: by trying each member where that is enough, and otherwise with the solver. */
async function repaired(programs: Programs, roster: Roster, vacancies: readonly Vacancy[]) {
  const [begun, used] = [performance.now(), process.cpuUsage()];
  const repairs = inTurn(roster, vacancies, 0);
  const known = repairs.flatMap((repair) => repair?.moves ?? []);
  const isLeast = repairs.every((one) => one && (isOneChange(one) || (one.proven && vacancies.length === 1)));
  const found = isLeast
    ? { moves: known, proven: true, repairs }
    : await fewestChanges(programs, { roster, vacancies, at: 0, known });
  const { user, system } = process.cpuUsage(used);
  return {
    changes: found?.moves.length ?? 0,
    proven: found?.proven ?? false,
    open: found?.repairs.filter((repair) => !repair?.complete).length ?? vacancies.length,
    seconds: (performance.now() - begun) / 1_000,
    cpu: (user + system) / 1_000_000,
  };
}

function rosterOf(input: ProblemInput, shifts: Solution['shifts']): Roster {
  const ofType = (type: string) =>
    new Map([...input.records].map(([userId, own]) => [userId, own.filter((one) => one.type === type)]));
  const absences = [...ofType('hard_unavailable')].map(
    ([userId, own]) => [userId, own.map(({ from, to }) => ({ id: '', name: '', from, to }))] as const,
  );
  return {
    stints: shifts.map(({ stage, seat, from, to, userId }) => ({ stage, seat, from, to, userId })),
    members: new Map(input.stages.map(({ stage, members }) => [stage, members.map(({ userId }) => userId)])),
    seats: new Map(input.stages.map(({ stage, seats }) => [stage, seats])),
    absences: new Map(absences),
    ...{ wishes: new Map(), elsewhere: new Map(), restMs: input.restMs },
    rules: {
      limits: { shiftsPerWeek: null, shiftsPerMonth: null },
      elsewhere: 'avoid',
      timeZone: input.calendar.timeZone,
    },
  };
}

function without(
  roster: Roster,
  { userId }: Vacancy,
  spans: readonly { from: number; to: number }[],
): Roster {
  const own = roster.absences.get(userId) ?? [];
  const more = spans.map(({ from, to }) => ({ id: '', name: '', from, to }));
  return { ...roster, absences: new Map([...roster.absences, [userId, [...own, ...more]]]) };
}

/** The person with the first of these shifts is away from its start on. */
function awayFor(
  roster: Roster,
  coming: readonly Vacancy[],
  days: number,
): { roster: Roster; vacancies: Vacancy[] } {
  const [first] = coming;
  if (!first) throw new Error('the plan has no shifts');
  const away = { from: first.from, to: first.from + days * DAY };
  const vacancies = coming
    .filter(({ userId, from, to }) => userId === first.userId && from < away.to && away.from < to)
    .map((vacancy) => ({ ...vacancy, to: Math.min(vacancy.to, away.to) }));
  return { roster: without(roster, first, [away]), vacancies };
}

/**
 * A shift of stage 1 that only the person in stage 2 can take. Their shift can only be taken by the person who has the
 * next shift, must rest before it, and is not a member of stage 1.
 */
function hardly(
  roster: Roster,
  coming: readonly Vacancy[],
  vacancy: Vacancy,
): { roster: Roster; vacancies: Vacancy[] }[] {
  const busy = coming.find(({ stage, from }) => stage !== vacancy.stage && from === vacancy.from);
  const next = coming.find(({ stage, from }) => stage === busy?.stage && from === vacancy.to);
  if (!busy || !next || vacancy.stage !== 1 || new Set([vacancy.userId, busy.userId, next.userId]).size < 3)
    return [];
  const isBack = (userId: string) => userId === busy.userId || userId === next.userId;
  const people = [...new Set([...roster.members.values()].flat())];
  const absences = people.map((userId) => {
    const own = (roster.absences.get(userId) ?? []).filter(
      ({ from, to }) => !isBack(userId) || to <= vacancy.from || from >= next.to,
    );
    return [userId, isBack(userId) ? own : [...own, { ...vacancy, id: '', name: '' }]] as const;
  });
  const members = new Map([...roster.members, [1, people.filter((userId) => userId !== next.userId)]]);
  return [{ roster: { ...roster, absences: new Map(absences), members }, vacancies: [vacancy] }];
}
