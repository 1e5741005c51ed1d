import { planInputOf, type Revision, revisionTo, type Situation } from '../../src/planning/revision.ts';
import { STRATEGIES } from '../../src/planning/strategies.ts';
import type { ShiftRow } from '../../src/schedules/difference.ts';
import type { Override } from '../../src/schedules/overlay.ts';
import { storedPattern } from '../../src/schedules/pattern.ts';
import type { AvailabilityRecord } from '../../src/schedules/planner.ts';
import type { Rhythm } from '../../src/schedules/rhythm.ts';

/** Times in scenes are days since day 0; a shift lasts a day unless a test says otherwise. */
export const DAY = 86_400_000;

export type Scene = {
  strategy?: 'rotation' | 'fair';
  /** Members of each stage, from stage 1 on. */
  stages: readonly (readonly string[])[];
  seats?: readonly number[];
  /** By person: from and to, in days. */
  away?: Record<string, readonly (readonly [number, number])[]>;
  wishes?: readonly { who: string; type: 'soft_unavailable' | 'requested'; from: number; to: number }[];
  restHours?: number;
  /** Default: `apply`. */
  cover?: 'propose' | 'apply';
  overrides?: readonly {
    id?: string;
    stage?: number;
    seat?: number;
    who: string;
    from: number;
    to: number;
  }[];
  /** The first day and the day after the last. */
  from?: number;
  to?: number;
  /** Length of a shift in days. */
  length?: number;
  /** The current time in days; the first shift may have begun. */
  at?: number;
  rows?: readonly ShiftRow[];
  /** When anybody is on call, for all stages, in days. */
  windows?: readonly (readonly [number, number])[];
  /** The members with whom `rows` were planned, if they differ from `stages`. */
  plannedWith?: readonly (readonly string[])[];
};

export function situationOf(scene: Scene): Situation {
  const { stages, at = 0, from = Math.floor(at), to = 14, length = 1, rows = [] } = scene;
  const handoffs: number[] = [];
  for (let day = from; day < to + length; day += length) handoffs.push(day * DAY);
  const windows = scene.windows?.map(([start, end]) => ({ from: start * DAY, to: end * DAY }));
  return {
    strategy: scene.strategy ?? 'rotation',
    restMs: (scene.restHours ?? 0) * 3_600_000,
    cover: scene.cover ?? 'apply',
    stages: stages.map((members, index) => ({
      stage: index + 1,
      seats: scene.seats?.[index] ?? 1,
      members: members.map((userId) => ({ userId, joinedAt: from * DAY })),
      ...(windows ? { windows } : {}),
      plannedMembers: rows.length > 0 ? (scene.plannedWith?.[index] ?? members) : null,
    })),
    rows,
    overrides: overridesOf(scene),
    records: recordsOf(scene),
    handoffs,
    at: at * DAY,
  };
}

/** The changes that make the rows match the strategy. */
export function revise(situation: Situation): Revision {
  return revisionTo(STRATEGIES[situation.strategy].plan(planInputOf(situation)), situation);
}

function overridesOf({ overrides = [] }: Scene): Override[] {
  return overrides.map(({ id, stage = 1, seat = null, who, from, to }, index) => ({
    id: id ?? `override_${index}`,
    stage,
    seat,
    userId: who,
    from: from * DAY,
    to: to * DAY,
  }));
}

function recordsOf({ away = {}, wishes = [] }: Scene): Map<string, AvailabilityRecord[]> {
  const hard = Object.entries(away).flatMap(([who, spans]) =>
    spans.map(([from, to]) => ({ who, type: 'hard_unavailable' as const, from, to })),
  );
  const all = [...hard, ...wishes].map(({ from, to, ...rest }) => ({
    ...rest,
    from: from * DAY,
    to: to * DAY,
  }));
  return Map.groupBy(
    all.sort((a, b) => a.from - b.from),
    ({ who }) => who,
  );
}

/** The rows after a revision is applied; the ids of new rows contain their place. */
export function rowsAfter(rows: readonly ShiftRow[], { difference }: Revision): ShiftRow[] {
  const gone = new Set([...difference.removed, ...difference.changed].map(({ id }) => id));
  const added = difference.added.map((piece) => ({ ...piece, id: newRowId() }));
  return [...rows.filter(({ id }) => !gone.has(id)), ...difference.changed, ...added].sort(
    (a, b) => a.stage - b.stage || a.seat - b.seat || a.from - b.from,
  );
}

let rowsMade = 0;
const newRowId = () => `shift_${++rowsMade}`;

export function planned(scene: Scene): ShiftRow[] {
  return rowsAfter(scene.rows ?? [], revise(situationOf(scene)));
}

/** A letter for each shift of a stage, a dot for a gap: `ABCA.B`. */
export function letters(rows: readonly ShiftRow[], stage = 1, seat = 1): string {
  return rows
    .filter((row) => row.stage === stage && row.seat === seat)
    .map(({ userId }) => userId ?? '.')
    .join('');
}

/** Whether a revision changes nothing. */
export function isUnchanged({ difference }: Revision): boolean {
  return difference.added.length + difference.changed.length + difference.removed.length === 0;
}

/** The rhythm of a pattern that has only one version. */
export function rhythmOf(pattern: unknown): Rhythm {
  const [version] = storedPattern(pattern).versions;
  if (!version) throw new Error('the pattern has no version');
  return version.rhythm;
}
