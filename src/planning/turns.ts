import { isAllTaken } from '../schedules/ledger.ts';
import {
  gapOf,
  type Place,
  type PlanInput,
  type PlannedShift,
  type Reason,
  type Refusal,
  type StageInput,
  spanOf,
} from '../schedules/planner.ts';
import { type Demand, neededElsewhere, sweep } from './coverage.ts';
import { type Duties, fixedDuties, holderOf, inOrderOfKeeping, publishedDuties } from './duties.ts';

/** How a strategy picks people for one stage, with every shift of the stage in order of time. */
export type Chooser = {
  see(shift: PlannedShift): void;
  /** `able` is not empty; `refusals` says why the other members are not in it. */
  choose(
    place: Place,
    able: readonly string[],
    refusals: ReadonlyMap<string, Refusal>,
  ): { userId: string; reason: Reason };
};

type Given = { place: Place; shift: PlannedShift };

/**
 * Assigns shifts one after the other, lower stages first. Planned shifts stay where they still can; a shift that nobody
 * can take becomes a gap.
 */
export function planInTurns(
  input: PlanInput,
  chooserFor: (stage: StageInput, duties: Duties) => Chooser,
): PlannedShift[] {
  const plans = planStages(input, chooserFor);
  // A person who lost a shift may now be able to fill a gap. Fill it now, or the next planning run would change the
  // plan.
  const final = mayFillMore(plans) ? planStages(asPublished(input, plans), chooserFor) : plans;
  return final.flatMap((plan) => plan.map(({ place, shift }) => marked(place, shift)));
}

function planStages(input: PlanInput, chooserFor: (stage: StageInput, duties: Duties) => Chooser): Given[][] {
  const duties = fixedDuties(input);
  const plans = input.stages.map((stage, index) =>
    planStage(stage, input.stages.slice(index + 1), input, duties, chooserFor(stage, duties)),
  );
  // The reasons for a gap are final only after all shifts are assigned. The next planning run must give the same
  // reasons.
  return input.stages.map((stage, index) =>
    (plans[index] ?? []).map(({ place, shift }) => ({
      place,
      shift:
        shift.userId === null ? { ...shift, reason: gapReason(refusalsOf(place, stage, duties)) } : shift,
    })),
  );
}

/** Whether people lost shifts of a higher stage while a lower one has gaps. */
function mayFillMore(plans: readonly (readonly Given[])[]): boolean {
  const isLost = ({ place, shift }: Given) => place.kept !== null && shift.userId !== place.kept.userId;
  const isGap = ({ place, shift }: Given) => place.yields && shift.userId === null;
  const lowest = plans.findIndex((plan) => plan.some(isGap));
  return lowest >= 0 && plans.slice(lowest + 1).some((plan) => plan.some(isLost));
}

/** The input as it will be once these plans are published. */
function asPublished(input: PlanInput, plans: readonly (readonly Given[])[]): PlanInput {
  const shifts = new Map(plans.flat().map(({ place, shift }) => [place, shift]));
  const published = (place: Place): Place => {
    const { userId = null, reason = null } = shifts.get(place) ?? {};
    if (place.fixed) return place;
    const { wasGap: _, otherHours: __, ...rest } = place;
    if (userId === null) return { ...rest, kept: null, wasGap: true, yields: true };
    return { ...rest, kept: { userId, reason }, yields: false };
  };
  return {
    ...input,
    stages: input.stages.map((stage) => ({ ...stage, places: stage.places.map(published) })),
  };
}

/** Marks a piece of a shared shift, so that the next planning run recognizes it. */
function marked({ shared }: Place, shift: PlannedShift): PlannedShift {
  return shared && shift.reason ? { ...shift, reason: { ...shift.reason, shared } } : shift;
}

