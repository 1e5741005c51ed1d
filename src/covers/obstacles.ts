import { type Interval, intersects, overlapMs } from '../kit/interval.ts';
import { exceedsLimits } from './limits.ts';
import { isSeat, type Roster, type Seated, type Stint, stintsOf } from './roster.ts';

/**
 * What speaks against somebody's having a seat for a while: an absence, another stage or another seat of the same stage
 * at that time, not being one of the stage's members, too little rest, as many shifts of a week or month as there may be,
 * being on call in another schedule.
 */
export type Obstacle = 'away' | 'busy' | 'seated' | 'not_member' | 'rest' | 'limit' | 'elsewhere';

/** Nobody can be asked to do these, whoever asks. */
const HARD: readonly Obstacle[] = ['away', 'busy', 'seated'];

export function isHard(obstacle: Obstacle): boolean {
  return HARD.includes(obstacle);
}

/** All that speaks against it, the worst first. What somebody has on that very seat speaks for them. */
export function obstacles(roster: Roster, userId: string, place: Seated): Obstacle[] {
  const others = stintsBeside(roster, userId, place);
  const simultaneous = others.filter((stint) => intersects(stint, place));
  const found: Record<Obstacle, boolean> = {
    away: touchesAny(roster.absences.get(userId), place),
    busy: simultaneous.some((stint) => stint.stage !== place.stage),
    seated: simultaneous.some((stint) => stint.stage === place.stage),
    not_member: !(roster.members.get(place.stage) ?? []).includes(userId),
    rest: !isStanding(roster, place.stage) && others.some((stint) => isTooNear(stint, place, roster.restMs)),
    limit: exceedsLimits(roster, userId, place),
    elsewhere: touchesAny(roster.elsewhere.get(userId), place),
  };
  return (Object.keys(found) as Obstacle[]).filter((obstacle) => found[obstacle]);
}

function stintsBeside({ stints }: Roster, userId: string, place: Seated): Stint[] {
  return stintsOf(stints, userId).filter((stint) => !(isSeat(stint, place) && intersects(stint, place)));
}

function touchesAny(spans: readonly Interval[] | undefined, place: Interval): boolean {
  return spans?.some((span) => intersects(span, place)) ?? false;
}

/** Who has nobody to alternate with is on call all the time: their shifts need no rest between them. */
export function isStanding({ members, seats }: Pick<Roster, 'members' | 'seats'>, stage: number): boolean {
  return (members.get(stage)?.length ?? 0) <= (seats.get(stage) ?? 1);
}

function isTooNear(stint: Interval, place: Interval, restMs: number): boolean {
  return !intersects(stint, place) && intersects({ from: stint.from - restMs, to: stint.to + restMs }, place);
}

/** Milliseconds on call within two weeks before and after a span. */
export function loadAround({ stints }: Roster, userId: string, place: Interval): number {
  const margin = 14 * 24 * 3_600_000;
  const span = { from: place.from - margin, to: place.to + margin };
  return stintsOf(stints, userId).reduce((sum, stint) => sum + overlapMs(stint, span), 0);
}
