import type { Role } from '../people/contract.ts';
import { may } from '../people/rights.ts';

/** How a person is related to a page; `ofTheSourcesTeam` is null if no page source raised it. */
export type Relation = { ofTheTeam: boolean; notified: boolean; ofTheSourcesTeam: boolean | null };

/** Everybody in the organization may read a page. Members of its team, people it notified, owners and admins may act on it. */
export function mayAct(
  role: Role,
  { ofTheTeam, notified }: Pick<Relation, 'ofTheTeam' | 'notified'>,
): boolean {
  return may({ role, ofTheTeam: ofTheTeam || notified }, 'team.respond');
}

/** Members of the team whose source raised a page, owners and admins may silence the alert of a page. */
export function maySilence(role: Role, { ofTheSourcesTeam }: Relation): boolean {
  return ofTheSourcesTeam !== null && may({ role, ofTheTeam: ofTheSourcesTeam }, 'team.windows');
}
