import { type Interval, intersects } from '../../kit/interval.ts';
import { type Calendar, measurer } from '../../schedules/burdens.ts';
import { isAlwaysOnCall, isElsewhere } from '../../schedules/eligibility.ts';
import { isAllTaken } from '../../schedules/ledger.ts';
import {
  type Because,
  lengthOf,
  type Place,
  type PlanInput,
  type StageInput,
  type Stint,
  served,
} from '../../schedules/planner.ts';
import { type PlanRules, USUAL_RULES } from '../../schedules/rules.ts';
import { type Duties, publishedDuties, servedLeft, standingDuties } from '../duties.ts';
import { type Quota, quotasOf } from './quotas.ts';
import { type Category, categoriesOf } from './shares.ts';
import { uncoveredWeight } from './weights.ts';

/** A shift that has to be given to somebody, and what it costs when nobody has it. */
export type Slot = Stint & {
  place: Place;
  stage: number;
  /** What overrides leave of it; null when that is nothing. */
  left: Stint | null;
  /** Everybody of the stage is on call at once, all the time: its shifts need no rest between them. */
  isStanding: boolean;
  /** Whose it was so far; null for nobody, or somebody who is not among those that can take it. */
  keptBy: number | null;
  /** Begins within three days and is published: nothing further ahead is worth moving it. */
  isSoon: boolean;
  /** Of a piece of a longer shift: when that begins. Somebody may have several pieces of it. */
  block: string | null;
  uncoveredWeight: number;
};

/** Somebody who can take a slot. */
export type Candidate = {
  person: number;
  slot: number;
  isSoft: boolean;
  isRequested: boolean;
  /** They have a shift of another schedule at that time, which is to be avoided. */
  isElsewhere: boolean;
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
  /** By slot: those that it is one of, which is at most once. */
  lastAnswerOf: ReadonlyMap<number, readonly number[]>;
  quotas: readonly Quota[];
  restMs: number;
  closeness: Closeness;
  /** A published shift that begins soon counts as so many further moves: as all later ones together. */
  soonWeight: number;
};

/** Whether what is published moves only where it has to, or where that is better in any way. */
export type Closeness = 'first' | 'last';

export type ProblemInput = PlanInput & {
  calendar: Calendar;
  /** `first` without. */
  closeness?: Closeness;
  /** Usual without. */
  rules?: PlanRules;
  /** By user: shifts of other schedules. */
  elsewhere?: ReadonlyMap<string, readonly Interval[]>;
};

export function problemOf(input: ProblemInput): Problem {
  const people = [
    ...new Set(input.stages.flatMap(({ members }) => members.map(({ userId }) => userId))),
  ].sort();
  const open = openPlaces(input);
  const usual = median(open.map(({ place }) => lengthOf(served(place))));
  const duties = standingDuties(input);
  const published = publishedAbove(input, duties);
  const rules = input.rules ?? USUAL_RULES;
  const refused = open.map(({ stage, place }) =>
    refusedOf(place, stage, duties, published.get(stage.stage), elsewhereIn(input, 'never')),
  );
  const candidates = open.map(({ stage, place }, slot) =>
    candidatesOf(slot, place, stage, people, duties, refused[slot] ?? [], elsewhereIn(input, 'avoid')),
  );
  const slots = open.map(({ stage, place }, slot) => ({
    place,
    stage: stage.stage,
    ...served(place),
    left: servedLeft(place),
    isStanding: isAlwaysOnCall(stage.members.length, stage.seats),
    keptBy: keeper(place, people, candidates[slot] ?? []),
    isSoon: place.soon ?? false,
    block: place.pieceOf ?? null,
    uncoveredWeight: uncoveredWeight(
      input.stages.filter((other) => other.stage > stage.stage).length,
      leftMs(place) / usual,
    ),
  }));
  const categories = categoriesOf(input, people, open, measurer(input.calendar), rules.weights);
  const last = lastAnswers(input, slots);
  const lastAnswerOf = new Map(last.flatMap((group) => group.map((slot) => [slot, group] as const)));
  const { restMs, closeness = 'first', calendar } = input;
  const quotas = quotasOf(rules.limits, calendar.timeZone, people, open, candidates, duties);
  return {
    ...{ people, slots, candidates, refused, categories, lastAnswers: last, lastAnswerOf, quotas },
    ...{ restMs, closeness },
    soonWeight: slots.filter(({ keptBy, isSoon }) => keptBy !== null && !isSoon).length,
  };
}

