import { clip, cut, type Interval, intersects, overlapMs } from '../kit/interval.ts';
import {
  eligibleTimes,
  goneOn,
  isAwayFor,
  isElsewhere,
  limitsElsewhere,
  mayBeProposed,
  stintsInTheWay,
} from '../schedules/eligibility.ts';
import { after, type Move, type Roster, type Seated, stintsOf } from '../schedules/roster.ts';

/** A shift, or a part of one, that a person gives up, and the people who must not be proposed. */
export type Vacancy = Seated & { userId: string; not: readonly string[] };

/** `complete`: the whole vacancy is covered. `proven`: no repair with fewer changes covers as much. */
export type Repair = { moves: Move[]; complete: boolean; proven: boolean };

/**
 * The smallest repair of a vacancy: one person takes all of it; otherwise two changes, either two people with a part
 * each or one person whose own shift goes to a third; otherwise as few parts as possible. Among equal repairs, prefers
 * people without a preference against it, with less load around that time, and earlier in the rotation. @returns null
 * if nobody can take any of it
 */
export function smallestRepair(roster: Roster, vacancy: Vacancy, at: number): Repair | null {
  const parts = fewestParts(roster, vacancy);
  const complete = isWhole(parts, vacancy);
  if (isOneChange({ moves: parts, complete })) return { moves: parts, complete, proven: true };
  const chain = complete && parts.length === 2 ? null : smallestChain(roster, vacancy, at);
  if (chain) return { moves: chain, complete: true, proven: true };
  if (parts.length === 0) return null;
  return { moves: parts, complete, proven: complete && parts.length === 2 };
}

/** Whether a single change covers everything, so that no repair is smaller. */
export function isOneChange({ moves, complete }: Pick<Repair, 'moves' | 'complete'>): boolean {
  return complete && moves.length === 1;
}

/** Whether nobody can take any of it, because all are absent or declined. */
export function isHopeless(roster: Roster, vacancy: Vacancy): boolean {
  return ranked(roster, vacancy).every((userId) => {
    return (
      goneOn(roster, userId).reduce<Interval[]>(
        (left, one) => left.flatMap((part) => cut(part, one)),
        [vacancy],
      ).length === 0
    );
  });
}

/** Members of the stage who may be proposed, the least reluctant first. */
export function ranked(roster: Roster, vacancy: Vacancy): string[] {
  const members = (roster.members.get(vacancy.stage) ?? []).filter(
    (userId) => userId !== vacancy.userId && !vacancy.not.includes(userId),
  );
  const cost = new Map(members.map((userId) => [userId, reluctance(roster, userId, vacancy)]));
  return members.toSorted((a, b) => (cost.get(a) ?? 0) - (cost.get(b) ?? 0));
}

/** How reluctant a person is, in hours on call; a preference against it weighs as much as a week on call. */
export function reluctance(roster: Roster, userId: string, place: Interval): number {
  const wishes = (roster.wishes.get(userId) ?? []).filter((wish) => intersects(wish, place));
  const soft = wishes.some(({ type }) => type === 'soft_unavailable') ? 24 * 7 : 0;
  const requested = wishes.some(({ type }) => type === 'requested') ? 24 * 7 : 0;
  const elsewhere =
    isElsewhere(roster.elsewhere, userId, place) && roster.rules.elsewhere !== 'allow' ? 24 * 28 : 0;
  return loadAround(roster, userId, place) / 3_600_000 + soft - requested + elsewhere;
}

/** Covers as much of the vacancy with as few parts as possible: always picks the person who can stay longest. */
function fewestParts(roster: Roster, vacancy: Vacancy): Move[] {
  const free = ranked(roster, vacancy).map((userId) => ({
    userId,
    spans: eligibleTimes(roster, userId, vacancy),
  }));
  const parts: Move[] = [];
  for (let from = vacancy.from; from < vacancy.to; ) {
    // A person who already has a part needs rest after it.
    const rested = (userId: string, span: Interval) =>
      parts.every(({ gains, to }) => gains !== userId || to + roster.restMs <= span.from);
    const open = free.flatMap(({ userId, spans }) =>
      spans.filter((span) => span.to > from && rested(userId, span)).map((span) => ({ userId, ...span })),
    );
    const start = Math.min(...open.map((span) => Math.max(span.from, from)));
    const longest = open
      .filter((span) => span.from <= start)
      .reduce<(typeof open)[number] | null>((best, span) => (best && best.to >= span.to ? best : span), null);
    if (!longest) break;
    parts.push({
      stage: vacancy.stage,
      seat: vacancy.seat,
      from: start,
      to: longest.to,
      gains: longest.userId,
    });
    from = longest.to;
  }
  return parts;
}

function isWhole(parts: readonly Move[], vacancy: Interval): boolean {
  return parts.reduce((sum, { from, to }) => sum + to - from, 0) === vacancy.to - vacancy.from;
}

/** Finds a person who takes the vacancy while a third takes that person's own, future shift. */
function smallestChain(roster: Roster, vacancy: Vacancy, at: number): Move[] | null {
  for (const userId of ranked(roster, vacancy)) {
    const taking = {
      stage: vacancy.stage,
      seat: vacancy.seat,
      from: vacancy.from,
      to: vacancy.to,
      gains: userId,
    };
    const [own, second] = stintsInTheWay(roster, userId, vacancy);
    if (!own || second || own.from <= at || own.stands) continue;
    if (isAwayFor(goneOn(roster, userId), vacancy)) continue;
    // If no rest is required, only the overlapping time has to change hands.
    const passed = roster.restMs === 0 ? (clip(own, vacancy) ?? own) : own;
    const giving = { ...passed, userId, not: vacancy.not };
    const next = after(roster, [taking]);
    for (const third of ranked(next, giving)) {
      const passing = { stage: own.stage, seat: own.seat, from: passed.from, to: passed.to, gains: third };
      if (!mayBeProposed(next, third, passing)) continue;
      if (mayBeProposed(after(roster, [passing]), userId, vacancy)) return [passing, taking];
    }
  }
  return null;
}

/** Milliseconds on call within two weeks before and after a time, in all schedules if their shifts count. */
export function loadAround(roster: Roster, userId: string, place: Interval): number {
  const margin = 14 * 24 * 3_600_000;
  const around = { from: place.from - margin, to: place.to + margin };
  const here = stintsOf(roster.stints, userId);
  const elsewhere = limitsElsewhere(roster, userId, here).flatMap(({ spans }) => spans);
  return [...here, ...elsewhere].reduce((sum, stint) => sum + overlapMs(stint, around), 0);
}
