import type { Handle } from '../db/database.ts';
import { instantText } from '../kit/instant.ts';
import type { MatchedRow } from './answer.ts';
import type { HitShift as HitShiftShown } from './contract.ts';
import { shiftsHit } from './hit-store.ts';

/** At most this many shifts are listed; the rest are only counted. */
const LISTED = 1_000;

export type Hits = { shifts: HitShiftShown[]; total: number };

/** The published shifts that uploaded absences overlap, except past ones. */
export async function hitsOf(
  db: Handle,
  organizationId: string,
  at: Temporal.Instant,
  rows: readonly MatchedRow[],
): Promise<Hits> {
  const absences = rows.map(({ row, person }) => ({
    userId: person.id,
    startsAt: row.startsAt,
    endsAt: row.endsAt,
  }));
  const found = await shiftsHit(db, organizationId, at, absences, LISTED);
  const people = new Set(found.map(({ userId }) => userId));
  const rowsOf = Map.groupBy(
    rows.filter(({ person }) => people.has(person.id)),
    ({ person }) => person.id,
  );
  const shifts = found.flatMap((hit): HitShiftShown[] => {
    const [start, end] = [instantText(hit.startsAt), instantText(hit.endsAt)];
    const first = rowsOf.get(hit.userId)?.find(({ row }) => row.startsAt < end && start < row.endsAt);
    if (!first) return [];
    const { id, username, email } = first.person;
    return [
      {
        id: hit.id,
        schedule: { id: hit.scheduleId, name: hit.scheduleName },
        stage: hit.stage,
        start_time: start,
        end_time: end,
        organization_user: { id, username, email },
        row: first.row.row,
      },
    ];
  });
  return { shifts, total: found[0]?.total ?? 0 };
}
