import { lowestOf } from '../kit/extremes.ts';
import { clip, type Interval, union } from '../kit/interval.ts';
import { WEIGHTS } from '../planning/solver/weights.ts';
import { add, type Calendar, type Measure, type Measured, nothing } from '../schedules/burdens.ts';
import { countsFor, sharesOf } from '../schedules/ledger.ts';
import { withTimesNotPlanned } from '../schedules/person-times.ts';
import type { AvailabilityRecord } from '../schedules/planner.ts';
import { presences, type StageMember } from './presence.ts';
import { type Piece, type WholeShift, wholeShifts } from './whole-shifts.ts';

export type ScheduleFacts = {
  id: string;
  /** The zone and calendar that decide what is a night, a weekend or a holiday. */
  calendar: Calendar;
  /** How many times as much as usual they count in this schedule. */
  weights: { night: number; weekend: number; holiday: number };
  /** An absence of at most this length that is small compared with the shift does not exclude a person from it. */
  smallAbsenceMs: number;
  members: readonly StageMember[];
  /** When the rules of the schedule say that a person is not planned. */
  notPlanned?: ReadonlyMap<string, readonly AvailabilityRecord[]>;
  /** By stage, seat and start. */
  pieces: readonly Piece[];
};

/** The load of a person in a period, over all schedules of the report. */
export type Carried = {
  measured: Measured;
  shifts: number;
  nights: number;
  weekends: number;
  holidays: number;
  burden: number;
  /** How often they could have had a shift, by the planner's rule. */
  present: number;
  /** Their share and their number of shifts in stages that they are a member of; null if there is no such stage. */
  share: number | null;
  ofShare: number;
  taken: number;
  given: number;
  /** When they had a shift, and for each stage when they could have had one; ascending and without overlaps. */
  had: Interval[];
  could: (readonly Interval[])[];
};

type Ledger = Map<string, Carried>;

/** Adds the load of people in one schedule. */
export function carryIn(
  ledger: Ledger,
  schedule: ScheduleFacts,
  measure: Measure,
  absences: ReadonlyMap<string, readonly AvailabilityRecord[]>,
  period: Interval,
): void {
  const places = wholeShifts(schedule.pieces).filter((place) => clip(place, period));
  const members = new Set(schedule.members.map(({ userId }) => userId));
  const lowest = lowestOf(schedule.pieces.map(({ stage }) => stage));
  const own = new Map<string, number>();
  for (const place of places) {
    const takers = new Set(place.pieces.filter(({ isTaken }) => isTaken).map(({ userId }) => userId));
    for (const share of sharesOf(place.pieces, measure, period)) {
      const carried = of(ledger, share.userId);
      add(carried.measured, share.measured);
      for (const kind of ['shifts', 'nights', 'weekends', 'holidays'] as const) carried[kind] += share[kind];
      carried.burden += burdenOf(share, place.stage === lowest, schedule.weights);
      const { stage, from, to } = place;
      const isTaken = takers.has(share.userId);
      if (countsFor(share.userId, { stage, from, to, isTaken }, schedule.members))
        own.set(share.userId, (own.get(share.userId) ?? 0) + share.shifts);
    }
    countCovers(ledger, place, period);
  }
  const { smallAbsenceMs, notPlanned } = schedule;
  const records = notPlanned ? withTimesNotPlanned(absences, notPlanned) : absences;
  share(ledger, presences(places, schedule.members, { records, smallAbsenceMs }, period), own, members);
  noteTimes(ledger, schedule.members, places, period);
}

/** In shifts without weights. */
function burdenOf(
  { shifts, nights, weekends, holidays }: Pick<Carried, 'shifts' | 'nights' | 'weekends' | 'holidays'>,
  isFirst: boolean,
  weights: ScheduleFacts['weights'],
): number {
  const points =
    shifts * (WEIGHTS.total + (isFirst ? WEIGHTS.first : 0)) +
    nights * WEIGHTS.night * weights.night +
    weekends * WEIGHTS.weekend * weights.weekend +
    holidays * WEIGHTS.holiday * weights.holiday;
  return points / WEIGHTS.total;
}

/** Divides the shifts of all members in proportion to how much of the time each was available. */
function share(
  ledger: Ledger,
  present: ReadonlyMap<string, number>,
  own: ReadonlyMap<string, number>,
  members: ReadonlySet<string>,
): void {
  const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
  const everywhere = sum(present.values());
  const shifts = sum([...members].map((userId) => own.get(userId) ?? 0));
  for (const userId of members) {
    const carried = of(ledger, userId);
    const there = present.get(userId) ?? 0;
    carried.present += there;
    carried.share = (carried.share ?? 0) + (everywhere > 0 ? (there * shifts) / everywhere : 0);
    carried.ofShare += own.get(userId) ?? 0;
  }
}

/** Taking or giving several parts of one shift counts once. */
function countCovers(ledger: Ledger, { pieces }: WholeShift, period: Interval): void {
  const moved = pieces.filter(
    (piece) => piece.userId !== null && piece.takenFrom !== null && clip(piece, period),
  );
  for (const userId of new Set(moved.map((piece) => piece.userId)))
    if (userId !== null) of(ledger, userId).taken++;
  for (const userId of new Set(moved.map((piece) => piece.takenFrom)))
    if (userId !== null) of(ledger, userId).given++;
}

/** For the report on wishes. */
function noteTimes(
  ledger: Ledger,
  members: readonly StageMember[],
  places: readonly WholeShift[],
  period: Interval,
): void {
  for (const [stage, own] of Map.groupBy(places, (place) => place.stage)) {
    const pieces = own.flatMap((place) => place.pieces);
    const spans = pieces.flatMap((piece) => clip(piece, period) ?? []);
    const times = union(spans);
    for (const member of members) if (member.stage === stage) of(ledger, member.userId).could.push(times);
    for (const piece of pieces) {
      const span = piece.userId === null ? null : clip(piece, period);
      if (piece.userId !== null && span) of(ledger, piece.userId).had.push(span);
    }
  }
}

function of(ledger: Ledger, userId: string): Carried {
  const known = ledger.get(userId) ?? {
    ...{ measured: nothing(), shifts: 0, nights: 0, weekends: 0, holidays: 0, burden: 0 },
    ...{ present: 0, share: null, ofShare: 0, taken: 0, given: 0, had: [], could: [] },
  };
  ledger.set(userId, known);
  return known;
}
