import { type RawBuilder, sql } from 'kysely';
import type { Urgency } from './contract.ts';

/** The values of `turn_rank`: within the turn of a team, high urgency goes before medium, and medium before low. */
export const TURN_RANKS = [0, 1, 2] as const;

/**
 * The columns `turn_of, turn_rank` of a page's waiting work, from SQL expressions for its team, person and urgency. A
 * page of a team waits in the turn of the team, any other in that of its person.
 */
export function turnColumns(
  teamId: RawBuilder<unknown>,
  userId: RawBuilder<unknown>,
  urgency: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`coalesce(${teamId}, ${userId}), ${turnRank(urgency)}`;
}

const RANKS: Readonly<Record<Urgency, (typeof TURN_RANKS)[number]>> = { high: 0, medium: 1, low: 2 };

export function turnRankOf(urgency: Urgency): number {
  return RANKS[urgency];
}

export function turnRank(urgency: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case ${urgency} when 'high' then ${sql.lit(RANKS.high)} when 'medium' then ${sql.lit(RANKS.medium)} else ${sql.lit(RANKS.low)} end`;
}