/** How long nobody would be on call if nobody had the place: overrides give the rest to others. */
function leftMs(place: Place): number {
  const left = servedLeft(place);
  return left ? lengthOf(left) : 0;
}

export type OpenPlace = { stage: StageInput; place: Place };

function openPlaces({ stages }: PlanInput): OpenPlace[] {
  return stages
    .flatMap((stage) => stage.places.filter(({ fixed }) => !fixed).map((place) => ({ stage, place })))
    .sort(
      ({ place: a }, { place: b }) => a.servedFrom - b.servedFrom || a.stage - b.stage || a.seat - b.seat,
    );
}

/** By stage: the published shifts of higher stages that their people can keep. */
function publishedAbove({ stages, restMs }: PlanInput, duties: Duties): ReadonlyMap<number, Duties> {
  return new Map(
    stages.map(({ stage }) => [
      stage,
      publishedDuties(
        stages.filter((other) => other.stage > stage),
        restMs,
        duties,
      ),
    ]),
  );
}

/** A gap, or a shift further ahead than was planned, takes nobody from a shift of a higher stage that they know of. */
function refusedOf(
  place: Place,
  stage: StageInput,
  duties: Duties,
  ofHigher: Duties | undefined,
  isElsewhere: IsElsewhere,
): Refused[] {
  return stage.members.flatMap(({ userId }) => {
    // Who has it already goes on: what is published stands.
    const isNew = place.kept?.userId !== userId || place.otherHours;
    const because =
      duties.refusal(userId, stage, place) ??
      (place.yields ? ofHigher?.refusal(userId, stage, place) : null) ??
      (isNew && isElsewhere(userId, place) ? 'elsewhere' : null);
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
  isElsewhere: IsElsewhere,
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
            isElsewhere: isElsewhere(userId, place),
            beside: duties.of(userId).filter((duty) => touches(duty, span)).length,
          },
        ]
      : [],
  );
}

type IsElsewhere = (userId: string, place: Place) => boolean;

/** Tells of shifts of other schedules at the same time, as far as the schedule asks for that. */
function elsewhereIn(
  { rules = USUAL_RULES, elsewhere }: ProblemInput,
  asked: PlanRules['elsewhere'],
): IsElsewhere {
  if (rules.elsewhere !== asked) return () => false;
  return (userId, place) => isElsewhere(elsewhere, userId, served(place));
}

/** Whether one begins when the other ends. */
export function touches(a: Interval, b: Interval): boolean {
  return a.to === b.from || b.to === a.from;
}

function keeper(place: Place, people: readonly string[], candidates: readonly Candidate[]): number | null {
  const person = place.kept ? people.indexOf(place.kept.userId) : -1;
  return candidates.some((candidate) => candidate.person === person) ? person : null;
}

/** Times at which several places could answer and all are open; one alone is counted as uncovered already. */
function lastAnswers(input: PlanInput, slots: readonly Slot[]): number[][] {
  const fixed = input.stages.flatMap(({ places }) =>
    places.filter((place) => place.fixed || isAllTaken(place)),
  );
  const byTime = Map.groupBy(slots.keys(), (slot) => `${slots[slot]?.from} ${slots[slot]?.to}`);
  return [...byTime.values()].filter(([first = 0, second]) => {
    const slot = slots[first];
    return second !== undefined && slot && !fixed.some((shift) => intersects(shift, slot));
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 1;
}
