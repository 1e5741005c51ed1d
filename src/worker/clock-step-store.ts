import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Tx } from '../db/database.ts';
import { LEASE_MS } from '../notifications/notifier.ts';

/** When the timeout of an acknowledgement was last set: by the acknowledgement, an extension or a snooze. */
const REMINDER_SET = `coalesce((
  select e.at from page_events e where e.page_id = pages.id and e.kind in ('acknowledged', 'extended', 'snoozed')
  order by e.id desc limit 1), acknowledged_at)`;

/** The longest delay between two attempts at a provider. */
const LONGEST_RETRY_SECONDS = 60;

/**
 * Signs of life from the future, which were written before the database's clock was set back; null when there are none. They
 * are corrected in the same transaction, so that only one of several nodes follows the step.
 */
export async function takeSignsAhead(
  tx: Tx,
  clock: Clock,
): Promise<{ latest: Temporal.Instant; now: Temporal.Instant } | null> {
  const { rows } = await sql<{ latest: Temporal.Instant | null; now: Temporal.Instant }>`
    with ahead as (
      select id, seen_at from nodes where seen_at > ${clock.sql} + interval '1 second' order by id for update
    ), corrected as (
      update nodes set seen_at = ${clock.sql} where id in (select id from ahead)
    )
    select max(seen_at) as latest, ${clock.sql} as now from ahead`.execute(tx);
  const row = rows[0];
  return row?.latest ? { latest: row.latest, now: row.now } : null;
}

/**
 * Moves everything that waits forward, after the clock was set back by `backMs`, so that it keeps its remaining time. Rows of
 * the last `freshMs` already use the new time. Leases and retries are only limited to their longest duration. Returns the
 * number of rows moved.
 */
export async function bringForward(
  tx: Tx,
  clock: Clock,
  { backMs, freshMs }: { backMs: number; freshMs: number },
): Promise<number> {
  const back = sql`${backMs}::double precision * interval '1 millisecond'`;
  const fresh = (at: string) =>
    sql`${sql.raw(at)} between ${clock.sql} - ${freshMs}::double precision * interval '1 millisecond' and ${clock.sql}`;
  const results = [
    // A step is scheduled when the one before it runs, the first one when the page is raised.
    await sql`
      update page_steps s set due_at = s.due_at - ${back} from pages p
      where s.state = 'due' and s.due_at > ${clock.sql} and p.id = s.page_id
        and not ${fresh(`coalesce((select max(b.done_at) from page_steps b where b.page_id = s.page_id), p.created_at)`)}`.execute(
      tx,
    ),
    await sql`
      update pages set remind_at = remind_at - ${back}
      where state = 'acknowledged' and remind_at > ${clock.sql} and not ${fresh(REMINDER_SET)}`.execute(tx),
    await sql`
      update deliveries set due_at = due_at - ${back}
      where state = 'waiting' and due_at > ${clock.sql} and not ${fresh('created_at')}`.execute(tx),
    await sql`
      update deliveries set due_at = ${clock.sql} + ${LONGEST_RETRY_SECONDS}::integer * interval '1 second'
      where state = 'retrying' and due_at > ${clock.sql} + ${LONGEST_RETRY_SECONDS}::integer * interval '1 second'`.execute(
      tx,
    ),
    await sql`
      update deliveries set lease_until = ${clock.sql} + ${LEASE_MS}::integer * interval '1 millisecond'
      where state = 'sending' and lease_until > ${clock.sql} + ${LEASE_MS}::integer * interval '1 millisecond'`.execute(
      tx,
    ),
    await sql`
      update received_notifications set due_at = due_at - ${back}
      where state = 'queued' and due_at > ${clock.sql}`.execute(tx),
    await sql`
      update page_sources set last_beat_at = last_beat_at - ${back}, late_since = late_since - ${back}
      where interval_minutes is not null and last_beat_at > ${clock.sql}`.execute(tx),
    await sql`
      update messages set due_at = due_at - ${back}, expires_at = expires_at - ${back},
        lease_until = lease_until - ${back}
      where state in ('waiting', 'sending') and greatest(due_at, lease_until) > ${clock.sql}
        and not ${fresh('created_at')}`.execute(tx),
    await sql`
      update all_clears set due_at = due_at - ${back}, expires_at = expires_at - ${back}
      where state = 'waiting' and greatest(due_at, expires_at) > ${clock.sql} and not ${fresh('created_at')}`.execute(
      tx,
    ),
  ];
  return results.reduce((sum, { numAffectedRows }) => sum + Number(numAffectedRows ?? 0n), 0);
}
