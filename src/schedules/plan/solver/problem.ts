import { Duties } from '../duties.ts';
import type { Because, Place, PlanInput, Span, StageInput } from '../planner.ts';
import { burdensIn, type Calendar } from './burdens.ts';
import { type Category, categoriesOf } from './shares.ts';
import { uncoveredBase, uncoveredWeight } from './weights.ts';

/** A shift that has to be given to somebody, and what it costs when nobody has it. */
export type Slot = Span & {
  place: Place;
  stage: number;
  /** Everybody of the stage is on call at once, all the time: its shifts need no rest between them. */
  isStanding: boolean;
  /** Whose it was so far; null for nobody, or somebody who is not among those that can take it. */
  keptBy: number | null;
  uncoveredWeight: number;
};

/** Somebody who can take a slot. */
export type Candidate = {
  person: number;
  slot: number;
  isSoft: boolean;
  isRequested: boolean;
  /** How many of their shifts that stand whatever happens come right before or after. */
  beside: number;
};

export type Refused = { userId: string; because: Because };

/** What there is to decide, in a fixed order: the same input, in whatever order, gives the same problem. */
export type Problem = {
  /** Ids, ascending. */
  people: readonly string[];
  /** By start, stage and seat. */
  slots: readonly Slot[];
  /** By slot; each by person. */
  candidates: readonly (readonly Candidate[])[];
  /** By slot: why the other members of the stage cannot take it, whatever is decided. */
  refused: readonly (readonly Refused[])[];
  categories: readonly Category[];
  /** Slots of the same time which together are all that answers then. */
  lastAnswers: readonly (readonly number[])[];
  restMs: number;
};

export type ProblemInput = PlanInput & { calendar: Calendar };

export function problemOf(input: ProblemInput): Problem {
  const people = [
    ...new Set(input.stages.flatMap(({ members }) => members.map(({ userId }) => userId))),
  ].sort();
  const open = openPlaces(input);
  const usual = median(open.map(({ place }) => place.to - place.servedFrom));
  const base = uncoveredBase(open.length, people.length);
  const duties = standingDuties(input);
  const known = knownShifts(input, duties);
  const refused = open.map(({ stage, place }) => refusedOf(place, stage, duties, known.get(stage.stage)));
  const candidates = open.map(({ stage, place }, slot) =>
    candidatesOf(slot, place, stage, people, duties, refused[slot] ?? []),
  );
  const slots = open.map(({ stage, place }, slot) => ({
    place,
    stage: stage.stage,
    from: place.servedFrom,
    to: place.to,
    isStanding: isStanding(stage),
    keptBy: keeper(place, people, candidates[slot] ?? []),
    uncoveredWeight: uncoveredWeight(
      base,
      input.stages.filter((other) => other.stage > stage.stage).length,
      (place.to - place.servedFrom) / usual,
    ),
  }));
  const categories = categoriesOf(input, people, open, burdensIn(input.calendar));
  const last = lastAnswers(input, slots);
  return { people, slots, candidates, refused, categories, lastAnswers: last, restMs: input.restMs };
}

export type OpenPlace = { stage: StageInput; place: Place };

function openPlaces({ stages }: PlanInput): OpenPlace[] {
  return stages
    .flatMap((stage) => stage.places.filter(({ fixed }) => !fixed).map((place) => ({ stage, place })))
    .sort(
      ({ place: a }, { place: b }) => a.servedFrom - b.servedFrom || a.stage - b.stage || a.seat - b.seat,
    );
}

/** What people have whatever is decided. */
export function standingDuties(input: PlanInput): Duties {
  const duties = new Duties(input);
  for (const stage of input.stages) {
    for (const shift of stage.past) if (shift.userId !== null) duties.add(shift.userId, shift);
    for (const place of stage.places) if (place.fixed && place.kept) duties.add(place.kept.userId, place);
  }
  return duties;
}

/** By stage: shifts of higher ones that people know of and can still take. */
function knownShifts(input: PlanInput, duties: Duties): ReadonlyMap<number, Duties> {
  return new Map(
    input.stages.map(({ stage }) => {
      const known = new Duties({ records: new Map(), restMs: input.restMs });
      for (const higher of input.stages.filter((other) => other.stage > stage))
        for (const place of higher.places)
          if (!place.fixed && place.kept && isAble(place.kept.userId, higher, place, duties))
            known.add(place.kept.userId, place);
      return [stage, known];
    }),
  );
}

function isAble(userId: string, stage: StageInput, place: Place, duties: Duties): boolean {
  const isMember = stage.members.some((member) => member.userId === userId);
  return isMember && duties.refusal(userId, stage, served(place)) === null;
}

function served({ servedFrom, to }: Place): Span {
  return { from: servedFrom, to };
}

/** A gap, or a shift further ahead than was planned, takes nobody from a shift of a higher stage that they know of. */
function refusedOf(place: Place, stage: StageInput, duties: Duties, ofHigher: Duties | undefined): Refused[] {
  return stage.members.flatMap(({ userId }) => {
    const because =
      duties.refusal(userId, stage, served(place)) ??
      (place.yields ? ofHigher?.refusal(userId, stage, served(place)) : null);
    return because ? [{ userId, because }] : [];
  });
}

function candidatesOf(
  slot: number,
  place: Place,
  { members }: StageInput,
  people: readonly string[],
  duties: Duties,
  refused: readonly Refused[],
): Candidate[] {
  const span = served(place);
  const isRefused = new Set(refused.map(({ userId }) => userId));
  const able = new Set(members.map(({ userId }) => userId).filter((userId) => !isRefused.has(userId)));
  return people.flatMap((userId, person) =>
    able.has(userId)
      ? [
          {
            person,
            slot,
            isSoft: duties.covers(userId, 'soft_unavailable', span),
            isRequested: duties.covers(userId, 'requested', span),
            beside: duties.of(userId).filter((duty) => touches(duty, span)).length,
          },
        ]
      : [],
  );
}

/** Whether one begins when the other ends. */
export function touches(a: Span, b: Span): boolean {
  return a.to === b.from || b.to === a.from;
}

function isStanding({ members, seats }: StageInput): boolean {
  return members.length <= seats;
}

function keeper(place: Place, people: readonly string[], candidates: readonly Candidate[]): number | null {
  const person = place.kept ? people.indexOf(place.kept.userId) : -1;
  return candidates.some((candidate) => candidate.person === person) ? person : null;
}

/** Times at which several places could answer and all are open; one alone is counted as uncovered already. */
function lastAnswers(input: PlanInput, slots: readonly Slot[]): number[][] {
  const fixed = input.stages.flatMap(({ places }) => places.filter((place) => place.fixed));
  const byTime = Map.groupBy(slots.keys(), (slot) => `${slots[slot]?.from} ${slots[slot]?.to}`);
  return [...byTime.values()].filter(([first = 0, second]) => {
    const slot = slots[first];
    return second !== undefined && slot && !fixed.some(({ from, to }) => from < slot.to && slot.from < to);
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 1;
}
