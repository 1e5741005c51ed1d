import type { Handle } from '../db/database.ts';
import type { Recipient, Step } from './escalation.ts';
import { assigneesOf, type PageRow } from './store.ts';

/** Why a page notifies the people to whom it was reassigned. */
export function assigned(userId: string): Recipient {
  return { userId, kind: 'added', stage: null, why: { reason: 'reassigned' } };
}

/**
 * The first step of a page that begins again: it notifies the people to whom the page was last reassigned, otherwise
 * the person of the page or the people who are on call now.
 */
export async function firstStep(
  db: Handle,
  { id, kind, round }: Pick<PageRow, 'id' | 'kind' | 'round'>,
): Promise<Step> {
  const toPeople = kind === 'person' || (await assigneesOf(db, [id])).has(id);
  return { kind: toPeople ? 'person' : 'stage', stage: null, round };
}
