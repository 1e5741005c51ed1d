import type { IneligibleMember, PlannedShift, Reason, StageInput } from '../../schedules/planner.ts';
import { type PlanRules, USUAL_RULES } from '../../schedules/rules.ts';
import type { ProblemInput } from './problem.ts';

/** An input in which user ids are replaced by numbers. */
export type Anonymous = {
  /** Equal for inputs that differ only in user ids. */
  key: string;
  /** Also equal if only shifts in other schedules differ, unless the rules exclude or count those shifts. */
  looseKey: string;
  input: ProblemInput;
  /** Puts user ids back into a plan for this input, and restores the reasons of shifts that people keep. */
  named(shifts: readonly PlannedShift[]): PlannedShift[];
};

type Naming = (id: string) => string;

/** Removes what the plan does not depend on: user ids, and the reasons of earlier shifts. */
export function anonymous(input: ProblemInput): Anonymous {
  const ids = idsOf(input);
  const numbers = new Map(ids.map((id, index) => [id, String(index).padStart(6, '0')]));
  const idOf = new Map([...numbers].map(([id, number]) => [number, id]));
  const numberOf: Naming = (id) => numbers.get(id) ?? id;
  const byNumber = <T>(lists: ReadonlyMap<string, T> | undefined) =>
    new Map(ids.flatMap((id) => (lists?.has(id) ? [[numberOf(id), lists.get(id) as T] as const] : [])));
  const numbersIn = (people: readonly string[]) =>
    people
      .filter((id) => numbers.has(id))
      .map(numberOf)
      .sort();
  const nameless: ProblemInput = {
    restMs: input.restMs,
    apart: (input.apart ?? []).map(({ why, people }) => ({
      why,
      people: numbersIn(people),
    })),
    onlyWith: (input.onlyWith ?? []).map(({ people, with: others }) => ({
      people: people && numbersIn(people),
      with: numbersIn(others),
    })),
    smallAbsenceMs: input.smallAbsenceMs ?? 0,
    calendar: input.calendar,
    closeness: input.closeness ?? 'first',
    // Shares belong to the members of the stages, groups are in `apart`, and shadows do not matter.
    rules: { ...withoutNames(input.rules), shares: {}, people: numberedPeople(input, numberOf, numbers) },
    stages: input.stages.map((stage) => numbered(stage, numberOf)),
    // Copy only the fields that planning reads: other columns could reveal the person.
    records: byNumber(
      new Map(
        [...input.records].map(([id, records]) => [
          id,
          records.map(({ type, from, to, why }) => ({ type, from, to, ...(why ? { why } : {}) })),
        ]),
      ),
    ),
    elsewhere: byNumber(input.elsewhere),
    ...(input.countElsewhereSince === undefined ? {} : { countElsewhereSince: input.countElsewhereSince }),
  };
  const { stages, apart, onlyWith, restMs, smallAbsenceMs, records, calendar, closeness, rules, elsewhere } =
    nameless;
  const common = [
    stages,
    apart,
    onlyWith,
    restMs,
    smallAbsenceMs,
    [...records],
    calendar.timeZone,
    [...calendar.holidays],
    closeness,
    rules,
    input.countElsewhereSince ?? null,
  ];
  const isStrict = rules?.elsewhere === 'never' || input.countElsewhereSince !== undefined;
  const reasons = keptReasons(input);
  return {
    key: JSON.stringify([common, [...(elsewhere ?? [])]]),
    looseKey: JSON.stringify([common, isStrict ? [...(elsewhere ?? [])] : null]),
    input: nameless,
    named: (shifts) =>
      shifts.map(({ stage, seat, from, to, parts, userId, reason }) => {
        const id = userId === null ? null : (idOf.get(userId) ?? userId);
        const before = reasons.get(placeKey(stage, seat, to, id));
        const now = reason && withIds(reason, (number) => idOf.get(number) ?? number);
        const span = { from, to, ...(parts ? { parts } : {}) };
        // A piece of a shared shift may end when the person's earlier shift ended, but is a different shift.
        const isKept = before !== undefined && !now?.shared;
        return { stage, seat, ...span, userId: id, reason: isKept ? before : now };
      }),
  };
}

function withoutNames({
  neverTogether: _,
  shadows: __,
  onlyWith: ___,
  ...rules
}: PlanRules = USUAL_RULES): PlanRules {
  return rules;
}

