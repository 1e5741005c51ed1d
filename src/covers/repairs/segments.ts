import { cut, type Interval, intersects } from '../../kit/interval.ts';
import { excludes, isAwayFor, isElsewhere } from '../../schedules/eligibility.ts';
import { isSeat, type Roster, type Seated, stintsOf } from '../../schedules/roster.ts';
import { type Hit, reluctance } from '../repair.ts';
import { type Place, reachOf } from './reach.ts';

/** A part of a place that one person has as a whole, and who can take it. */
export type Segment = Seated & { place: number; takers: Taker[] };
/** `weight`: the cost if this person has it, in hours. */
export type Taker = { userId: string; weight: number };

/** What the solver decides, in a fixed order. */
export type Question = {
  roster: Roster;
  hits: readonly Hit[];
  places: readonly Place[];
  /** Sorted by place and start. */
  segments: readonly Segment[];
  /** People who could gain or lose something. */
  people: readonly string[];
  depth: number;
  isAll: boolean;
  /** Whether shifts are cut wherever that could help. */
  isFine: boolean;
  /** Whether a person who gives up a hit may take another shift at that time. */
  freesHit: boolean;
};

/** With more choices than this, shifts are cut less finely. */
const MOST_CHOICES = 12_000;

export function questionOf(
  roster: Roster,
  hits: readonly Hit[],
  at: number,
  { depth, freesHit }: Pick<Question, 'depth' | 'freesHit'>,
): Question {
  const { places, isAll } = reachOf(roster, hits, at, depth);
  const common = { roster, hits, places, depth, isAll, freesHit };
  const people = [
    ...new Set([...places.map(({ userId }) => userId), ...[...roster.members.values()].flat()]),
  ];
  for (const margins of [2, 1, 0]) {
    const segments = segmentsOf(common, margins);
    const choices = segments.reduce((sum, { takers }) => sum + takers.length, 0);
    const isFine = roster.restMs === 0 || margins === 2;
    if (choices <= MOST_CHOICES || margins === 0) return { ...common, segments, people, isFine };
  }
  throw new Error('there is a coarsest cut');
}

type Common = Pick<Question, 'roster' | 'hits' | 'places' | 'freesHit'>;

function segmentsOf(common: Common, margins: number): Segment[] {
  const times = timesOf(common, margins);
  return common.places.flatMap((place, index) => {
    const bounds = [place.from, ...times.filter((at) => place.from < at && at < place.to), place.to];
    const { stage, seat } = place;
    const segments = bounds.slice(1).map((to, at): Segment => {
      const span = { stage, seat, from: bounds[at] ?? place.from, to };
      return { ...span, place: index, takers: takersOf(common, place, span) };
    });
    return segments;
  });
}

/** Starts and ends of absences and shifts, each also shifted by up to `margins` rest periods before and after. */
function timesOf({ roster, places }: Common, margins: number): number[] {
  const reach = {
    from: Math.min(...places.map(({ from }) => from)) - roster.restMs,
    to: Math.max(...places.map(({ to }) => to)) + roster.restMs,
  };
  const members = new Set(places.flatMap(({ stage }) => roster.members.get(stage) ?? []));
  const spans = [...members].flatMap((userId): Interval[] => [
    ...(roster.absences.get(userId) ?? []),
    ...(roster.rules.elsewhere === 'never' ? (roster.elsewhere.get(userId) ?? []) : []),
    ...stintsOf(roster.stints, userId),
  ]);
  const near = [...spans, ...places].filter((span) => intersects(span, reach));
  const rests = Array.from({ length: 2 * margins + 1 }, (_, index) => (index - margins) * roster.restMs);
  const times = near.flatMap(({ from, to }) => rests.flatMap((rest) => [from + rest, to + rest]));
  return [...new Set(times)].sort((a, b) => a - b);
}

/** Members who may be asked and can take the span, regardless of what else changes hands. */
function takersOf({ roster, hits, places, freesHit }: Common, place: Place, span: Seated): Taker[] {
  const members = roster.members.get(place.stage) ?? [];
  const declined = place.hit ? place.hit.not : hits.flatMap(({ not }) => not);
  return members.flatMap((userId, position) => {
    if (userId === place.userId || declined.includes(userId)) return [];
    if (isAwayFor(roster.absences.get(userId) ?? [], span)) return [];
    if (roster.rules.elsewhere === 'never' && isElsewhere(roster.elsewhere, userId, span)) return [];
    const kept = stintsOf(roster.stints, userId)
      .filter((stint) => excludes(roster, stint, span))
      .flatMap((stint) => remains(stint, places, freesHit));
    if (kept.some((stint) => excludes(roster, stint, span))) return [];
    return [{ userId, weight: reluctance(roster, userId, span) + position * 0.01 }];
  });
}

/** The parts of a stint that a person keeps if they give up all places in it. */
export function remains(stint: Seated, places: readonly Place[], freesHit: boolean): Seated[] {
  return places
    .filter((place) => (freesHit || !place.hit) && isSeat(place, stint))
    .reduce<Seated[]>((left, place) => left.flatMap((part) => cut(part, place)), [stint]);
}
