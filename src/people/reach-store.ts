import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import type { MethodFacts } from './reachability.ts';

/** The contact methods of these people, as far as they are not disabled, whatever their organizations. */
export async function readMethodFactsOf(db: Handle, userIds: readonly string[]): Promise<MethodFacts[]> {
  return selectFacts(db).where(sql<boolean>`c.user_id = any(${userIds}::text[])`).execute();
}

/** The same of everybody: for the operator's commands, never for a request. */
export async function readMethodFactsEverywhere(db: Handle): Promise<MethodFacts[]> {
  return selectFacts(db).execute();
}

function selectFacts(db: Handle) {
  return db
    .selectFrom('contact_methods as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .select((eb) => [
      'c.user_id as userId',
      'c.type',
      'c.value',
      'c.chat_user_id as chatUserId',
      eb('c.verified_at', 'is not', null).$castTo<boolean>().as('verified'),
    ])
    .where('u.disabled_at', 'is', null)
    .orderBy('c.user_id')
    .orderBy('c.position')
    .orderBy('c.id');
}
