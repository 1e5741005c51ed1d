import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { PageRow } from '../pages/store.ts';

/**
 * Whether a page still waits for one of its recipients: while it notifies, or when the recipient was added after it was
 * acknowledged. `p` is a row of `pages`.
 *
 * @param begunAt SQL for the time when the recipient's run started
 */
export function awaitsSql(begunAt: string): RawBuilder<boolean> {
  return sql.raw(`(p.state = 'notifying' or p.state = 'acknowledged' and ${begunAt} > p.acknowledged_at)`);
}

/** The same for one recipient, whose page is locked. */
export async function awaits(tx: Tx, page: PageRow, responderId: number): Promise<boolean> {
  if (page.state !== 'acknowledged') return page.state === 'notifying';
  const { rows } = await sql<{ awaited: boolean }>`
    select exists (
      select from responders r join pages p on p.id = r.page_id
      where r.id = ${responderId} and ${awaitsSql('r.started_at')}) as awaited`.execute(tx);
  return rows[0]?.awaited === true;
}