function numberedPeople(
  { rules: { people = {} } = USUAL_RULES }: ProblemInput,
  numberOf: Naming,
  known: ReadonlyMap<string, string>,
): NonNullable<PlanRules['people']> {
  const own = Object.entries(people).filter(([id]) => known.has(id));
  // The times at which people are not planned are among the records.
  return Object.fromEntries(own.map(([id, { limits = {} }]) => [numberOf(id), { limits }] as const).sort());
}

/**
 * All user ids of the input, in its `order`, because the order in which the input names them must not affect the plan.
 */
function idsOf({ stages, onlyWith = [], order = [] }: ProblemInput): string[] {
  const members = stages.flatMap((stage) => stage.members.map(({ userId }) => userId));
  const past = stages.flatMap((stage) => stage.past.map(({ userId }) => userId));
  const kept = stages.flatMap((stage) => stage.places.map((place) => place.kept?.userId ?? null));
  const taken = stages.flatMap((stage) => [
    ...[...stage.past, ...stage.places].flatMap((shift) => shift.taken ?? []),
    ...(stage.extra ?? []),
  ]);
  const takers = taken.map(({ userId }) => userId);
  const companions = onlyWith.flatMap(({ people, with: others }) => [...(people ?? []), ...others]);
  const ids = new Set([...companions, ...members, ...past, ...kept, ...takers].filter((id) => id !== null));
  const others = ids.difference(new Set(order));
  return [...order.filter((id) => ids.has(id)), ...[...others].sort()];
}

function numbered(stage: StageInput, numberOf: Naming): StageInput {
  const named = <T extends { userId: string }>(one: T): T => ({ ...one, userId: numberOf(one.userId) });
  const { extra } = stage;
  return {
    ...stage,
    members: stage.members.map(named),
    past: stage.past.map((shift) => ({
      ...shift,
      userId: shift.userId === null ? null : numberOf(shift.userId),
      reason: null,
      ...(shift.taken ? { taken: shift.taken.map(named) } : {}),
    })),
    ...(extra ? { extra: extra.map(named) } : {}),
    places: stage.places.map((place) => ({
      ...place,
      kept: place.kept && { userId: numberOf(place.kept.userId), reason: null },
      ...(place.taken ? { taken: place.taken.map(named) } : {}),
    })),
  };
}

function withIds(reason: Reason, idOf: Naming): Reason {
  const { contradiction, others, own, shared, skipped } = reason;
  return {
    rule: reason.rule,
    skipped: skipped.map(({ junior, other, with: companions, alone, ...one }) => ({
      ...one,
      user_id: idOf(one.user_id),
      ...(junior === undefined ? {} : { junior: idOf(junior) }),
      ...(other === undefined ? {} : { other: idOf(other) }),
      ...(companions ? { with: companions.map(idOf) } : {}),
      ...(alone === undefined ? {} : { alone: idOf(alone) }),
    })),
    ...(others ? { others: others.map((one) => ({ ...one, user_id: idOf(one.user_id) })) } : {}),
    ...(own ? { own } : {}),
    ...(shared ? { shared } : {}),
    ...(contradiction
      ? {
          contradiction: {
            shifts: contradiction.shifts,
            takers: contradiction.takers.map(idOf),
            obstacles: contradiction.obstacles.map(
              (obstacle): IneligibleMember => ({
                ...obstacle,
                userId: idOf(obstacle.userId),
                ...(obstacle.because === 'junior' ? { junior: idOf(obstacle.junior) } : {}),
                ...(obstacle.because === 'apart' ? { other: idOf(obstacle.other) } : {}),
                ...(obstacle.because === 'alone' ? { with: obstacle.with.map(idOf) } : {}),
                ...(obstacle.because === 'alone' && obstacle.alone !== undefined
                  ? { alone: idOf(obstacle.alone) }
                  : {}),
              }),
            ),
          },
        }
      : {}),
  };
}

function keptReasons({ stages }: ProblemInput): ReadonlyMap<string, Reason | null> {
  return new Map(
    stages.flatMap(({ places }) =>
      places.flatMap(({ stage, seat, to, kept }): [string, Reason | null][] =>
        kept ? [[placeKey(stage, seat, to, kept.userId), kept.reason]] : [],
      ),
    ),
  );
}

function placeKey(stage: number, seat: number, to: number, userId: string | null): string {
  return `${stage} ${seat} ${to} ${userId}`;
}
