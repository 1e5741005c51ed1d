import { type RawBuilder, sql } from 'kysely';
import { createFairQueue, type Turn } from '../kit/fair-queue.ts';
import type { Tx } from './database.ts';
import { inIndexOrder } from './in-index-order.ts';

/** The most teams, people and webhooks that one claim looks at; the next claim looks at those after them. */
const MOST_TURNS = 200;

/** Where a worker's claims continue with the turns if more than `MOST_TURNS` have rows. */
export type Rotation = { after: { organizationId: string; turnOf: string } };

export function createRotation(): Rotation {
  return { after: { organizationId: '', turnOf: '' } };
}

/** A table whose rows wait to be claimed, with an index that finds the rows of each turn. */
export type Queue = {
  table: 'page_steps' | 'deliveries' | 'received_notifications';
  /** The column with the id of the team, person or webhook. */
  turnOf: 'turn_of' | 'webhook_id';
  /** The column with the urgency, and its values; null if all rows are equally urgent. */
  rank: { column: string; values: readonly number[] } | null;
  /** Begins with `organization_id` and the turn. Rows are claimed in turn only after it has been built. */
  index: string;
  /** The condition of the index. Columns are those of `q`. */
  waiting: RawBuilder<unknown>;
  /** Which of them may be claimed now. */
  claimable: RawBuilder<unknown>;
};

export type Share = Turn & { quota: number };

/**
 * Divides `limit` rows among the waiting turns. Reads a few index entries for each turn, however many rows it has. A
 * single turn may have enough rows to fill the whole claim.
 */
export async function sharesOf(tx: Tx, queue: Queue, limit: number, rotation: Rotation): Promise<Share[]> {
  const turns = await inIndexOrder(tx, (side) => waitingTurns(side, queue, limit, rotation));
  rotation.after = turns.find(({ number }) => number === MOST_TURNS) ?? createRotation().after;
  return divide(turns, limit);
}

/**
 * Lets the turns with the most urgent rows begin, so that these come first if there are more turns than rows to claim.
 */
export function divide(turns: readonly (Turn & { rows: number })[], limit: number): Share[] {
  const shares = new Map<Turn, Share>();
  const queue = createFairQueue<Turn>((turn) => turn);
  for (const turn of turns.toSorted((one, other) => one.rank - other.rank))
    for (let row = 0; row < turn.rows; row++) queue.push(turn);
  for (let taken = 0; taken < limit; taken++) {
    const turn = queue.shift();
    if (!turn) break;
    const { quota } = shares.get(turn) ?? { quota: 0 };
    const { organizationId, turnOf, rank } = turn;
    shares.set(turn, { organizationId, turnOf, rank, quota: quota + 1 });
  }
  return [...shares.values()];
}

/** The shares as the rows `share(organization_id, turn_of, turn_rank, quota)` of a statement. */
export function shareRows(shares: readonly Share[]): RawBuilder<unknown> {
  return sql`unnest(${shares.map(({ organizationId }) => organizationId)}::text[], ${shares.map(({ turnOf }) => turnOf)}::text[],
    ${shares.map(({ rank }) => rank)}::integer[], ${shares.map(({ quota }) => quota)}::integer[])
    as share(organization_id, turn_of, turn_rank, quota)`;
}

/**
 * The order of the index, in which `q` has the rows of each turn. Statements name all of its columns: ordered only by
 * time, PostgreSQL might read the index of the queue instead, and with it the rows of all other turns.
 */
export function turnOrder({ turnOf, rank }: Pick<Queue, 'turnOf' | 'rank'>): RawBuilder<unknown> {
  const columns = ['organization_id', turnOf, ...(rank === null ? [] : [rank.column]), 'due_at', 'id'];
  return sql.join(columns.map((column) => sql.ref(`q.${column}`)));
}

async function waitingTurns(
  side: Tx,
  { table, turnOf, rank, index, waiting, claimable }: Queue,
  limit: number,
  { after }: Rotation,
): Promise<(Turn & { rows: number; number: number })[]> {
  const [rows, turn] = [sql.table(table), sql.ref(`q.${turnOf}`)];
  const ofRank = rank === null ? sql`` : sql`and ${sql.ref(`q.${rank.column}`)} = r.rank`;
  // Each step of the recursion jumps over all rows of a turn to the first one of the next.
  const next = (organizationId: RawBuilder<unknown>, of: RawBuilder<unknown>) => sql`
    select q.organization_id, ${turn} as turn_of from ${rows} q
    where ${waiting} and (q.organization_id, ${turn}) > (${organizationId}, ${of})
    order by q.organization_id, ${turn} limit 1`;
  const found = await sql<Turn & { rows: number; number: number }>`
    with recursive visited as (
      select first.organization_id, first.turn_of, 1 as number
      from (${next(sql`${after.organizationId}::text`, sql`${after.turnOf}::text`)}) first
      union all
      select jump.organization_id, jump.turn_of, v.number + 1
      from visited v cross join lateral (${next(sql`v.organization_id`, sql`v.turn_of`)}) jump
      where v.number < ${MOST_TURNS}
    )
    select v.organization_id as "organizationId", v.turn_of as "turnOf", r.rank, v.number,
      (select count(*) from (
        select from ${rows} q
        where ${waiting} and q.organization_id = v.organization_id and ${turn} = v.turn_of ${ofRank} and ${claimable}
        order by ${turnOrder({ turnOf, rank })} limit ${limit}) claimed)::integer as rows
    from visited v cross join unnest(${rank?.values ?? [0]}::integer[]) as r(rank)
    where exists (select from pg_index where indexrelid = to_regclass(${index}) and indisvalid)`.execute(
    side,
  );
  return found.rows;
}