function planStage(
  stage: StageInput,
  higher: readonly StageInput[],
  { restMs }: Pick<PlanInput, 'restMs'>,
  duties: Duties,
  chooser: Chooser,
): Given[] {
  const places = [...stage.places].sort((a, b) => a.from - b.from || a.seat - b.seat);
  const kept = new Set(inOrderOfKeeping(places).filter((place) => place.fixed || keep(place, stage, duties)));
  const known = publishedDuties(higher, restMs, duties);
  const demandsAt = sweep([
    ...higher.flatMap((other) =>
      other.places
        .filter((place) => !place.fixed && !isAllTaken(place))
        .map((place) => ({ stage: other, place })),
    ),
    ...places.filter((place) => !kept.has(place) && !isAllTaken(place)).map((place) => ({ stage, place })),
  ]);
  const decided = new Set<Place>();
  for (const shift of stage.past) chooser.see(shift);
  const pieces = piecesTogether(chooser);
  return places.map((place) => {
    decided.add(place);
    const demands = () => demandsAt(place).filter((demand) => !decided.has(demand.place));
    const shift = kept.has(place)
      ? keptShift(place)
      : decide(place, stage, duties, known, pieces.chooser, demands);
    pieces.note(place, shift);
    chooser.see(shift);
    return { place, shift };
  });
}

/** Gives the next piece of a cut shift to the person who has the previous one, as long as they can take it. */
function piecesTogether(chooser: Chooser) {
  const latest = new Map<number, Given>();
  return {
    note: (place: Place, shift: PlannedShift) => void latest.set(place.seat, { place, shift }),
    chooser: {
      see: chooser.see,
      choose(place, able, refusals) {
        const before = latest.get(place.seat);
        const userId = before?.shift.userId;
        const isNext = place.pieceOf !== undefined && before?.place.pieceOf === place.pieceOf;
        if (!isNext || !userId || !able.includes(userId)) return chooser.choose(place, able, refusals);
        const rule = before.shift.reason?.rule === 'least' ? 'least' : 'turn';
        return { userId, reason: { rule, skipped: [] } };
      },
    } satisfies Chooser,
  };
}

/** Gives a place to its former holder if they can still take it. */
function keep(place: Place, stage: StageInput, duties: Duties): boolean {
  const userId = holderOf(place, stage, duties);
  if (userId !== null) duties.addPlanned(userId, place);
  return userId !== null;
}

function keptShift(place: Place): PlannedShift {
  const { stage, seat, kept } = place;
  return { stage, seat, ...spanOf(place), userId: kept?.userId ?? null, reason: kept?.reason ?? null };
}

function decide(
  place: Place,
  stage: StageInput,
  duties: Duties,
  known: Duties,
  chooser: Chooser,
  demands: () => Demand[],
): PlannedShift {
  const { to, seat } = place;
  const common = { stage: stage.stage, seat, to };
  const refusals = refusalsOf(place, stage, duties);
  const able = ableFor(place, stage, known, refusals);
  if (able.length === 0) return { ...common, ...gapOf(place), userId: null, reason: null };
  const needed = able.length > 1 ? neededElsewhere(able, demands(), duties) : new Set<string>();
  for (const userId of needed) refusals.set(userId, { because: 'needed' });
  const free = able.filter((userId) => !needed.has(userId));
  const { userId, reason } = chooser.choose(place, free, refusals);
  duties.addPlanned(userId, place);
  return { ...common, ...spanOf(place), userId, reason };
}

/** Members who can take the place. Adds those needed by another stage to `refusals`, unless nobody else can take it. */
function ableFor(place: Place, stage: StageInput, known: Duties, refusals: Map<string, Refusal>): string[] {
  const able = stage.members.map(({ userId }) => userId).filter((userId) => !refusals.has(userId));
  const losses = refusalsOf(place, stage, known);
  const spared = able.filter((userId) => !losses.has(userId));
  if (spared.length === 0 && !place.yields) return able;
  for (const userId of able) {
    const loss = losses.get(userId);
    if (loss) refusals.set(userId, loss);
  }
  return spared;
}

function refusalsOf(place: Place, stage: StageInput, duties: Duties): Map<string, Refusal> {
  const refusals = new Map<string, Refusal>();
  for (const { userId } of stage.members) {
    const refusal = duties.refusal(userId, stage, place);
    if (refusal) refusals.set(userId, refusal);
  }
  return refusals;
}

function gapReason(refusals: ReadonlyMap<string, Refusal>): Reason {
  return { rule: 'nobody', skipped: [...refusals].map(([user_id, refusal]) => ({ user_id, ...refusal })) };
}
