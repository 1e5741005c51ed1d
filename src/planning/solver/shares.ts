import { highestOf } from '../../kit/extremes.ts';
import type { Interval } from '../../kit/interval.ts';
import { type Burden, burdensBy, type Measure, measureAll } from '../../schedules/burdens.ts';
import {
  couldHave,
  countsFor,
  hadOf,
  leftOf,
  type Share,
  sharesOf,
  takenOf,
} from '../../schedules/ledger.ts';
import {
  lengthOf,
  type Member,
  type Place,
  type PlanInput,
  type StageInput,
  type Stint,
  served,
  shareStart,
  type Taken,
} from '../../schedules/planner.ts';
import { type PlanRules, shareAt, WHOLE_SHARE } from '../../schedules/rules.ts';
import type { OpenPlace } from './problem.ts';
import { WEIGHTS } from './weights.ts';

export type CategoryName = 'total' | 'first' | Burden;

/** A kind of shift that is shared out equally. */
export type Category = {
  name: CategoryName;
  weight: number;
  /** By slot: whether it belongs to this category. */
  counts: readonly boolean[];
  /** By person: their share of the slots minus what they have had so far. May be fractional or negative. */
  targets: readonly number[];
  /** By person: how many shifts of this kind they have had so far, within the time that shares look back. */
  carried: readonly number[];
};

/** A shift, and who has which part of it regardless of the plan. */
type Known = Stint & { stage: StageInput; shares: readonly Credit[] };
type Credit = Pick<Share, 'userId' | 'shifts' | 'nights' | 'weekends' | 'holidays'> & { isTaken: boolean };
type Kind = {
  name: CategoryName;
  isOne(shift: Stint, stage: StageInput): boolean;
  /** How much of a shift of this kind a credit is worth. */
  part(credit: Credit): number;
  /** How shifts in other schedules count towards this kind; null if they never do. */
  hours: 'all' | Burden | null;
};

/**
 * A person's share is proportional to the past and future shifts that they could have taken: absences and the time
 * before they joined are left out. Time that overrides gave to a person is credited to them, and so are shifts in other
 * schedules, if the rules say so. A category to which all shifts or none belong is left out.
 */
export function categoriesOf(
  input: PlanInput,
  people: readonly string[],
  open: readonly OpenPlace[],
  measure: Measure,
  weights: PlanRules['weights'],
): Category[] {
  const lowest = Math.min(...input.stages.map(({ stage }) => stage));
  const burdens = burdensBy(measure);
  const kinds: Kind[] = [
    { name: 'total', isOne: () => true, part: ({ shifts }) => shifts, hours: 'all' },
    { name: 'first', isOne: (_, { stage }) => stage === lowest, part: ({ shifts }) => shifts, hours: null },
    {
      name: 'night',
      isOne: (shift) => burdens(shift).has('night'),
      part: ({ nights }) => nights,
      hours: 'night',
    },
    {
      name: 'weekend',
      isOne: (shift) => burdens(shift).has('weekend'),
      part: ({ weekends }) => weekends,
      hours: 'weekend',
    },
    {
      name: 'holiday',
      isOne: (shift) => burdens(shift).has('holiday'),
      part: ({ holidays }) => holidays,
      hours: 'holiday',
    },
  ];
  const decided = decidedShifts(input, measure);
  const taken = open.flatMap((one) => takenShift(one, measure, burdens) ?? []);
  return kinds.flatMap((kind) => {
    const { name } = kind;
    const isOne = open.map(({ place, stage }) => kind.isOne(place, stage));
    if (name !== 'total' && (isOne.every(Boolean) || !isOne.some(Boolean))) return [];
    const weight = WEIGHTS[name] * (name === 'total' || name === 'first' ? 1 : weights[name]);
    if (weight === 0) return [];
    const counts = open.map(({ place }, slot) => (isOne[slot] ?? false) && isMostlyLeft(place));
    return [
      {
        ...{ name, weight, counts },
        ...standingsOf(input, people, { open, counts, decided, taken, measure }, kind),
      },
    ];
  });
}

type Facts = {
  open: readonly OpenPlace[];
  counts: readonly boolean[];
  decided: readonly Known[];
  taken: readonly Known[];
  measure: Measure;
};

function standingsOf(
  input: PlanInput,
  people: readonly string[],
  { open, counts, decided, taken, measure }: Facts,
  { isOne, part, hours }: Kind,
): Pick<Category, 'targets' | 'carried'> {
  const known = decided.filter((shift) => isOne(shift, shift.stage));
  const coming = open
    .filter(({ place, stage }) => isOne(place, stage))
    .map(({ place, stage }) => ({ ...served(place), stage }));
  const credited = [...known, ...taken.filter((shift) => isOne(shift, shift.stage))];
  const memberships = input.stages.flatMap(({ stage, members }) =>
    members.map((member) => ({ ...member, stage })),
  );
  const usual = usualOf(
    open.filter((_, slot) => counts[slot]),
    hours,
    measure,
  );
  const until = highestOf(open.map(({ place }) => place.to));
  const carried = people.map(
    (userId) =>
      carriedBy(userId, credited, memberships, part) +
      (hours && usual > 0 ? hoursElsewhere(userId, input, until, (span) => measure(span)[hours]) / usual : 0),
  );
  const present = people.map((userId) => presentAt(userId, [...known, ...coming], input));
  const shifts = counts.filter(Boolean).length + sum(carried);
  const all = sum(present);
  const targets = people.map((_, person) => {
    const share = all === 0 ? 0 : ((present[person] ?? 0) * shifts) / all;
    return share - (carried[person] ?? 0);
  });
  return { targets, carried };
}

