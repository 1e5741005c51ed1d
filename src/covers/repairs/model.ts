import { intersects } from '../../kit/interval.ts';
import { Build, type Choice, type Entry, type Model } from '../../optimizer/program.ts';
import { excludes } from '../../schedules/eligibility.ts';
import { isSeat } from '../../schedules/roster.ts';
import { addLimits } from './limits.ts';
import type { Stretch } from './reach.ts';
import type { Question, Segment } from './segments.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const UNITS = { coverage: 1, moves: 1, rest: 1 } as const;
/** Relative gap at which the last level may stop, because the distribution of the load need not be proven optimal. */
const GOOD_ENOUGH = 0.02;
/** A stage weighs three times as much as the one above it, as in plans. */
const STEP = 3;
const MOST_STEPS = 5;
/** Gained hours beyond this many usual shifts cost as much as those of the last one. */
const MOST_LOAD = 6;

/** A segment that a person could have: gained, or kept. */
export type Part = { segment: number; column: number; gained: boolean };

/**
 * Builds the integer program: every part of a vacancy goes to one person or counts as uncovered, every part of another
 * shift goes to one person, and nobody has two conflicting parts. Minimizes first the uncovered time, then the number
 * of changes (starts of gained time), then the load.
 */
export function modelOf(question: Question): Model {
  const build = new Build();
  const { segments, people } = question;
  const parts = segments.map((segment, index) => partsOf(build, question, segment, index));
  const uncovered = segments.map((segment) => build.column(uncoveredCost(question, segment), 1, 1));
  for (const [index, segment] of segments.entries()) {
    const own = [...(parts[index] ?? new Map()).values()].map(({ column }): Entry => [column, 1]);
    // A part of a shift that has its person must go to somebody.
    const rest: Entry[] = stretchOf(question, segment).vacancy ? [[uncovered[index] ?? 0, 1]] : [];
    build.row(1, 1, [...own, ...rest]);
  }
  for (const userId of people) {
    const own = parts.flatMap((part, index): Part[] => {
      const found = part.get(userId);
      if (found) return [found];
      const stretch = stretchOf(question, segments[index]);
      const isKept = question.leaversAreFree && stretch.vacancy && stretch.userId === userId;
      return isKept ? [{ segment: index, column: uncovered[index] ?? 0, gained: false }] : [];
    });
    if (own.some(({ gained }) => gained)) addPerson(build, question, userId, own);
  }
  for (const { people: group } of question.roster.apart ?? [])
    addApart(build, question, parts, { group, uncovered });
  const choices = parts.map((part) =>
    [...part].map(([userId, { column }]) => ({ column, person: people.indexOf(userId) })),
  );
  const levels = build.levels({}, UNITS, ['moves', 'rest'], GOOD_ENOUGH);
  return { ...build.finish(), levels, choices, uncovered, unanswered: [] };
}

/**
 * Among people who are kept apart, nobody gains a part that overlaps another one's. They may stay together where both
 * already have their parts. A person keeps a vacancy that nobody takes.
 */
function addApart(
  build: Build,
  question: Question,
  parts: readonly ReadonlyMap<string, Part>[],
  { group, uncovered }: { group: ReadonlySet<string>; uncovered: readonly number[] },
): void {
  const { segments } = question;
  const ofGroup = parts.map((part, index) => {
    const own = [...part].flatMap(([userId, one]) => (group.has(userId) ? [one] : []));
    const { vacancy, userId } = stretchOf(question, segments[index]);
    const gained = own.filter((one) => one.gained).map(({ column }): Entry => [column, 1]);
    const kept = own.filter((one) => !one.gained).map(({ column }): Entry => [column, 1]);
    const left: Entry[] = vacancy && group.has(userId) ? [[uncovered[index] ?? 0, 1]] : [];
    return { gained, all: [...gained, ...kept, ...left] };
  });
  for (const [index, segment] of segments.entries())
    for (const [at, other] of segments.entries()) {
      const [gained, all] = [ofGroup[index]?.gained ?? [], ofGroup[at]?.all ?? []];
      if (gained.length === 0 || all.length === 0) continue;
      if (isSeat(segment, other) || !intersects(segment, other)) continue;
      build.row(Number.NEGATIVE_INFINITY, 1, [...gained, ...all]);
    }
}

function stretchOf({ stretches }: Question, segment: Segment | undefined): Stretch {
  const stretch = stretches[segment?.stretch ?? -1];
  if (!stretch) throw new Error('every segment is a part of a stretch');
  return stretch;
}

