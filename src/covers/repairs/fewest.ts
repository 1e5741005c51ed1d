import { intersects } from '../../kit/interval.ts';
import type { Choice } from '../../optimizer/program.ts';
import type { Programs } from '../../optimizer/programs.ts';
import { mayBeProposed } from '../../schedules/eligibility.ts';
import { after, isSeat, leftAlone, type Move, type Roster } from '../../schedules/roster.ts';
import type { Repair, Vacancy } from '../repair.ts';
import { modelOf, uncoveredBy } from './model.ts';
import { changesFor } from './needs.ts';
import { type Question, questionOf } from './segments.ts';

/** The input of a joint repair. `known`: changes that are possible together, from which the solver starts. */
export type RepairTask = {
  roster: Roster;
  vacancies: readonly Vacancy[];
  at: number;
  known: readonly Move[];
};

/** A repair for several vacancies together. `repairs`: by vacancy; `moves`: all moves, each once. */
export type JointRepair = { repairs: (Repair | null)[]; moves: Move[]; proven: boolean; seconds: number };

/** Solves repairs in worker threads, so that requests are still answered. */
export type RepairSolver = {
  /** Returns null if nothing was found in time. */
  fewestChanges(task: RepairTask): Promise<JointRepair | null>;
};

const REPAIR_SECONDS = 3;
/** The depth of the first search; each further one doubles it. */
const FIRST_DEPTH = 2;

/**
 * Finds the fewest changes that leave the least of some vacancies uncovered, by integer programs, and whether that is
 * proven. Searches only as deep as necessary, because more distant shifts need more changes. The same input gives the
 * same answer unless time runs out.
 * @returns null if the solver found nothing in time
 */
export async function fewestChanges(
  programs: Programs,
  { roster, vacancies, at, known }: RepairTask,
  timeLimitSeconds = REPAIR_SECONDS,
): Promise<JointRepair | null> {
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1_000;
  let best: JointRepair | null = null;
  let leastUncovered = Number.POSITIVE_INFINITY;
  let leaversAreFree = true;
  for (let depth = FIRST_DEPTH; ; depth *= 2) {
    const question = questionOf(roster, vacancies, at, { depth, leaversAreFree });
    const left = timeLimitSeconds - seconds();
    if (left <= 0) return best;
    const start = choiceOf(question, best?.moves ?? (arePossible(roster, known) ? known : []));
    const answer = await programs.solve({ model: modelOf(question), start, timeLimitSeconds: left });
    const moves = answer.choice && movesOf(question, answer.choice);
    if (!answer.choice || !moves || !arePossible(roster, moves)) return best;
    const isExact = answer.bounds.moves === moves.length && answer.bounds.coverage !== null;
    const proven = isExact && isProven(question, moves);
    const repairs = vacancies.map((vacancy) => repairOf(roster, vacancy, moves, proven));
    if (leaversAreFree && repairs.some((repair, index) => asksAgain(repair, vacancies[index]))) {
      // A person who declined one vacancy would be proposed for another: solve again, without new shifts for the
      // people who leave a vacancy.
      leaversAreFree = false;
      depth /= 2;
      continue;
    }
    const uncovered = uncoveredBy(question, answer.choice);
    // A deeper search that ran out of time may be worse than the one before.
    if (best && isBetter({ uncovered: leastUncovered, moves: best.moves }, { uncovered, moves })) return best;
    best = { repairs, moves, proven, seconds: seconds() };
    leastUncovered = uncovered;
    if (proven || question.isAll || !isExact) return best;
  }
}

type Outcome = { uncovered: number; moves: readonly Move[] };

/** Less uncovered time is better, then fewer changes. */
function isBetter(a: Outcome, b: Outcome): boolean {
  return a.uncovered < b.uncovered || (a.uncovered === b.uncovered && a.moves.length < b.moves.length);
}

/** Who has each segment after some changes; vacancies without a change stay uncovered. */
function choiceOf({ segments, stretches, people }: Question, moves: readonly Move[]): Choice {
  return segments.map((segment) => {
    const { vacancy, userId } = stretches[segment.stretch] ?? { vacancy: null, userId: '' };
    const move = moves.find(
      (one) => isSeat(one, segment) && one.from <= segment.from && segment.to <= one.to,
    );
    return move || !vacancy ? people.indexOf(move?.gains ?? userId) : -1;
  });
}

/** The stretches that people gain, each within one shift. */
function movesOf({ segments, stretches, people }: Question, choice: Choice): Move[] {
  const moves: (Move & { stretch: number })[] = [];
  for (const [index, { stretch, stage, seat, from, to }] of segments.entries()) {
    const gains = people[choice[index] ?? -1];
    if (gains === undefined || gains === stretches[stretch]?.userId) continue;
    const last = moves.at(-1);
    if (last?.stretch === stretch && last.to === from && last.gains === gains) last.to = to;
    else moves.push({ stretch, stage, seat, from, to, gains });
  }
  return moves.map(({ stretch: _, ...move }) => move);
}

/** Checks every answer against the rules before it is used. */
function arePossible(roster: Roster, moves: readonly Move[]): boolean {
  const result = after(roster, moves);
  if (!moves.every((move) => mayBeProposed(result, move.gains, move))) return false;
  if (!roster.onlyWith?.length) return true;
  // Nobody may lose their companion by a move.
  return moves.every((move) => {
    const without = after(
      roster,
      moves.filter((other) => other !== move),
    );
    return leftAlone(without, move.gains, move).length === 0;
  });
}

/**
 * A change `depth + 1` steps away from every vacancy is needed only by one `depth` steps away, and so on. It therefore
 * takes at least that many changes plus one for each vacancy that can be taken, and a solution with no more is optimal.
 */
function isProven(question: Question, moves: readonly Move[]): boolean {
  if (!question.isFine || !question.leaversAreFree) return false;
  if (question.isAll) return true;
  const { vacancies, segments, stretches, depth } = question;
  const takeable = segments.filter(({ stretch, takers }) => stretches[stretch]?.vacancy && takers.length > 0);
  const isTaken = takeable.every((segment) =>
    moves.some((move) => isSeat(move, segment) && intersects(move, segment)),
  );
  const least = vacancies.filter((vacancy) =>
    takeable.some((part) => isSeat(part, vacancy) && intersects(part, vacancy)),
  ).length;
  return isTaken && moves.length <= least + depth;
}

function asksAgain(repair: Repair | null, vacancy: Vacancy | undefined): boolean {
  return repair?.moves.some(({ gains }) => vacancy?.not.includes(gains)) ?? false;
}

function repairOf(roster: Roster, vacancy: Vacancy, moves: readonly Move[], proven: boolean): Repair | null {
  const own = moves.filter((move) => isSeat(move, vacancy) && intersects(move, vacancy));
  if (own.length === 0) return null;
  const covered = own.reduce((sum, { from, to }) => sum + to - from, 0);
  return {
    moves: changesFor(roster, vacancy, moves),
    complete: covered === vacancy.to - vacancy.from,
    proven,
  };
}
