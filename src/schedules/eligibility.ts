/**
 * Who can have a shift. Planning, covers, swaps, handing over and previews all use these rules; they differ in how they
 * look up a person's shifts, and in which rules people may override.
 */
import { cut, type Interval, intersects, union } from '../kit/interval.ts';
import { monthIn, weekIn } from './periods.ts';
import { type AvailabilityRecord, areNear, commonMs, lengthOf, overlap, type Stint } from './planner.ts';
import { isSeat, type Roster, type Seated, type Stint as SeatedStint, shiftOf, stintsOf } from './roster.ts';
import type { PlanRules } from './rules.ts';

/** A member who is absent for this fraction of a shift, or more, does not get it. */
const LARGE_PART = 0.1;

/** An absence, or a record of any type, of which only `hard_unavailable` is an absence. */
type MaybeAbsence = Interval & { type?: AvailabilityRecord['type'] };

/**
 * Whether a person is absent for so much of a shift that they cannot have it. Plans allow small absences, of less than
 * a tenth of the shift and at most `smallMs`; a cover is proposed for that time.
 */
export function isAwayFor(records: readonly MaybeAbsence[], shift: Stint, smallMs = 0): boolean {
  const isAbsence = ({ type = 'hard_unavailable' }: MaybeAbsence) => type === 'hard_unavailable';
  const absences = records.filter((record) => isAbsence(record) && overlap(record, shift));
  if (absences.length === 0) return false;
  const ms = union(absences).reduce((sum, absence) => sum + commonMs(absence, shift), 0);
  return ms > smallMs || ms >= LARGE_PART * lengthOf(shift);
}

/** Whether a person is on call in another schedule during a shift. */
export function isElsewhere(
  elsewhere: ReadonlyMap<string, readonly Interval[]> | undefined,
  userId: string,
  shift: Stint,
): boolean {
  return elsewhere?.get(userId)?.some((other) => overlap(other, shift)) ?? false;
}

/** With no more members than seats, everybody is always on call, and shifts need no rest between them. */
export function isAlwaysOnCall(members: number, seats: number): boolean {
  return members <= seats;
}

/** A period (local week or month), and the most shifts of one person that may begin in it. */
export type Limit = { most: number; periodOf(ms: number): string };

export function limitsOf({ shiftsPerWeek, shiftsPerMonth }: PlanRules['limits'], timeZone: string): Limit[] {
  return [
    { most: shiftsPerWeek, periodOf: weekIn(timeZone) },
    { most: shiftsPerMonth, periodOf: monthIn(timeZone) },
  ].flatMap(({ most, periodOf }) => (most === null ? [] : [{ most, periodOf }]));
}

/**
 * Why a person cannot have a seat for a time, worst first: an absence, a simultaneous shift in another stage or another
 * seat of the stage, not being a member, too little rest, the weekly or monthly limit, a shift in another schedule.
 */
export type Ineligibility = 'away' | 'busy' | 'seated' | 'not_member' | 'rest' | 'limit' | 'elsewhere';

/** Nobody can override these. */
const HARD: ReadonlySet<Ineligibility> = new Set(['away', 'busy', 'seated']);
/** Proposals never break these; people may. */
const KEPT: ReadonlySet<Ineligibility> = new Set(['rest', 'not_member', 'limit']);

export function isHard(ineligibility: Ineligibility): boolean {
  return HARD.has(ineligibility);
}

/** All reasons why a person is ineligible, worst first. Their own time on that very seat is ignored. */
export function ineligibilities(roster: Roster, userId: string, place: Seated): Ineligibility[] {
  const others = stintsBeside(roster, userId, place);
  const simultaneous = others.filter((stint) => intersects(stint, place));
  const found: [Ineligibility, boolean][] = [
    ['away', isAwayFor(roster.absences.get(userId) ?? [], place)],
    ['busy', simultaneous.some((stint) => stint.stage !== place.stage)],
    ['seated', simultaneous.some((stint) => stint.stage === place.stage)],
    ['not_member', !(roster.members.get(place.stage) ?? []).includes(userId)],
    ['rest', others.some((stint) => !intersects(stint, place) && excludes(roster, stint, place))],
    ['limit', exceedsLimits(roster, userId, place)],
    ['elsewhere', isElsewhere(roster.elsewhere, userId, place)],
  ];
  return found.flatMap(([ineligibility, applies]) => (applies ? [ineligibility] : []));
}

