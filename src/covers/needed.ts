import { clip, cut, type Interval, intersects, union } from '../kit/interval.ts';
import { type Absence, isSeat, type Seated, type Stint } from '../schedules/roster.ts';
import type { CoverState } from './api-contract.ts';

/** The fields of a cover that follow from shifts and absences. */
export type KnownCover = Seated & {
  id: string;
  userId: string;
  cause: 'absence' | 'asked';
  state: CoverState;
  /** The service applied it, without a person's decision. */
  byItself: boolean;
};

export type NeededCover = Seated & { userId: string; absenceId: string };

export type Comparison = {
  /** Covers that nobody took in time. */
  expired: KnownCover[];
  /** The shift belongs to another person now, or its person is no longer away. */
  stale: KnownCover[];
  /** The service applied it for an absence that no longer exists. */
  unjustified: KnownCover[];
  /** Covers of offered shifts that the person now has only in these parts. */
  parts: { cover: KnownCover; spans: Interval[] }[];
  fresh: NeededCover[];
};

type Situation = {
  stints: readonly Stint[];
  absences: ReadonlyMap<string, readonly Absence[]>;
  covers: readonly KnownCover[];
  at: number;
};

/** The changes after which every absence during a shift has a cover, and no cover is unnecessary. */
export function compareCovers({ stints, absences, covers, at }: Situation): Comparison {
  const coming = stints.flatMap((stint) => clip(stint, { from: at, to: Number.POSITIVE_INFINITY }) ?? []);
  const waiting = covers.filter(({ state }) => state === 'open' || state === 'proposed');
  const expired = waiting.filter(({ to }) => to <= at);
  const current = waiting.filter(({ to }) => to > at);
  const offered = current
    .filter(({ cause }) => cause === 'asked')
    .map((cover) => ({ cover, spans: left(cover, coming, at) }));
  const needed = neededCovers(coming, absences).flatMap((need) =>
    offered
      .filter(({ cover }) => isSeat(cover, need) && cover.userId === need.userId)
      .flatMap(({ spans }) => spans)
      .reduce<NeededCover[]>((parts, span) => parts.flatMap((part) => cut(part, span)), [need]),
  );
  const forAbsence = current.filter(({ cause }) => cause === 'absence');
  const isSame = (cover: KnownCover, need: NeededCover) =>
    isSeat(cover, need) &&
    cover.userId === need.userId &&
    cover.to === need.to &&
    Math.max(cover.from, at) === need.from;
  return {
    expired,
    stale: [
      ...forAbsence.filter((cover) => !needed.some((need) => isSame(cover, need))),
      ...offered.filter(({ spans }) => spans.length === 0).map(({ cover }) => cover),
    ],
    unjustified: covers.filter(
      (cover) =>
        cover.state === 'applied' && cover.byItself && cover.to > at && !isJustified(cover, absences, at),
    ),
    parts: offered.filter(({ cover, spans }) => spans.length > 0 && !isAll(cover, spans, at)),
    fresh: needed.filter((need) => !forAbsence.some((cover) => isSame(cover, need))),
  };
}

function neededCovers(
  coming: readonly Stint[],
  absences: ReadonlyMap<string, readonly Absence[]>,
): NeededCover[] {
  return coming.flatMap((stint) => {
    const { stage, seat, userId } = stint;
    if (userId === null) return [];
    const records = (absences.get(userId) ?? []).filter((absence) => intersects(absence, stint));
    return union(records).flatMap((span) => {
      const part = clip({ stage, seat, from: stint.from, to: stint.to }, span);
      const record = records.find((absence) => intersects(absence, span));
      return part && record ? [{ ...part, userId, absenceId: record.id }] : [];
    });
  });
}

/** The remaining time of a cover that its person still has. */
function left(cover: KnownCover, coming: readonly Stint[], at: number): Interval[] {
  const own = coming.filter((stint) => stint.userId === cover.userId && isSeat(stint, cover));
  const rest = { from: Math.max(cover.from, at), to: cover.to };
  return union(own.flatMap((stint) => clip({ from: stint.from, to: stint.to }, rest) ?? []));
}

function isAll(cover: KnownCover, [first, second]: readonly Interval[], at: number): boolean {
  return !second && first?.to === cover.to && first.from === Math.max(cover.from, at);
}

function isJustified(
  cover: KnownCover,
  absences: ReadonlyMap<string, readonly Absence[]>,
  at: number,
): boolean {
  const rest = { from: Math.max(cover.from, at), to: cover.to };
  return union(absences.get(cover.userId) ?? []).some(({ from, to }) => from <= rest.from && rest.to <= to);
}
