import { union } from '../kit/interval.ts';
import {
  type Apart,
  type ApartGroup,
  apartBecause,
  apartFrom,
  apartOf,
  apartRefusal,
} from '../schedules/apart.ts';
import { awayBecause, isAlwaysOnCall } from '../schedules/eligibility.ts';
import { type ElsewhereShift, inTheWay } from '../schedules/elsewhere.ts';
import { leftOf, takenOf } from '../schedules/ledger.ts';
import {
  areNear,
  type Extra,
  overlap,
  type Place,
  type PlanInput,
  type Refusal,
  type StageInput,
  type Stint,
  served,
} from '../schedules/planner.ts';

/** A shift, or part of one, that a person has. */
export type Duty = Stint & {
  stage: number;
  seat?: number;
  /** The start of the whole shift, if this is part of one. */
  shift?: number;
  /** The person has it (the whole shift or part of it) through an override, a cover or a swap. */
  override?: 'whole' | 'part';
  /** It belongs to another schedule: it counts for rest and limits, but does not exclude a shift at the same time. */
  elsewhere?: ElsewhereShift;
};

/** The stage of shifts in other schedules; real stages are not negative. */
const ELSEWHERE = -1;

type Planned = Stint & Pick<Place, 'stage' | 'seat' | 'taken'> & Partial<Pick<Place, 'servedFrom'>>;

/** One person's duties, sorted by start; `longest` is the duration of the longest one in milliseconds. */
type DutyList = { sorted: Duty[]; longest: number };

/** Tracks who has which shifts while a plan is made, and decides whether a person can take another one. */
export class Duties {
  readonly #byUser = new Map<string, DutyList>();
  readonly #givenByUser = new Map<string, DutyList>();
  readonly #records: PlanInput['records'];
  readonly #restMs: number;
  readonly #smallAbsenceMs: number;
  readonly #groups: readonly ApartGroup[];
  readonly #apart: readonly Apart[];

  constructor(input: Pick<PlanInput, 'records' | 'restMs' | 'smallAbsenceMs' | 'apart'>) {
    this.#groups = input.apart ?? [];
    this.#apart = apartOf(input.apart);
    this.#records = input.records;
    this.#smallAbsenceMs = input.smallAbsenceMs ?? 0;
    this.#restMs = input.restMs;
  }

