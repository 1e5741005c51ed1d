/**
 * Who can have a shift. Planning, covers, swaps, handing over and previews all use these rules; they differ in how they
 * look up a person's shifts, and in which rules people may override.
 */
import { cut, type Interval, intersects, union } from '../kit/interval.ts';
import {
  countedElsewhere,
  type Elsewhere,
  type ElsewhereShift,
  simultaneousElsewhere,
  withoutRest,
} from './elsewhere.ts';
import { type Counted, type Exceeded, exceededBy, type Limit, limitsIn, mayGiveWay } from './limits.ts';
import type { NotPlanned } from './person-times.ts';
import { type AvailabilityRecord, areNear, commonMs, lengthOf, overlap, type Stint } from './planner.ts';
import {
  isSeat,
  leftAlone,
  othersApart,
  type Roster,
  type RosterRules,
  type Seated,
  type Stint as SeatedStint,
  shiftOf,
  stintsOf,
} from './roster.ts';
import { limitsOfPerson } from './rules.ts';

/** A member who is absent for at least this fraction of a shift does not get it. */
const LARGE_PART = 0.1;

/** An absence, or a record of any type (only `hard_unavailable` is an absence). */
type MaybeAbsence = Interval & Partial<Pick<AvailabilityRecord, 'type' | 'why'>>;

/**
 * Whether a person is absent for so much of a shift that they cannot have it. Plans allow small absences: less than a
 * tenth of the shift and at most `smallMs`. A cover is proposed for that time. Times at which a person is not planned
 * never count as small.
 */
export function isAwayFor(records: readonly MaybeAbsence[], shift: Stint, smallMs = 0): boolean {
  return awayBecause(records, shift, smallMs) !== null;
}

/** The same, with the reason: an absence, or the rule by which the person is not planned. */
export function awayBecause(
  records: readonly MaybeAbsence[],
  shift: Stint,
  smallMs = 0,
): 'unavailable' | NotPlanned | null {
  const isAbsence = ({ type = 'hard_unavailable' }: MaybeAbsence) => type === 'hard_unavailable';
  const found = records.filter((record) => isAbsence(record) && overlap(record, shift));
  if (found.length === 0) return null;
  const absences = found.filter(({ why }) => why === undefined);
  const ms = union(absences).reduce((sum, absence) => sum + commonMs(absence, shift), 0);
  if (absences.length > 0 && (ms > smallMs || ms >= LARGE_PART * lengthOf(shift))) return 'unavailable';
  return found.find(({ why }) => why !== undefined)?.why ?? null;
}

/** Whether a person is on call in another schedule during a shift. */
export function isElsewhere(elsewhere: Elsewhere | undefined, userId: string, shift: Stint): boolean {
  return simultaneousElsewhere(elsewhere, userId, shift) !== undefined;
}

/** The shift of another schedule that leaves a person too little rest for a seat, if the rules count such shifts. */
export function restElsewhere(roster: Roster, userId: string, place: Seated): ElsewhereShift | undefined {
  if ((roster.rules.countElsewhereSince ?? null) === null || needsNoRest(roster, place.stage))
    return undefined;
  return withoutRest(roster.elsewhere.get(userId), place, roster.restMs);
}

/** With no more members than seats, everybody is always on call, and shifts need no rest between them. */
export function isAlwaysOnCall(members: number, seats: number): boolean {
  return members <= seats;
}

/**
 * Why a person cannot have a seat for a time, worst first: an absence; a simultaneous shift in another stage or seat;
 * not being a member; a time at which the rules do not plan them; too little rest; a limit; another junior, or a person
 * they are never together with, on call at that time; a missing companion; a shift in another schedule.
 */
export type Ineligibility =
  | (
      | 'away'
      | 'busy'
      | 'seated'
      | 'not_member'
      | 'rest'
      | 'limit'
      | 'junior'
      | 'apart'
      | 'alone'
      | 'elsewhere'
    )
  | NotPlanned;