function partsOf(build: Build, question: Question, segment: Segment, index: number): Map<string, Part> {
  const stretch = stretchOf(question, segment);
  const hours = (segment.to - segment.from) / HOUR;
  const parts = new Map<string, Part>();
  // The current holder comes first, because the solver starts from that.
  if (!stretch.vacancy) parts.set(stretch.userId, { segment: index, column: build.whole({}), gained: false });
  for (const { userId, weight } of segment.takers) {
    const moved = stretch.vacancy ? 0 : hours;
    const rest = (weight * hours) / shiftHours(question) + moved;
    parts.set(userId, { segment: index, column: build.whole({ rest }), gained: true });
  }
  return parts;
}

/** The length of the longest vacancy in hours, by which loads are weighed. */
function shiftHours({ vacancies }: Question): number {
  return Math.max(...vacancies.map(({ from, to }) => to - from)) / HOUR;
}

function uncoveredCost(question: Question, segment: Segment): { coverage: number } {
  const minutes = Math.max(1, Math.round((segment.to - segment.from) / MINUTE));
  return { coverage: minutes * stageWeight(question, segment) };
}

function stageWeight({ roster, stretches }: Question, { stretch }: Segment): number {
  const stage = stretches[stretch]?.stage ?? 0;
  const above = [...roster.members.keys()].filter((other) => other > stage).length;
  return STEP ** Math.min(above, MOST_STEPS);
}

/** For how long nobody fills the vacancies, in milliseconds, weighted by stage: lower stages weigh more. */
export function uncoveredBy(question: Question, choice: Choice): number {
  return question.segments.reduce(
    (sum, segment, index) =>
      choice[index] === -1 ? sum + (segment.to - segment.from) * stageWeight(question, segment) : sum,
    0,
  );
}

function addPerson(build: Build, question: Question, userId: string, own: readonly Part[]): void {
  for (const [index, part] of own.entries()) {
    if (part.gained) addBegin(build, question, part, own[index - 1]);
    for (const other of own.slice(index + 1)) exclude(build, question, part, other, own);
  }
  addLimits(build, question, userId, own);
  addLoad(build, question, own);
}

/** Counts one more change, unless the segment directly before it is gained as well. */
function addBegin(build: Build, { segments }: Question, part: Part, before: Part | undefined): void {
  const [segment, last] = [segments[part.segment], segments[before?.segment ?? -1]];
  const goesOn = before && segment && last && last.stretch === segment.stretch && last.to === segment.from;
  const begin = build.column({ moves: 1 }, 1);
  build.row(Number.NEGATIVE_INFINITY, 0, [
    [part.column, 1],
    ...(goesOn ? [[before.column, -1] as const] : []),
    [begin, -1],
  ]);
}

/** Forbids having both parts if they overlap or are too close together, and at least one is gained. */
function exclude(build: Build, question: Question, a: Part, b: Part, own: readonly Part[]): void {
  if (!a.gained && !b.gained) return;
  const [one, other] = [question.segments[a.segment], question.segments[b.segment]];
  if (!one || !other || !areExclusive(question, a, b)) return;
  const both: Entry[] = [
    [a.column, 1],
    [b.column, 1],
  ];
  if (one.stretch !== other.stretch) {
    build.row(Number.NEGATIVE_INFINITY, 1, both);
    return;
  }
  // Within one shift, both are allowed if the parts between them make it one stretch.
  if (b.segment === a.segment + 1) return;
  const between = own.find(({ segment }) => segment === a.segment + 1);
  build.row(Number.NEGATIVE_INFINITY, 1, [...both, ...(between ? [[between.column, -1] as const] : [])]);
}

function areExclusive({ roster, segments }: Question, a: Part, b: Part): boolean {
  const [one, other] = [segments[a.segment], segments[b.segment]];
  if (!one || !other) return false;
  return (b.gained && excludes(roster, one, other)) || (a.gained && excludes(roster, other, one));
}

/** Makes gained hours cost progressively more, so that the load is spread over several people. */
function addLoad(build: Build, question: Question, own: readonly Part[]): void {
  const usual = shiftHours(question);
  const gained = own.flatMap(({ segment, column, gained: isGained }): Entry[] => {
    const { from, to } = question.segments[segment] ?? { from: 0, to: 0 };
    return isGained ? [[column, (to - from) / HOUR / usual]] : [];
  });
  const steps = Array.from({ length: MOST_LOAD }, (_, index): Entry => {
    const isLast = index === MOST_LOAD - 1;
    return [build.column({ rest: index * usual }, isLast ? gained.length : 1), -1];
  });
  build.row(0, 0, [...gained, ...steps]);
}
