import type { Role } from '../people/contract.ts';
import { may } from '../people/rights.ts';

/** Everybody of the organization may read a moment; its team, owners and admins may act on it. */
export function mayAct(role: Role, { ofTheTeam }: { ofTheTeam: boolean }): boolean {
  return may({ role, ofTheTeam }, 'team.respond');
}

/** Silencing a page source of the team for a time. */
export function maySilence(role: Role, { ofTheTeam }: { ofTheTeam: boolean }): boolean {
  return may({ role, ofTheTeam }, 'team.windows');
}