/** Nobody can override these. */
const HARD: ReadonlySet<Ineligibility> = new Set(['away', 'busy', 'seated']);
/** Proposals never break these. People may. */
const KEPT: ReadonlySet<Ineligibility> = new Set([
  ...(['rest', 'not_member', 'limit', 'junior', 'apart', 'alone'] as const),
  ...(['never', 'not_yet', 'left'] as const),
]);

export function isHard(ineligibility: Ineligibility): boolean {
  return HARD.has(ineligibility);
}

/** All reasons why a person is ineligible, worst first. Their own time on the same seat is ignored. */
export function ineligibilities(roster: Roster, userId: string, place: Seated): Ineligibility[] {
  const others = stintsBeside(roster, userId, place);
  const simultaneous = others.filter((stint) => intersects(stint, place));
  const notPlanned = roster.notPlanned?.get(userId) ?? [];
  const found: [Ineligibility, boolean][] = [
    ['away', isAwayFor(roster.absences.get(userId) ?? [], place)],
    ['busy', simultaneous.some((stint) => stint.stage !== place.stage)],
    ['seated', simultaneous.some((stint) => stint.stage === place.stage)],
    ['not_member', !(roster.members.get(place.stage) ?? []).includes(userId)],
    ...(['not_yet', 'left', 'never'] as const).map((why): [Ineligibility, boolean] => [
      why,
      notPlanned.some((time) => time.why === why && intersects(time, place)),
    ]),
    [
      'rest',
      others.some((stint) => !intersects(stint, place) && excludes(roster, stint, place)) ||
        restElsewhere(roster, userId, place) !== undefined,
    ],
    ['limit', exceededLimit(roster, userId, place) !== null],
    ...(['junior', 'apart'] as const).map((why): [Ineligibility, boolean] => [
      why,
      othersApart(roster, userId, place).some((other) => other.why === why),
    ]),
    ['alone', leftAlone(roster, userId, place).length > 0],
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
  if (exceededLimit(roster, userId, place)) return [];
  // With a simultaneous shift elsewhere, a person may be eligible for the whole of it but not for some part.
  if (mayBeProposed(roster, userId, place)) return [{ from: place.from, to: place.to }];
  const counted =
    (roster.rules.countElsewhereSince ?? null) === null ? [] : (roster.elsewhere.get(userId) ?? []);
  const rested = counted.filter(({ isAlwaysOn }) => !isAlwaysOn && roster.restMs > 0);
  const near = needsNoRest(roster, place.stage) ? [] : rested;
  const taken = [...stintsInTheWay(roster, userId, place), ...near].map(({ from, to }) => ({
    from: from - roster.restMs,
    to: to + roster.restMs,
  }));
  const elsewhere = roster.rules.elsewhere === 'never' ? (roster.elsewhere.get(userId) ?? []) : [];
  const apart = othersApart(roster, userId, place).map(({ stint }) => stint);
  const alone = leftAlone(roster, userId, place).flatMap(({ times }) => times);
  const gone: Interval[] = [...goneOn(roster, userId), ...elsewhere, ...taken, ...apart, ...alone];
  return gone.reduce<Interval[]>(
    (left, one) => left.flatMap((part) => cut(part, one)),
    [{ from: place.from, to: place.to }],
  );
}

/** The times at which a person is absent or not planned. Proposals respect both. */
export function goneOn({ absences, notPlanned }: Roster, userId: string): readonly Interval[] {
  return [...(absences.get(userId) ?? []), ...(notPlanned?.get(userId) ?? [])];
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

/** The limit that a person with this seat would exceed; null if there is none. */
export function exceededLimit(roster: Roster, userId: string, place: Seated): Exceeded | null {
  const limits = limitsOnRoster(roster, userId);
  if (limits.length === 0) return null;
  const beside = countedBeside(roster, userId, place);
  const own = [...beside.flatMap(({ spans }) => spans), place];
  return exceededBy(
    limits,
    [...beside, ...limitsElsewhere(roster, userId, own)],
    countedAs(roster.stints, place),
  );
}

/** The part of a person's shifts in other schedules that limits count. `own`: when they are on call in this one. */
export function limitsElsewhere(
  { rules, elsewhere }: Pick<Roster, 'rules' | 'elsewhere'>,
  userId: string,
  own: readonly Interval[],
): Counted[] {
  return (rules.countElsewhereSince ?? null) === null
    ? []
    : countedElsewhere(elsewhere.get(userId), union(own));
}

/** Whether giving away a shift may help a person to take the second one within their limits. */
export function countsInstead(roster: Roster, userId: string, stint: SeatedStint, gained: Seated): boolean {
  const limits = limitsOnRoster(roster, userId);
  if (limits.length === 0) return false;
  const beside = countedBeside(roster, userId, gained);
  const own = [...beside.flatMap(({ spans }) => spans), gained];
  const held = [...beside, ...limitsElsewhere(roster, userId, own)];
  return mayGiveWay(limits, held, countedAs(roster.stints, gained), countedAs(roster.stints, stint));
}

const limitsByRules = new WeakMap<
  RosterRules,
  { limits: ReturnType<typeof limitsIn>; of: Map<string, Limit[]> }
>();

/** The limits of a person. Their counts are cached as long as the rules are. */
export function limitsOnRoster({ rules }: Pick<Roster, 'rules'>, userId: string): Limit[] {
  const known = limitsByRules.get(rules) ?? { limits: limitsIn(rules.timeZone), of: new Map() };
  limitsByRules.set(rules, known);
  const limits = known.of.get(userId) ?? known.limits(limitsOfPerson(rules, userId));
  known.of.set(userId, limits);
  return limits;
}

/** What a person has besides a place, as limits count it. */
function countedBeside({ stints }: Pick<Roster, 'stints'>, userId: string, place: Seated): Counted[] {
  const beside = stintsOf(stints, userId).flatMap((stint) =>
    isSeat(stint, place) ? cut(stint, place) : [stint],
  );
  return countedShifts(stints, beside);
}

/** Parts of shifts as limits count them, by shift. */
export function countedShifts(stints: readonly SeatedStint[], parts: readonly SeatedStint[]): Counted[] {
  const wholes = wholesOf(stints);
  return [...Map.groupBy(parts, shiftKey)].flatMap(([key, spans]) => {
    const whole = wholes.get(key);
    return whole ? [{ key, spans, ...whole }] : [];
  });
}

/** A place, or a part of one, as limits count it. */
export function countedAs(stints: readonly SeatedStint[], place: Seated): Counted {
  const key = shiftKey({ ...place, shift: shiftOf(stints, place) });
  const whole = wholesOf(stints).get(key) ?? { whole: { from: place.from, to: place.to } };
  return { key, spans: [{ from: place.from, to: place.to }], ...whole };
}

const wholesByStints = new WeakMap<
  readonly SeatedStint[],
  ReadonlyMap<string, Pick<Counted, 'whole' | 'shared'>>
>();

/** The whole shifts by their key. Called thousands of times, so each list is grouped once. */
function wholesOf(stints: readonly SeatedStint[]): ReadonlyMap<string, Pick<Counted, 'whole' | 'shared'>> {
  const known = wholesByStints.get(stints);
  if (known) return known;
  const wholes = new Map(
    [...Map.groupBy(stints, shiftKey)].map(([key, parts]) => {
      const spans = union(parts);
      const [first, last] = [spans[0], spans.at(-1)];
      const whole = {
        from: first?.from ?? 0,
        to: last?.to ?? 0,
        ...(spans.length > 1 ? { parts: spans } : {}),
      };
      const shared = parts.find((part) => part.shared)?.shared;
      return [key, { whole, ...(shared ? { shared } : {}) }];
    }),
  );
  wholesByStints.set(stints, wholes);
  return wholes;
}

function startOf({ shift, from }: Pick<SeatedStint, 'shift' | 'from'>): number {
  return shift ?? from;
}

/** All parts of one shift have the same key. */
export function shiftKey(stint: Pick<SeatedStint, 'stage' | 'seat' | 'shift' | 'from'>): string {
  return `${stint.stage} ${stint.seat} ${startOf(stint)}`;
}
