import type { Tx } from '../db/database.ts';
import { highestOf, lowestOf } from '../kit/extremes.ts';
import { instantText } from '../kit/instant.ts';
import { queueEvents } from '../notices/store.ts';
import type { Person } from '../people/contract.ts';
import { peopleById } from '../people/store.ts';
import type { ShiftRow } from './difference.ts';
import { scheduleWithEvents, shiftsAsTheyAre } from './store.ts';

/** The most shifts in one event, the earliest ones. A plan of half a year has hundreds. */
export const MOST_NAMED_SHIFTS = 50;

type Changes = Record<'added' | 'changed' | 'removed', readonly ShiftRow[]>;
/** `before`: who had the shift; the same person when only its end changed, undefined for new shifts. */
type Change = { change: keyof Changes; row: ShiftRow; before?: string | null };

/**
 * Queues one event, `shifts.changed`, for all shift changes of a schedule that are about to be saved together. There is
 * no event for disabled schedules, or if only the reasons of shifts change.
 */
export async function queueShiftChanges(
  tx: Tx,
  at: Temporal.Instant,
  schedule: { id: string; organizationId: string },
  changes: Changes,
): Promise<void> {
  if (changes.added.length + changes.changed.length + changes.removed.length === 0) return;
  const known = await scheduleWithEvents(tx, schedule.id);
  if (!known) return;
  const before = await shiftsAsTheyAre(
    tx,
    changes.changed.map(({ id }) => id),
  );
  const all: Change[] = [
    ...changes.added.map((row) => ({ change: 'added' as const, row })),
    ...changes.changed.flatMap((row): Change[] => {
      const was = before.get(row.id);
      if (!was || (was.userId === row.userId && was.to === row.to)) return [];
      return [{ change: 'changed', row, before: was.userId }];
    }),
    ...changes.removed.map((row) => ({ change: 'removed' as const, row, before: row.userId })),
  ];
  if (all.length === 0) return;
  const named = all
    .toSorted((a, b) => a.row.from - b.row.from || a.row.stage - b.row.stage || a.row.seat - b.row.seat)
    .slice(0, MOST_NAMED_SHIFTS);
  const people = await peopleById(
    tx,
    schedule.organizationId,
    named.flatMap(({ row, before: was = null }) => [row.userId, was]),
  );
  const count = (change: keyof Changes) => all.filter((one) => one.change === change).length;
  const data = {
    schedule: { id: schedule.id, name: known.name },
    ...{ added: count('added'), changed: count('changed'), removed: count('removed') },
    starts_at: timeText(lowestOf(all.map(({ row }) => row.from))),
    ends_at: timeText(highestOf(all.map(({ row }) => row.to))),
    shifts: named.map((one) => presented(one, people)),
    at: instantText(at),
  };
  const { organizationId, id } = schedule;
  await queueEvents(tx, at, 'shifts', [
    { organizationId, teamId: known.teamId, type: 'shifts.changed', path: `/schedules/${id}`, data },
  ]);
}

function presented({ change, row, before }: Change, people: ReadonlyMap<string, Person>) {
  const personOf = (id: string | null) => (id === null ? null : (people.get(id) ?? null));
  return {
    change,
    ...{ id: row.id, stage: row.stage, seat: row.seat },
    ...{ starts_at: timeText(row.from), ends_at: timeText(row.to) },
    person: change === 'removed' ? null : personOf(row.userId),
    before: before === undefined ? null : personOf(before),
  };
}

function timeText(ms: number): string {
  return instantText(Temporal.Instant.fromEpochMilliseconds(ms));
}
