import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';

/**
 * Claims the id of an answer for this transaction. Null when the id is new, otherwise the first reply. Another transaction
 * that claims the same id waits until this one ends.
 */
export async function claimInboundAnswer(
  tx: Tx,
  at: Temporal.Instant,
  id: Buffer,
): Promise<{ reply: unknown } | null> {
  const claimed = await tx
    .insertInto('inbound_answers')
    .values({ id, answered_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (claimed) return null;
  const { reply } = await tx
    .selectFrom('inbound_answers')
    .select('reply')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { reply: reply === null ? null : JSON.parse(reply) };
}

export async function keepInboundReply(tx: Tx, id: Buffer, reply: object): Promise<void> {
  await tx
    .updateTable('inbound_answers')
    .set({ reply: JSON.stringify(reply) })
    .where('id', '=', id)
    .execute();
}

/** Deletes answers older than 400 days, at most `limit`. Returns their number. */
export async function forgetInboundAnswers(db: Handle, clock: Clock, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from inbound_answers where id in (
      select id from inbound_answers where answered_at < ${clock.sql} - interval '400 days'
      order by answered_at limit ${limit} for update skip locked)
    returning 1`.execute(db);
  return rows.length;
}
