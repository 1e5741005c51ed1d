import type { Role } from '../people/contract.ts';
import { may } from '../people/rights.ts';

/** Whose record it is, as seen by the viewer. */
export type PersonRelation = { self: boolean; managed: boolean };

/**
 * Who says when somebody can be on call: they themselves, the managers of a team that they are in, and those who run
 * the place. Everybody of the organization may read it: whoever looks for a cover has to.
 */
export function maySpeakFor(role: Role, { self, managed }: PersonRelation): boolean {
  return self || may({ role, manages: managed }, 'availabilities.of_others');
}
