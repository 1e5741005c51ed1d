import { createHash } from 'node:crypto';
import { union } from '../kit/interval.ts';
import { gapOf, overlap, type Place, type PlannedShift, spanOf } from '../schedules/planner.ts';
import type { ProblemInput } from './solver/problem.ts';

/**
 * A fingerprint of a plan's decisions and of everything that could change them. If it equals that of the last plan,
 * planning again would change nothing, even if that plan ran out of time. It is valid until the next hand-off. `plan`:
 * the decisions; by default, the current shifts.
 */
export function planFingerprint(input: ProblemInput, at: number, plan?: readonly PlannedShift[]): string {
  const decided = plan ?? input.stages.flatMap(({ places }) => places.map(holding));
  const held = decided.filter(({ to }) => to > at).map((shift) => [keyOf(shift), shift.userId]);
  const stages = input.stages.map(({ stage, seats, members }) => [
    stage,
    seats,
    members.map(({ userId }) => userId).sort(),
  ]);
  const until = Math.max(at, ...input.stages.flatMap(({ places }) => places.map(({ to }) => to)));
  const absences = [...input.records].map(([userId, records]) => [
    userId,
    records.filter(
      (record) => record.type === 'hard_unavailable' && overlap(record, { from: at, to: until }),
    ),
  ]);
  const taken = takenIn(input, at);
  const facts: unknown[] = [
    held.sort(),
    stages,
    absences.sort(),
    input.restMs,
    input.smallAbsenceMs ?? 0,
    input.rules,
  ];
  if (taken.length > 0) facts.push(taken);
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url');
}

/** Time that overrides give to people from `at` on, merged, because the plan decides where shifts cut it. */
function takenIn({ stages }: ProblemInput, at: number): unknown[] {
  const taken = stages.flatMap(({ stage, places, extra = [] }) => [
    ...places.flatMap(({ seat, taken: own = [] }) => own.map((one) => ({ ...one, stage, seat }))),
    ...extra.map((one) => ({ ...one, stage })),
  ]);
  const coming = taken.filter(({ to }) => to > at);
  const lists = Map.groupBy(coming, ({ stage, seat, userId }) => JSON.stringify([stage, seat, userId]));
  return [...lists].map(([key, own]) => [key, union(own).map(({ to }) => to)]).sort();
}

function holding({ stage, seat, to, kept }: Place) {
  return { stage, seat, to, userId: kept?.userId ?? null };
}

/** The current plan: who has each place, and the reasons of the gaps. */
export function presentPlan(input: ProblemInput, known: readonly PlannedShift[]): PlannedShift[] {
  const gaps = new Map(known.filter(({ userId }) => userId === null).map((shift) => [keyOf(shift), shift]));
  return input.stages.flatMap(({ places }) =>
    [...places]
      .sort((a, b) => a.from - b.from || a.seat - b.seat)
      .map((place) => {
        const { kept } = place;
        const { stage, seat } = place;
        if (kept) return { stage, seat, ...spanOf(place), ...kept };
        const reason = gaps.get(keyOf(place))?.reason ?? null;
        return { stage, seat, ...gapOf(place), userId: null, reason };
      }),
  );
}

/** A seat has only one place that ends at an instant, whereas the start of a running place changes. */
function keyOf({ stage, seat, to }: { stage: number; seat: number; to: number }): string {
  return `${stage} ${seat} ${to}`;
}
