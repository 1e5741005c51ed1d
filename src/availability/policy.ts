import type { Role } from '../people/contract.ts';
import { may } from '../people/rights.ts';

/** The viewer's relation to the person of a record. */
export type PersonRelation = { self: boolean; managed: boolean };

/**
 * A person's records may be changed by themselves, by managers of their teams, and by admins and owners. Everybody in
 * the organization may read them, in order to find covers.
 */
export function maySpeakFor(role: Role, { self, managed }: PersonRelation): boolean {
  return self || may({ role, manages: managed }, 'availabilities.of_others');
}