/** How many milliseconds of a kind its usual shift has, which converts hours elsewhere into shifts. */
function usualOf(open: readonly OpenPlace[], hours: Kind['hours'], measure: Measure): number {
  if (!hours) return 0;
  const all = open
    .map(({ place }) => measureAll(place.parts ?? [place], measure)[hours])
    .sort((a, b) => a - b);
  return all[Math.floor(all.length / 2)] ?? 0;
}

/**
 * The time that a person has in other schedules while they are a member of this one and its shares count it, up to the
 * end of the plan. `of`: the counted part of a span, in milliseconds.
 */
function hoursElsewhere(
  userId: string,
  { stages, elsewhere, countElsewhereSince }: PlanInput,
  until: number,
  of: (span: Interval) => number,
): number {
  if (countElsewhereSince === undefined) return 0;
  const members = stages.flatMap((stage) => stage.members.filter((member) => member.userId === userId));
  const since = Math.max(countElsewhereSince, Math.min(...members.map(shareStart)));
  return sum(
    (elsewhere?.get(userId) ?? [])
      .filter(({ isAlwaysOn, from, to }) => !isAlwaysOn && to > since && from < until)
      .flatMap((shift) => shift.parts ?? [{ from: shift.from, to: shift.to }])
      .map(of),
  );
}

/** Past shifts, fixed places, and override time outside any shift. A gap that is still running counts once, as an open place. */
function decidedShifts({ stages }: PlanInput, measure: Measure): Known[] {
  return stages.flatMap((stage) => [
    ...stage.past
      .filter((shift) => !isRunningGap(shift, stage))
      .map((shift) => knownShift(shift, shift.userId, stage, measure)),
    ...stage.places
      .filter(({ fixed }) => fixed)
      .map((place) => knownShift(place, place.kept?.userId ?? null, stage, measure)),
    ...(stage.extra ?? [])
      .filter(({ counts }) => counts)
      .map(({ userId, from, to }) =>
        knownShift({ from, to, taken: [{ from, to, userId }] }, null, stage, measure),
      ),
  ]);
}

function isRunningGap({ seat, userId, to, taken = [] }: StageInput['past'][number], { places }: StageInput) {
  return (
    userId === null &&
    taken.length === 0 &&
    places.some((place) => !place.fixed && place.seat === seat && place.servedFrom === to)
  );
}

function knownShift(
  shift: Stint & { taken?: readonly Taken[] },
  userId: string | null,
  stage: StageInput,
  measure: Measure,
): Known {
  const { from, to, parts } = shift;
  const takers = new Set(takenOf(shift).map((part) => part.userId));
  const shares = sharesOf(hadOf(shift, userId), measure);
  return {
    ...{ from, to, stage },
    ...(parts ? { parts } : {}),
    shares: shares.map((share) => ({ ...share, isTaken: takers.has(share.userId) })),
  };
}

/**
 * A place to fill counts as one shift for its person, or as none if overrides give more than half of it to others. The
 * difference from what the person really has is credited to the person who has had it so far.
 */
function takenShift(
  { place, stage }: OpenPlace,
  measure: Measure,
  burdensOfShift: (shift: Stint) => ReadonlySet<Burden>,
): Known | null {
  if (!place.taken?.length) return null;
  const keeper = place.kept?.userId ?? null;
  const known = knownShift(place, keeper, stage, measure);
  const burdens = burdensOfShift(place);
  const counted = isMostlyLeft(place) ? 1 : 0;
  const less = (burden: Burden) => (burdens.has(burden) ? counted : 0);
  const own = known.shares.find(({ userId }) => userId === keeper) ?? nothingOf(keeper);
  if (!own) return known;
  const rest = {
    ...own,
    shifts: own.shifts - counted,
    nights: own.nights - less('night'),
    weekends: own.weekends - less('weekend'),
    holidays: own.holidays - less('holiday'),
  };
  return { ...known, shares: [...known.shares.filter((share) => share !== own), rest] };
}

function nothingOf(userId: string | null): Credit | null {
  return userId === null ? null : { userId, shifts: 0, nights: 0, weekends: 0, holidays: 0, isTaken: false };
}

function isMostlyLeft(place: Place): boolean {
  if (!place.taken?.length) return true;
  const left = leftOf(place).reduce((ms, { from, to }) => ms + to - from, 0);
  return 2 * left >= lengthOf(place);
}

function carriedBy(
  userId: string,
  decided: readonly Known[],
  memberships: readonly (Member & { stage: number })[],
  part: Kind['part'],
): number {
  const own = memberships.filter((member) => member.userId === userId);
  let carried = 0;
  for (const { from, to, stage, shares } of decided)
    for (const share of shares) {
      const { isTaken } = share;
      if (share.userId !== userId) continue;
      if (countsFor(userId, { from, to, stage: stage.stage, isTaken }, own)) carried += part(share);
    }
  return carried;
}

/**
 * The number of start times of shifts that a person could have taken. Simultaneous shifts count once, weighted by the
 * share of the load that was or is expected of the person at that time.
 */
function presentAt(
  userId: string,
  shifts: readonly (Stint & { stage: StageInput })[],
  { records, smallAbsenceMs }: PlanInput,
): number {
  const own = records.get(userId) ?? [];
  const starts = new Map<number, number>();
  for (const shift of shifts) {
    const member = shift.stage.members.find((one) => one.userId === userId);
    if (member && couldHave(member, shift, own, smallAbsenceMs))
      starts.set(shift.from, shareAt(member.share, shift.from) / WHOLE_SHARE);
  }
  return sum([...starts.values()]);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