  add(userId: string, duty: Duty): void {
    enter(this.#byUser, userId, duty);
  }

  /**
   * Adds a shift that is planned for a person. Parts that overrides give to others need no rest around them, but still
   * block other shifts at that time, because they return to the person when the override is deleted. If overrides give
   * away the rest of a running shift, it needs no rest either, because the plan that assigned it required none.
   */
  addPlanned(userId: string, shift: Planned): void {
    if (!shift.taken?.length) {
      this.add(userId, shift);
      return;
    }
    enter(this.#givenByUser, userId, shift);
    const { stage, seat, from, servedFrom = from } = shift;
    const left = leftOf(shift);
    if (!left.some(({ to }) => to > servedFrom)) return;
    for (const span of left) this.add(userId, { ...span, stage, seat, shift: from });
  }

  /** All duties of a person, sorted by start. */
  of(userId: string): readonly Duty[] {
    return this.#byUser.get(userId)?.sorted ?? [];
  }

  /** The planned shifts of a person that overrides give to others, wholly or in part, sorted by start. */
  givenBy(userId: string): readonly Duty[] {
    return this.#givenByUser.get(userId)?.sorted ?? [];
  }

  /** Groups of people who are never on call together. */
  get groups(): readonly ApartGroup[] {
    return this.#groups;
  }

  get apart(): readonly Apart[] {
    return this.#apart;
  }

  /** Why a person cannot take a shift of a stage; null if they can. */
  refusal(userId: string, stage: StageInput, place: Place): Refusal | null {
    const shift = served(place);
    const left = leftIn(shift, place);
    const absent = this.#absence(userId, stage, place, { shift, left });
    if (absent || !left) return absent;
    const near = nearIn(this.#byUser.get(userId), left, this.#restMs);
    const tooNear = near.filter(
      (duty) =>
        !isOfStageAlwaysOn(stage, duty) &&
        !isSameBlock(duty, stage, place) &&
        !isOn(duty, stage, place) &&
        !isAccepted(duty, userId, place) &&
        !(duty.elsewhere && overlap(duty, left)),
    );
    const [first] = tooNear;
    if (!first) return null;
    const elsewhere = tooNear.every((duty) => duty.elsewhere) && first.elsewhere;
    return { because: 'rest', ...(elsewhere ? { elsewhere: inTheWay(elsewhere, left) } : {}) };
  }

  /** Like `refusal`, but ignores the rest between shifts: reports only absences and simultaneous shifts. */
  absence(userId: string, stage: StageInput, place: Place): Refusal | null {
    const shift = served(place);
    return this.#absence(userId, stage, place, { shift, left: leftIn(shift, place) });
  }

  #absence(
    userId: string,
    stage: StageInput,
    place: Place,
    { shift, left }: { shift: Stint; left: Stint | null },
  ): Refusal | null {
    const simultaneous = nearIn(this.#byUser.get(userId), shift, 0).filter(
      (duty) =>
        !duty.elsewhere &&
        (!duty.override ||
          (left &&
            overlap(duty, left) &&
            !isOn(duty, stage, place) &&
            !isOnAnotherSeat(duty, userId, stage, place))),
    );
    const given = nearIn(this.#givenByUser.get(userId), shift, 0);
    const isSeated = (duty: Duty) => duty.stage === stage.stage;
    if (simultaneous.some(isSeated) || given.some(isSeated)) return { because: 'seated' };
    const away = awayBecause(this.#records.get(userId) ?? [], left ?? shift, this.#smallAbsenceMs);
    if (away) return { because: away };
    if (simultaneous.length + given.length > 0) return { because: 'busy' };
    return left && this.#apartRefusal(userId, place, left);
  }

  /**
   * Who is on call during a shift of a person although they may not be on call together. A published shift stays with
   * its person if people put such another person on call: the service warned them, and nobody else should lose a shift
   * because of it.
   */
  #apartRefusal(userId: string, { kept, otherHours }: Place, left: Stint): Refusal | null {
    const isKept = kept?.userId === userId && !otherHours;
    const isOn = (other: string) =>
      nearIn(this.#byUser.get(other), left, 0).some(
        ({ override, elsewhere }) => !elsewhere && (!isKept || override === undefined),
      );
    const other = apartFrom(this.#apart, userId).find(isOn);
    const why = other === undefined ? null : apartBecause(this.#apart, userId, other);
    return other !== undefined && why ? apartRefusal(why, other) : null;
  }

  /** Whether a record of this type overlaps the shift. */
  covers(userId: string, type: 'soft_unavailable' | 'requested', shift: Stint): boolean {
    return (this.#records.get(userId) ?? []).some((record) => record.type === type && overlap(record, shift));
  }

  /** Whether the previous or next shift of the stage is planned for the person, even if somebody else takes it over. */
  isNextTo(userId: string, stage: number, shift: Stint): boolean {
    const planned = nearIn(this.#byUser.get(userId), shift, 1).filter(
      (duty) => duty.override === undefined && duty.shift === undefined,
    );
    const given = nearIn(this.#givenByUser.get(userId), shift, 1);
    return [...planned, ...given].some((duty) => duty.stage === stage);
  }
}

/** Duties that the plan cannot change: past shifts, fixed shifts, and time given by overrides. */
export function fixedDuties(input: PlanInput): Duties {
  const duties = new Duties(input);
  for (const { stage, past, places, extra = [] } of input.stages) {
    for (const shift of past) addFixed(duties, shift, shift.userId);
    for (const place of places) {
      const holder = place.fixed ? (place.kept?.userId ?? null) : null;
      addFixed(duties, place, holder);
    }
    for (const { userId, ...duty } of dutiesBeside(extra)) duties.add(userId, { ...duty, stage });
  }
  addElsewhere(duties, input);
  return duties;
}

/** The shifts in other schedules that count for rest and limits. */
function addElsewhere(duties: Duties, { elsewhere, countElsewhereSince }: PlanInput): void {
  if (countElsewhereSince === undefined) return;
  for (const [userId, shifts] of elsewhere ?? [])
    for (const [seat, shift] of shifts.entries()) {
      const { from, to, parts, isAlwaysOn } = shift;
      if (isAlwaysOn) continue;
      const span = { from, to, ...(parts ? { parts } : {}) };
      duties.add(userId, { ...span, stage: ELSEWHERE, seat, elsewhere: shift });
    }
}

/** The person who had a place in the plan so far, if they are still a member of its stage and can take it. */
export function holderOf(place: Place, stage: StageInput, duties: Duties): string | null {
  const userId = place.kept?.userId;
  if (!userId || !stage.members.some((member) => member.userId === userId)) return null;
  return duties.refusal(userId, stage, place) ? null : userId;
}

/** Sorted by end, so that a person who can no longer keep all of their shifts keeps as many as possible. */
export function inOrderOfKeeping(places: readonly Place[]): Place[] {
  return places.toSorted((a, b) => a.to - b.to || a.from - b.from || a.seat - b.seat);
}

/**
 * The published shifts of these stages that their people can keep, taken together, so that nobody loses a shift
 * needlessly. A shift that its person cannot keep is left out and therefore does not block that person's other shifts.
 */
export function publishedDuties(stages: readonly StageInput[], restMs: number, duties: Duties): Duties {
  const published = new Duties({ records: new Map(), restMs, apart: duties.groups });
  for (const stage of stages)
    for (const place of inOrderOfKeeping(stage.places)) {
      const userId = place.fixed ? null : holderOf(place, stage, duties);
      if (userId !== null && !published.refusal(userId, stage, place)) published.addPlanned(userId, place);
    }
  return published;
}

/** Merges time without a seat by person, because the plan decides where to cut it. */
function dutiesBeside(extra: readonly Extra[]): Omit<Duty & { userId: string }, 'stage'>[] {
  const [seated, floating] = [
    extra.filter(({ seat }) => seat !== null),
    extra.filter(({ seat }) => seat === null),
  ];
  return [
    ...seated.map(({ userId, from, to, seat, override }) => ({
      userId,
      from,
      to,
      seat: seat ?? 1,
      override,
    })),
    ...[...Map.groupBy(floating, ({ userId }) => userId)].flatMap(([userId, own]) =>
      union(own).map((span) => {
        const isWhole = own.some((one) => one.override === 'whole' && overlap(one, span));
        return { userId, ...span, override: isWhole ? ('whole' as const) : ('part' as const) };
      }),
    ),
  ];
}

function addFixed(duties: Duties, shift: Planned, holder: string | null): void {
  if (holder !== null) duties.addPlanned(holder, shift);
  if (!shift.taken?.length) return;
  for (const [userId, own] of Map.groupBy(takenOf(shift), (part) => part.userId)) {
    const override = own.some(({ isWhole }) => isWhole) ? 'whole' : 'part';
    const { stage, seat } = shift;
    for (const { from, to } of own)
      duties.add(userId, { from, to, stage, seat, shift: shift.from, override });
  }
}

/** The part of a place that its person would serve after overrides; null if nothing is left. */
export function servedLeft(place: Place): Stint | null {
  return leftIn(served(place), place);
}

function leftIn(shift: Stint, { taken }: Place): Stint | null {
  if (!taken?.length) return shift;
  const parts = leftOf({ ...shift, taken });
  const [first, last] = [parts[0], parts.at(-1)];
  return first && last ? { ...shift, from: first.from, to: last.to, parts } : null;
}

function enter(lists: Map<string, DutyList>, userId: string, duty: Duty): void {
  const known = lists.get(userId) ?? { sorted: [], longest: 0 };
  known.sorted.splice(indexFrom(known.sorted, duty.from), 0, duty);
  known.longest = Math.max(known.longest, duty.to - duty.from);
  lists.set(userId, known);
}

/** Duties less than `marginMs` away from a span, including those that overlap it. */
function nearIn(known: DutyList | undefined, span: Stint, marginMs: number): Duty[] {
  if (!known) return [];
  const wide = { from: span.from - marginMs, to: span.to + marginMs };
  const near: Duty[] = [];
  for (let index = indexFrom(known.sorted, wide.from - known.longest); ; index++) {
    const duty = known.sorted[index];
    if (!duty || duty.from >= wide.to) return near;
    if (areNear(duty, span, marginMs)) near.push(duty);
  }
}

/** The person has a part of this shift through an override, so the rest of it is not a second shift for them. */
function isOn(duty: Duty, { stage }: StageInput, place: Place): boolean {
  return (
    duty.override !== undefined &&
    duty.stage === stage &&
    (duty.seat ?? place.seat) === place.seat &&
    overlap(duty, place)
  );
}

/**
 * The person has another seat of the stage for a while through an override, although this shift is published for them.
 * They keep it: a cover gives a seat to a person whose own seat somebody else has at that time, and which seat an
 * override without one takes is not known while planning.
 */
function isOnAnotherSeat(
  duty: Duty,
  userId: string,
  { stage }: StageInput,
  { kept, otherHours }: Place,
): boolean {
  return duty.override !== undefined && duty.stage === stage && kept?.userId === userId && !otherHours;
}

/**
 * Whether a person keeps a published shift without the usual rest: they took over part of an adjacent shift, or a whole
 * shift close to one of their own that begins within three days, and so knew of both.
 */
function isAccepted(duty: Duty, userId: string, { kept, otherHours, keptWithoutRest }: Place): boolean {
  if (kept?.userId !== userId || otherHours) return false;
  // Published shifts stay, no matter what other schedules plan.
  if (duty.elsewhere) return true;
  if (duty.override === undefined) return false;
  return duty.override === 'part' || keptWithoutRest === true;
}

function isOfStageAlwaysOn(stage: StageInput, duty: Duty): boolean {
  const isNear = duty.stage === stage.stage || duty.elsewhere !== undefined;
  return isNear && isAlwaysOnCall(stage.members.length, stage.seats);
}

/** A person may have several pieces of one shift, including consecutive ones. */
function isSameBlock(duty: Duty, { stage }: StageInput, shift: Place): boolean {
  return (
    duty.pieceOf !== undefined &&
    duty.pieceOf === shift.pieceOf &&
    duty.stage === stage &&
    !overlap(duty, shift)
  );
}

/** The first duty that begins at or after `from`. */
function indexFrom(sorted: readonly Duty[], from: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.from ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
