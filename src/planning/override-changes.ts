import { clip, type Interval, union, without } from '../kit/interval.ts';
import type { ShiftRow } from '../schedules/difference.ts';
import type { HandedOver } from './drafts/preview.ts';

/**
 * Times at which an override that is new or gone changes who is on call: the file added or removed it, or its person was
 * disabled. `before`, `after`: the shifts of a schedule.
 */
export function overrideChanges(before: readonly ShiftRow[], after: readonly ShiftRow[]): HandedOver[] {
  const given = after.filter(isOverridden).flatMap((row) =>
    against(row, before).map(({ other, ...span }) => ({
      ...{ stage: row.stage, seat: row.seat, ...span },
      ...{ before: other?.userId ?? null, after: row.userId },
    })),
  );
  const returned = before.filter(isOverridden).flatMap((row) =>
    against(row, after)
      .filter(({ other }) => !other || !isOverridden(other))
      .map(({ other, ...span }) => ({
        ...{ stage: row.stage, seat: row.seat, ...span },
        ...{ before: row.userId, after: other?.userId ?? null },
      })),
  );
  return [...given, ...returned].filter((change) => change.before !== change.after);
}

/** A row whose override was deleted has no override any more, but still its person. */
function isOverridden({ userId, plannedUserId }: ShiftRow): boolean {
  return userId !== plannedUserId;
}

/** The parts of a row, each with the row that others have for its seat; null where there is none. */
function against(
  { stage, seat, from, to }: ShiftRow,
  others: readonly ShiftRow[],
): (Interval & { other: ShiftRow | null })[] {
  const span = { from, to };
  const there = others.flatMap((other) => {
    const part = other.stage === stage && other.seat === seat ? clip(span, other) : null;
    return part ? [{ from: part.from, to: part.to, other }] : [];
  });
  return [...there, ...without([span], union(there)).map((part) => ({ ...part, other: null }))];
}
