import { cut, type Interval, intersects } from '../../kit/interval.ts';
import {
  excludes,
  goneOn,
  isAwayFor,
  isElsewhere,
  limitsOnRoster,
  restElsewhere,
} from '../../schedules/eligibility.ts';
import {
  isSeat,
  leftAlone,
  othersApart,
  type Roster,
  type Seated,
  stintsOf,
} from '../../schedules/roster.ts';
import { reluctance, type Vacancy } from '../repair.ts';
import { reachOf, type Stretch } from './reach.ts';

/** A part of a stretch that one person has as a whole, and who can take it. */
export type Segment = Seated & { stretch: number; takers: Taker[] };
/** `weight`: the cost if this person has it, in hours. */
export type Taker = { userId: string; weight: number };

/** The problem for the solver, in a fixed order. */
export type Question = {
  roster: Roster;
  vacancies: readonly Vacancy[];
  stretches: readonly Stretch[];
  /** Sorted by stretch and start. */
  segments: readonly Segment[];
  /** People who could gain or lose something. */
  people: readonly string[];
  depth: number;
  isAll: boolean;
  /** Whether shifts are cut wherever that could help. */
  isFine: boolean;
  /** Whether a person who gives up a vacancy may take another shift at that time. */
  leaversAreFree: boolean;
};

/** With more choices than this, shifts are cut less finely. */
const MOST_CHOICES = 12_000;

export function questionOf(
  roster: Roster,
  vacancies: readonly Vacancy[],
  at: number,
  { depth, leaversAreFree }: Pick<Question, 'depth' | 'leaversAreFree'>,
): Question {
  const { stretches, isAll } = reachOf(roster, vacancies, at, depth);
  const common = { roster, vacancies, stretches, depth, isAll, leaversAreFree };
  const people = [
    ...new Set([...stretches.map(({ userId }) => userId), ...[...roster.members.values()].flat()]),
  ];
  for (const margins of [2, 1, 0]) {
    const segments = segmentsOf(common, margins);
    const choices = segments.reduce((sum, { takers }) => sum + takers.length, 0);
    // A person may have less of a shift than a cut allows, if their hours or their free time are limited.
    const isFine =
      (roster.restMs === 0 || margins === 2) &&
      !roster.onlyWith?.length &&
      !people.some((one) => hasHours(roster, one) || hasElsewhere(roster, one));
    if (choices <= MOST_CHOICES || margins === 0) return { ...common, segments, people, isFine };
  }
  throw new Error('no cut of the shifts is coarse enough');
}

function hasHours(roster: Roster, userId: string): boolean {
  return limitsOnRoster(roster, userId).some(
    (limit) => limit.kind === 'free' || (limit.kind === 'sum' && limit.isTime === true),
  );
}

/** A person may have all of a shift during another one elsewhere, but not the parts of it before and after that one. */
function hasElsewhere({ elsewhere, restMs, rules }: Roster, userId: string): boolean {
  return (rules.countElsewhereSince ?? null) !== null && restMs > 0 && elsewhere.has(userId);
}

type Common = Pick<Question, 'roster' | 'vacancies' | 'stretches' | 'leaversAreFree'>;

function segmentsOf(common: Common, margins: number): Segment[] {
  const times = timesOf(common, margins);
  return common.stretches.flatMap((stretch, index) => {
    const bounds = [stretch.from, ...times.filter((at) => stretch.from < at && at < stretch.to), stretch.to];
    const { stage, seat } = stretch;
    const segments = bounds.slice(1).map((to, at): Segment => {
      const span = { stage, seat, from: bounds[at] ?? stretch.from, to };
      return { ...span, stretch: index, takers: takersOf(common, stretch, span) };
    });
    return segments;
  });
}

/** Starts and ends of absences and shifts, each also shifted by up to `margins` rest periods before and after. */
function timesOf({ roster, stretches }: Common, margins: number): number[] {
  const reach = {
    from: Math.min(...stretches.map(({ from }) => from)) - roster.restMs,
    to: Math.max(...stretches.map(({ to }) => to)) + roster.restMs,
  };
  const members = new Set(stretches.flatMap(({ stage }) => roster.members.get(stage) ?? []));
  const spans = [...members].flatMap((userId): Interval[] => [
    ...goneOn(roster, userId),
    ...(roster.rules.elsewhere === 'never' || hasElsewhere(roster, userId)
      ? (roster.elsewhere.get(userId) ?? [])
      : []),
    ...stintsOf(roster.stints, userId),
  ]);
  const grouped = new Set((roster.apart ?? []).flatMap(({ people }) => [...people]));
  const apart = [...grouped].flatMap((userId) => stintsOf(roster.stints, userId));
  const near = [...spans, ...apart, ...stretches].filter((span) => intersects(span, reach));
  const rests = Array.from({ length: 2 * margins + 1 }, (_, index) => (index - margins) * roster.restMs);
  const times = near.flatMap(({ from, to }) => rests.flatMap((rest) => [from + rest, to + rest]));
  return [...new Set(times)].sort((a, b) => a - b);
}

/** Members who may be proposed and can take the span, regardless of what else changes hands. */
function takersOf(
  { roster, vacancies, stretches, leaversAreFree }: Common,
  stretch: Stretch,
  span: Seated,
): Taker[] {
  const members = roster.members.get(stretch.stage) ?? [];
  const declined = stretch.vacancy ? stretch.vacancy.not : vacancies.flatMap(({ not }) => not);
  return members.flatMap((userId, position) => {
    if (userId === stretch.userId || declined.includes(userId)) return [];
    if (isAwayFor(goneOn(roster, userId), span)) return [];
    if (roster.rules.elsewhere === 'never' && isElsewhere(roster.elsewhere, userId, span)) return [];
    if (restElsewhere(roster, userId, span)) return [];
    const kept = stintsOf(roster.stints, userId)
      .filter((stint) => excludes(roster, stint, span))
      .flatMap((stint) => remains(stint, stretches, leaversAreFree));
    if (kept.some((stint) => excludes(roster, stint, span))) return [];
    // What may change hands is left to the solver.
    const apart = othersApart(roster, userId, span).flatMap(({ stint }) => remains(stint, stretches, true));
    if (apart.some((stint) => intersects(stint, span))) return [];
    // Companions are the current ones: a repair does not move anybody in order to give somebody a companion.
    if (leftAlone(roster, userId, span).length > 0) return [];
    return [{ userId, weight: reluctance(roster, userId, span) + position * 0.01 }];
  });
}

/** The parts of a stint that a person keeps if they give up all stretches in it. */
export function remains(stint: Seated, stretches: readonly Stretch[], leaversAreFree: boolean): Seated[] {
  return stretches
    .filter((stretch) => (leaversAreFree || !stretch.vacancy) && isSeat(stretch, stint))
    .reduce<Seated[]>((left, stretch) => left.flatMap((part) => cut(part, stretch)), [stint]);
}
