/**
 * `npm run bench -- planning [quick]`: quality and speed of planning and repairing fair schedules on this machine,
 * compared with the greedy planner on the same instances. `npm test` runs the short form, `quick`.
 */
import fc from 'fast-check';
import { compareCosts } from '../src/optimizer/levels.ts';
import type { Choice } from '../src/optimizer/program.ts';
import { programsHere } from '../src/optimizer/programs.ts';
import { costsOf } from '../src/planning/solver/costs.ts';
import { greedyChoice, solvePlan } from '../src/planning/solver/planning.ts';
import { type Problem, type ProblemInput, problemOf } from '../src/planning/solver/problem.ts';
import type { Solution } from '../src/planning/solver/solution.ts';
import { heldBy, termsOf, totalOf } from '../src/planning/solver/valuation.ts';
import { bruteForce, inputOf } from '../testing/planning/problems.ts';
import type { Scene } from '../testing/planning/scene.ts';
import { smallScenes } from '../testing/planning/small-scenes.ts';
import { line } from './figures.ts';
import { measureRepairs } from './repairs.ts';

const isQuick = process.argv[2] === 'quick';
const programs = programsHere();
const WEEK = 7;

type Instance = { name: string; people: number; length: number; days: number; restHours: number };

const INSTANCES: Instance[] = [
  { name: 'weekly, 2 stages, 10 people, 26 weeks', people: 10, length: WEEK, days: 182, restHours: 24 },
  { name: 'daily, 2 stages, 10 people, 26 weeks', people: 10, length: 1, days: 182, restHours: 24 },
  { name: 'daily, no rest asked for', people: 10, length: 1, days: 182, restHours: 0 },
  { name: 'weekly, 2 stages, 50 people, 52 weeks', people: 50, length: WEEK, days: 364, restHours: 24 },
  { name: 'weekly, 2 stages, 5 people, 26 weeks', people: 5, length: WEEK, days: 182, restHours: 24 },
];
const QUICK: Instance[] = [
  { name: 'weekly, 2 stages, 6 people, 8 weeks', people: 6, length: WEEK, days: 56, restHours: 24 },
];

await compareWithBruteForce(isQuick ? 5 : 300);
line(
  '',
  'shifts',
  'time',
  'of it CPU',
  'gap',
  'solver',
  'greedy',
  'nobody',
  '(greedy)',
  'spread',
  '(greedy)',
);
const planned: { name: string; input: ProblemInput; solution: Solution }[] = [];
for (const instance of isQuick ? QUICK : INSTANCES)
  for (const seed of isQuick ? [1] : [1, 2, 3]) {
    const { input, solution } = await measure(instance, seed);
    if (seed === 1 && instance.restHours > 0 && instance.people > 5)
      planned.push({ ...instance, input, solution });
  }
for (const { name, input, solution } of planned)
  if (!(await measureRepairs(programs, name, input, solution))) process.exitCode = 1;

async function compareWithBruteForce(runs: number): Promise<void> {
  let agreed = 0;
  for (const scene of fc.sample(smallScenes, { numRuns: runs, seed: 11 })) {
    const input = inputOf(scene);
    const problem = problemOf(input);
    const { terms, gap } = await solvePlan(programs, input);
    if (gap === 0 && compareCosts(costsOf(problem, terms), bruteForce(problem)) === 0) agreed++;
  }
  line('small instances that agree with trying all plans', `${agreed} of ${runs}`);
  if (agreed < runs) process.exitCode = 1;
}

async function measure(
  instance: Instance,
  seed: number,
): Promise<{ input: ProblemInput; solution: Solution }> {
  const input = inputOf(sceneOf(instance, seed), ['1970-01-06', '1970-04-06', '1970-05-01', '1970-12-25']);
  const problem = problemOf(input);
  const greedy = greedyChoice(input, problem);
  const [begun, used] = [performance.now(), process.cpuUsage()];
  const solution = await solvePlan(programs, input);
  const seconds = (performance.now() - begun) / 1_000;
  const { user, system } = process.cpuUsage(used);
  const solved = choiceOf(problem, solution);
  const greedyTotal = greedy ? totalOf(termsOf(problem, greedy)) : Number.NaN;
  if (solution.objective > greedyTotal + 1e-3) process.exitCode = 1;
  line(
    `${instance.name} (${seed})`,
    String(problem.slots.length),
    `${seconds.toFixed(2)} s`,
    // Processor time, which means more than elapsed time when the machine has other load.
    `${((user + system) / 1_000_000).toFixed(2)} s`,
    solution.gap === null ? 'none' : `${(solution.gap * 100).toFixed(3)} %`,
    solution.objective.toFixed(0),
    greedyTotal.toFixed(0),
    nobody(solved),
    greedy ? nobody(greedy) : '-',
    spread(problem, solved),
    greedy ? spread(problem, greedy) : '-',
  );
  return { input, solution };
}

function choiceOf(problem: Problem, { shifts }: Solution): Choice {
  const byPlace = new Map(shifts.map(({ stage, seat, to, userId }) => [`${stage} ${seat} ${to}`, userId]));
  return problem.slots.map(({ place: { stage, seat, to } }) =>
    problem.people.indexOf(byPlace.get(`${stage} ${seat} ${to}`) ?? ''),
  );
}

function nobody(choice: Choice): string {
  return String(choice.filter((person) => person === -1).length);
}

/** The largest difference from a fair share between two people, in shifts, over all kinds of shifts. */
function spread(problem: Problem, choice: Choice): string {
  const held = heldBy(problem, choice);
  const spreads = problem.categories.map(({ counts, targets }) => {
    const beyond = held.map(
      (slots, person) => slots.filter((slot) => counts[slot]).length - (targets[person] ?? 0),
    );
    return Math.max(...beyond) - Math.min(...beyond);
  });
  return Math.max(...spreads).toFixed(1);
}

/**
 * People are away for about a tenth of the time, prefer not to be on call for as much, and ask to be on call for some,
 * in stretches of up to two weeks.
 */
function sceneOf({ people, length, days, restHours }: Instance, seed: number): Scene {
  const random = generator(seed);
  const names = Array.from({ length: people }, (_, index) => `P${String(index + 1).padStart(2, '0')}`);
  const stretches = (share: number, longest: number) => {
    const found: { from: number; to: number }[] = [];
    for (let total = 0; total < share * days; ) {
      const from = Math.floor(random() * days);
      const to = from + 1 + Math.floor(random() * longest);
      found.push({ from, to });
      total += to - from;
    }
    return found.sort((a, b) => a.from - b.from);
  };
  return {
    stages: [names, names],
    length,
    to: days,
    restHours,
    away: Object.fromEntries(
      names.map((name) => [name, stretches(0.1, 14).map(({ from, to }) => [from, to] as const)]),
    ),
    wishes: names.flatMap((who) => [
      ...stretches(0.08, 4).map((span) => ({ who, type: 'soft_unavailable' as const, ...span })),
      ...stretches(0.05, 3).map((span) => ({ who, type: 'requested' as const, ...span })),
    ]),
  };
}

/** Pseudorandom numbers from 0 to 1, the same for the same seed on every machine. */
function generator(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 4_294_967_296;
  };
}
