import { type Demand, neededElsewhere, sweep } from './coverage.ts';
import { Duties } from './duties.ts';
import type { Because, Place, PlanInput, PlannedShift, Reason, StageInput } from './planner.ts';

/** How a strategy picks for one stage. It sees every shift of the stage in the order of time. */
export type Chooser = {
  see(shift: PlannedShift): void;
  /** `able` is not empty; `refusals` says why the other members are not in it. */
  choose(
    place: Place,
    able: readonly string[],
    refusals: ReadonlyMap<string, Because>,
  ): { userId: string; reason: Reason };
};

/**
 * Gives one shift after the other away, lower stages first. What was planned before stays where it still can; where
 * nobody can there is a gap.
 */
export function planInTurns(
  input: PlanInput,
  chooserFor: (stage: StageInput, duties: Duties) => Chooser,
): PlannedShift[] {
  const duties = new Duties(input);
  for (const stage of input.stages) {
    for (const shift of [...stage.past, ...stage.places.filter(({ fixed }) => fixed).map(keptShift)])
      if (shift.userId) duties.add(shift.userId, shift);
  }
  return input.stages.flatMap((stage, index) =>
    planStage(stage, input.stages.slice(index + 1), duties, chooserFor(stage, duties)),
  );
}

function planStage(
  stage: StageInput,
  higher: readonly StageInput[],
  duties: Duties,
  chooser: Chooser,
): PlannedShift[] {
  const places = [...stage.places].sort((a, b) => a.from - b.from || a.seat - b.seat);
  const kept = new Set(places.filter((place) => place.fixed || keep(place, stage, duties)));
  const demandsAt = sweep([
    ...higher.flatMap((other) =>
      other.places.filter(({ fixed }) => !fixed).map((place) => ({ stage: other, place })),
    ),
    ...places.filter((place) => !kept.has(place)).map((place) => ({ stage, place })),
  ]);
  const decided = new Set<Place>();
  for (const shift of stage.past) chooser.see(shift);
  const shifts = places.map((place) => {
    decided.add(place);
    const demands = () => demandsAt(place).filter((demand) => !decided.has(demand.place));
    const shift = kept.has(place) ? keptShift(place) : decide(place, stage, duties, chooser, demands);
    chooser.see(shift);
    return { place, shift };
  });
  // What keeps everybody from a gap is told when the stage is complete: planning again must say the same.
  return shifts.map(({ place, shift }) =>
    shift.userId === null ? { ...shift, reason: gapReason(refusalsOf(place, stage, duties)) } : shift,
  );
}

/** Enters a place's former holder, if that is still possible. */
function keep(place: Place, stage: StageInput, duties: Duties): boolean {
  const userId = place.kept?.userId;
  if (!userId || !stage.members.some((member) => member.userId === userId)) return false;
  if (duties.refusal(userId, stage, { from: place.servedFrom, to: place.to })) return false;
  duties.add(userId, place);
  return true;
}

function keptShift({ stage, seat, from, to, kept }: Place): PlannedShift {
  return { stage, seat, from, to, userId: kept?.userId ?? null, reason: kept?.reason ?? null };
}

function decide(
  place: Place,
  stage: StageInput,
  duties: Duties,
  chooser: Chooser,
  demands: () => Demand[],
): PlannedShift {
  const { from, to, seat } = place;
  const refusals = refusalsOf(place, stage, duties);
  const able = stage.members.map(({ userId }) => userId).filter((userId) => !refusals.has(userId));
  if (able.length === 0)
    return { stage: stage.stage, seat, from: place.gapFrom, to, userId: null, reason: null };
  const needed = able.length > 1 ? neededElsewhere(able, demands(), duties) : new Set<string>();
  for (const userId of needed) refusals.set(userId, 'needed');
  const free = able.filter((userId) => !needed.has(userId));
  const { userId, reason } = chooser.choose(place, free, refusals);
  duties.add(userId, { stage: stage.stage, from, to });
  return { stage: stage.stage, seat, from, to, userId, reason };
}

function refusalsOf(place: Place, stage: StageInput, duties: Duties): Map<string, Because> {
  const refusals = new Map<string, Because>();
  for (const { userId } of stage.members) {
    const because = duties.refusal(userId, stage, { from: place.servedFrom, to: place.to });
    if (because) refusals.set(userId, because);
  }
  return refusals;
}

function gapReason(refusals: ReadonlyMap<string, Because>): Reason {
  return { rule: 'nobody', skipped: [...refusals].map(([user_id, because]) => ({ user_id, because })) };
}
