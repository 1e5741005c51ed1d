import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { EventTopic } from '../notices/contract.ts';

const TOPIC: EventTopic = 'shifts';

/** The team and name of an enabled schedule, if a webhook of its organization gets events of shifts; otherwise null. */
export async function scheduleWithEvents(
  tx: Tx,
  scheduleId: string,
): Promise<{ teamId: string; name: string } | null> {
  const { rows } = await sql<{ teamId: string; name: string }>`
    select s.team_id as "teamId", s.name from schedules s
    where s.id = ${scheduleId} and s.enabled and exists (
      select from contact_methods c
      where c.organization_id = s.organization_id and c.events <> '{}' and c.events @> array[${TOPIC}])`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** Who has shifts, and until when. */
export async function shiftsAsTheyAre(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, { userId: string | null; to: number }>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; userId: string | null; endsAt: Temporal.Instant }>`
    select id, user_id as "userId", ends_at as "endsAt" from shifts where id = any(${[...ids]}::text[])`.execute(
    tx,
  );
  return new Map(rows.map(({ id, userId, endsAt }) => [id, { userId, to: endsAt.epochMilliseconds }]));
}
