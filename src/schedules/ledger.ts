import { clip, type Interval, union, within, without } from '../kit/interval.ts';
import { type Burden, burdensOf, type Measure, type Measured, measureAll } from './burdens.ts';
import { isAwayFor } from './eligibility.ts';
import { type AvailabilityRecord, type Member, type Stint, shareStart, type Taken } from './planner.ts';

/**
 * The ledger of who really had a shift, used by the planner and the reports. Time that an override, a cover or a swap
 * gave to a person is theirs; the person for whom the shift was planned has the rest.
 */

/** A part of a shift with the person who really had it; null for nobody. */
export type Had = Interval & { userId: string | null };

type MaybeTaken = Stint & { taken?: readonly Taken[] };

/** The parts of a shift that overrides leave to the person for whom it is planned, ascending. */
export function leftOf({ taken = [], from, to, parts }: MaybeTaken): readonly Interval[] {
  return without(parts ?? [{ from, to }], union(taken));
}

/** The parts of a shift that overrides give to somebody. */
export function takenOf({ taken = [], from, to, parts }: MaybeTaken): Taken[] {
  const spans = parts ?? [{ from, to }];
  return taken.flatMap((one) => within(spans, one).map((part) => ({ ...one, ...part })));
}

/** Whether overrides give the whole shift to others, so that its planned person does not matter. */
export function isAllTaken(shift: MaybeTaken): boolean {
  return shift.taken !== undefined && leftOf(shift).length === 0;
}

/** All parts of a shift with the people who really have them. `userId`: the planned person. */
export function hadOf(shift: MaybeTaken, userId: string | null): Had[] {
  return [...leftOf(shift).map((span) => ({ ...span, userId })), ...takenOf(shift)];
}

/** What a person had of a shift within a period; the counts are fractions of one shift. */
export type Share = {
  userId: string;
  measured: Measured;
  shifts: number;
  nights: number;
  weekends: number;
  holidays: number;
};

const ALWAYS: Interval = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/**
 * What each person had of a shift within `period`. Whether it is a night, weekend or holiday is decided for the whole
 * shift; a person who had half of its weekend hours had half a weekend.
 */
export function sharesOf(pieces: readonly Had[], measure: Measure, period: Interval = ALWAYS): Share[] {
  const whole = measureAll(pieces, measure);
  const burdens = knownBurdens(whole);
  const part = (mine: number, all: number) => (all > 0 ? mine / all : 0);
  return [...measuredWithin(pieces, measure, period)].map(([userId, measured]) => ({
    userId,
    measured,
    shifts: part(measured.all, whole.all),
    nights: burdens.has('night') ? part(measured.night, whole.night) : 0,
    weekends: burdens.has('weekend') ? part(measured.weekend, whole.weekend) : 0,
    holidays: burdens.has('holiday') ? part(measured.holiday, whole.holiday) : 0,
  }));
}

function measuredWithin(pieces: readonly Had[], measure: Measure, period: Interval) {
  const spans = new Map<string, Interval[]>();
  for (const piece of pieces) {
    const span = piece.userId === null ? null : clip(piece, period);
    if (piece.userId === null || span === null) continue;
    const own = spans.get(piece.userId);
    if (own) own.push(span);
    else spans.set(piece.userId, [span]);
  }
  return [...spans].map(([userId, own]) => [userId, measureAll(own, measure)] as const);
}

/** Whether a person could have had a shift of one of their stages: they had joined by then and were not away. */
export function couldHave(
  member: Pick<Member, 'joinedAt' | 'sharesFrom'>,
  shift: Stint,
  records: readonly AvailabilityRecord[],
  smallAbsenceMs?: number,
): boolean {
  return shift.to > shareStart(member) && !isAwayFor(records, shift, smallAbsenceMs);
}

/**
 * Whether a person's part of a shift counts towards their share. Planned shifts count from when a share of that stage
 * is expected of them. Shifts that they took over count from when they joined any stage.
 */
export function countsFor(
  userId: string,
  shift: Interval & { stage: number; isTaken: boolean },
  memberships: readonly (Member & { stage: number })[],
): boolean {
  const own = memberships.filter((member) => member.userId === userId);
  const starts = shift.isTaken
    ? own.map(({ joinedAt }) => joinedAt)
    : own.filter(({ stage }) => stage === shift.stage).map(shareStart);
  return starts.some((start) => shift.to > start);
}

const burdensByMeasure = new WeakMap<Measured, ReadonlySet<Burden>>();

function knownBurdens(measured: Measured): ReadonlySet<Burden> {
  const burdens = burdensByMeasure.get(measured) ?? burdensOf(measured);
  burdensByMeasure.set(measured, burdens);
  return burdens;
}
