import type { Handle } from '../db/database.ts';
import { instantText } from '../kit/instant.ts';
import type { MatchedRow } from './answer.ts';
import type { ConflictingShift as ConflictShown } from './contract.ts';
import { conflictingShifts } from './store.ts';

/** At most this many shifts are listed; the rest are only counted. */
const LISTED = 1_000;

export type Conflicts = { shifts: ConflictShown[]; total: number };

/** The published shifts that uploaded absences overlap, except past ones. */
export async function conflictsOf(
  db: Handle,
  organizationId: string,
  at: Temporal.Instant,
  rows: readonly MatchedRow[],
): Promise<Conflicts> {
  const absences = rows.map(({ row, person }) => ({
    userId: person.id,
    startsAt: row.startsAt,
    endsAt: row.endsAt,
  }));
  const found = await conflictingShifts(db, organizationId, at, absences, LISTED);
  const people = new Set(found.map(({ userId }) => userId));
  const rowsOf = Map.groupBy(
    rows.filter(({ person }) => people.has(person.id)),
    ({ person }) => person.id,
  );
  const shifts = found.flatMap((conflict): ConflictShown[] => {
    const [start, end] = [instantText(conflict.startsAt), instantText(conflict.endsAt)];
    const first = rowsOf.get(conflict.userId)?.find(({ row }) => row.startsAt < end && start < row.endsAt);
    if (!first) return [];
    const { id, username, email } = first.person;
    return [
      {
        id: conflict.id,
        schedule: { id: conflict.scheduleId, name: conflict.scheduleName },
        stage: conflict.stage,
        start_time: start,
        end_time: end,
        organization_user: { id, username, email },
        row: first.row.row,
      },
    ];
  });
  return { shifts, total: found[0]?.total ?? 0 };
}