/**
 * Whether the service may propose a person for a seat. Proposals keep all rules, including those that people may break.
 */
export function mayBeProposed(roster: Roster, userId: string, place: Seated): boolean {
  return ineligibilities(roster, userId, place).every((ineligibility) =>
    ineligibility === 'elsewhere'
      ? roster.rules.elsewhere !== 'never'
      : !isHard(ineligibility) && !KEPT.has(ineligibility),
  );
}

/** The times within a place for which the service may propose a person. */
export function eligibleTimes(roster: Roster, userId: string, place: Seated): Interval[] {
  if (exceedsLimits(roster, userId, place)) return [];
  const taken = stintsInTheWay(roster, userId, place).map(({ from, to }) => ({
    from: from - roster.restMs,
    to: to + roster.restMs,
  }));
  const elsewhere = roster.rules.elsewhere === 'never' ? (roster.elsewhere.get(userId) ?? []) : [];
  const gone: Interval[] = [...(roster.absences.get(userId) ?? []), ...elsewhere, ...taken];
  return gone.reduce<Interval[]>(
    (left, one) => left.flatMap((part) => cut(part, one)),
    [{ from: place.from, to: place.to }],
  );
}

/** A person's shifts that keep them from a seat: simultaneous ones, or those with too little rest between. */
export function stintsInTheWay(roster: Roster, userId: string, place: Seated): SeatedStint[] {
  return stintsBeside(roster, userId, place).filter((stint) => excludes(roster, stint, place));
}

function stintsBeside({ stints }: Roster, userId: string, place: Seated): SeatedStint[] {
  return stintsOf(stints, userId).filter((stint) => !(isSeat(stint, place) && intersects(stint, place)));
}

/** Whether a person with one shift cannot take the other, because they overlap or leave too little rest. */
export function excludes(roster: Roster, stint: Seated, gained: Seated): boolean {
  return areNear(stint, gained, needsNoRest(roster, gained.stage) ? 0 : roster.restMs);
}

export function needsNoRest({ members, seats }: Pick<Roster, 'members' | 'seats'>, stage: number): boolean {
  return isAlwaysOnCall(members.get(stage)?.length ?? 0, seats.get(stage) ?? 1);
}

/** Longer than any month. */
const LONGEST_MS = 32 * 86_400_000;

/** Whether a person with this seat would exceed a limit. A part of a shift counts as that whole shift. */
function exceedsLimits(roster: Roster, userId: string, place: Seated): boolean {
  const limits = rosterLimits(roster);
  if (limits.length === 0) return false;
  const start = shiftOf(roster.stints, place);
  const starts = new Map(
    stintsOf(roster.stints, userId)
      .filter((stint) => Math.abs(startOf(stint) - start) < LONGEST_MS)
      .map((stint) => [shiftKey(stint), startOf(stint)]),
  );
  starts.set(shiftKey({ ...place, shift: start }), start);
  return limits.some(({ most, periodOf }) => {
    const period = periodOf(start);
    return [...starts.values()].filter((one) => periodOf(one) === period).length > most;
  });
}

/** Whether both shifts fall into a period in which taking the second would exceed a limit. */
export function countsInstead(roster: Roster, userId: string, stint: SeatedStint, gained: Seated): boolean {
  if (!exceedsLimits(roster, userId, gained)) return false;
  const [one, other] = [shiftOf(roster.stints, stint), shiftOf(roster.stints, gained)];
  return rosterLimits(roster).some(({ periodOf }) => periodOf(one) === periodOf(other));
}

export function rosterLimits({ rules: { limits, timeZone } }: Pick<Roster, 'rules'>): Limit[] {
  return limitsOf(limits, timeZone);
}

function startOf({ shift, from }: Pick<SeatedStint, 'shift' | 'from'>): number {
  return shift ?? from;
}

/** All parts of one shift have the same key. */
export function shiftKey(stint: Pick<SeatedStint, 'stage' | 'seat' | 'shift' | 'from'>): string {
  return `${stint.stage} ${stint.seat} ${startOf(stint)}`;
}
