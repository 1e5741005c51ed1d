import { type Interval, intersects } from '../../kit/interval.ts';
import type { Apart } from '../../schedules/apart.ts';
import { type Calendar, measurer } from '../../schedules/burdens.ts';
import { isAlwaysOnCall } from '../../schedules/eligibility.ts';
import { inTheWay, simultaneousElsewhere } from '../../schedules/elsewhere.ts';
import { isAllTaken } from '../../schedules/ledger.ts';
import {
  lengthOf,
  type Place,
  type PlanInput,
  type Refusal,
  type StageInput,
  type Stint,
  served,
} from '../../schedules/planner.ts';
import { type PlanRules, USUAL_RULES } from '../../schedules/rules.ts';
import { type Duties, fixedDuties, publishedDuties, servedLeft } from '../duties.ts';
import { type Companions, companionsIn } from './companions.ts';
import { type Quota, quotasOf } from './quotas.ts';
import { type Category, categoriesOf } from './shares.ts';
import { uncoveredWeight } from './weights.ts';

/** A shift to assign, and what it costs if nobody has it. */
export type Slot = Stint & {
  place: Place;
  stage: number;
  /** The part of the shift that overrides leave; null if nothing. */
  left: Stint | null;
  /** All members of the stage are always on call together, so its shifts need no rest between them. */
  isAlwaysOn: boolean;
  /** The person who had it so far; null if nobody had it, or that person is not a candidate now. */
  keptBy: number | null;
  /** Published, and begins within three days: moving it costs more than moving all later shifts together. */
  isSoon: boolean;
  /** For a piece of a longer shift: identifies that shift. A person may have several of its pieces. */
  block: string | null;
  uncoveredWeight: number;
};

/** A person who can take a slot. */
export type Candidate = {
  person: number;
  slot: number;
  isSoft: boolean;
  isRequested: boolean;
  /** They have a shift of another schedule at that time, and the rules avoid that. */
  isElsewhere: boolean;
  /** How many of their fixed shifts come directly before or after. */
  beside: number;
};

export type Refused = { userId: string } & Refusal;

/** The problem for the solver. Its order is fixed, so that the same input in any order gives the same problem. */
export type Problem = {
  /** User ids, ascending. */
  people: readonly string[];
  /** Sorted by start, stage and seat. */
  slots: readonly Slot[];
  /** Candidates by slot, sorted by person. */
  candidates: readonly (readonly Candidate[])[];
  /** By slot: the members of the stage who can never take it, and the reason. */
  refused: readonly (readonly Refused[])[];
  categories: readonly Category[];
  /** Groups of simultaneous slots that are the only ones to answer at that time. */
  lastAnswers: readonly (readonly number[])[];
  /** By slot: its group in `lastAnswers`; a slot is in one at most. */
  lastAnswerOf: ReadonlyMap<number, readonly number[]>;
  quotas: readonly Quota[];
  /** Groups of people who are never on call together. */
  apart: readonly Apart<number>[];
  /** People who are on call only together with others. */
  companions: readonly Companions[];
  restMs: number;
  closeness: Closeness;
  /** How many additional moves count for a published shift that begins soon: as many as there are later shifts. */
  soonWeight: number;
};

/** `first`: published shifts move only where they have to. `last`: they move for any improvement. */
export type Closeness = 'first' | 'last';

export type ProblemInput = PlanInput & {
  calendar: Calendar;
  /** Default: `first`. */
  closeness?: Closeness;
  /** Default: `USUAL_RULES`. */
  rules?: PlanRules;
  /** User ids in the order that decides between equal plans; people who are missing come last, by id. */
  order?: readonly string[];
};

export function problemOf(input: ProblemInput): Problem {
  const people = [
    ...new Set(input.stages.flatMap(({ members }) => members.map(({ userId }) => userId))),
  ].sort();
  const open = openPlaces(input);
  // Also of shifts that run, because other weights would move published shifts as soon as one begins.
  const usual = median(input.stages.flatMap(({ places }) => places.map(lengthOf)));
  const duties = fixedDuties(input);
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
    isAlwaysOn: isAlwaysOnCall(stage.members.length, stage.seats),
    keptBy: keeper(place, people, candidates[slot] ?? []),
    isSoon: place.soon ?? false,
    block: place.pieceOf ?? null,
    uncoveredWeight: uncoveredWeight(stagesAbove(stage, input.stages), leftMs(place) / usual),
  }));
  const categories = categoriesOf(input, people, open, measurer(input.calendar), rules.weights);
  const last = lastAnswers(input, slots);
  const lastAnswerOf = new Map(last.flatMap((group) => group.map((slot) => [slot, group] as const)));
  const apart = duties.apart.map(({ why, people: own }) => ({
    why,
    people: new Set(people.keys().filter((person) => own.has(people[person] ?? ''))),
  }));
  const companions = companionsIn(input.onlyWith ?? [], people, slots, duties);
  const { restMs, closeness = 'first', calendar } = input;
  const { timeZone } = calendar;
  const quotas = quotasOf(input, rules, { timeZone, people, open, candidates, duties });
  return {
    ...{ people, slots, candidates, refused, categories, lastAnswers: last, lastAnswerOf, quotas },
    ...{ apart, companions, restMs, closeness },
    soonWeight: slots.filter(({ keptBy, isSoon }) => keptBy !== null && !isSoon).length,
  };
}

/** How many stages are higher; several layers are one stage. */
function stagesAbove({ stage }: StageInput, stages: readonly StageInput[]): number {
  return new Set(stages.map((other) => other.stage).filter((other) => other > stage)).size;
}

/** How long nobody would be on call if the place stayed empty, in milliseconds, after overrides. */
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

/** Nobody gives up a published shift of a higher stage to fill a gap or a shift beyond the planned time. */
function refusedOf(
  place: Place,
  stage: StageInput,
  duties: Duties,
  ofHigher: Duties | undefined,
  isElsewhere: IsElsewhere,
): Refused[] {
  return stage.members.flatMap(({ userId }) => {
    // A person who already has the shift keeps it: published shifts do not move.
    const isNew = place.kept?.userId !== userId || place.otherHours;
    const refusal: Refusal | null =
      duties.refusal(userId, stage, place) ??
      (place.yields ? ofHigher?.refusal(userId, stage, place) : null) ??
      (isNew ? isElsewhere(userId, place) : null);
    return refusal ? [{ userId, ...refusal }] : [];
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
            isElsewhere: isElsewhere(userId, place) !== null,
            beside: duties.of(userId).filter((duty) => touches(duty, span)).length,
          },
        ]
      : [],
  );
}

type IsElsewhere = (userId: string, place: Place) => Refusal | null;

/** Finds shifts of other schedules at the same time; never any unless the schedule has that rule. */
function elsewhereIn(
  { rules = USUAL_RULES, elsewhere }: ProblemInput,
  asked: PlanRules['elsewhere'],
): IsElsewhere {
  if (rules.elsewhere !== asked) return () => null;
  return (userId, place) => {
    const span = served(place);
    const found = simultaneousElsewhere(elsewhere, userId, span);
    return found ? { because: 'elsewhere', elsewhere: inTheWay(found, span) } : null;
  };
}

/** Whether one begins exactly when the other ends. */
function touches(a: Interval, b: Interval): boolean {
  return a.to === b.from || b.to === a.from;
}

function keeper(place: Place, people: readonly string[], candidates: readonly Candidate[]): number | null {
  const person = place.kept ? people.indexOf(place.kept.userId) : -1;
  return candidates.some((candidate) => candidate.person === person) ? person : null;
}

/** Times at which several places could answer and all are open. A single place already costs as uncovered. */
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
