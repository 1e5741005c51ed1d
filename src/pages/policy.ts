import type { Role } from '../people/contract.ts';
import { may } from '../people/rights.ts';

/** How a person is related to a page. */
export type Relation = { ofTheTeam: boolean; notified: boolean };

/** Everybody in the organization may read a page. Members of its team, people it notified, owners and admins may act on it. */
export function mayAct(role: Role, { ofTheTeam, notified }: Relation): boolean {
  return may({ role, ofTheTeam: ofTheTeam || notified }, 'team.respond');
}
