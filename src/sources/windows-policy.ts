import type { Role } from '../people/contract.ts';
import { may } from '../people/rights.ts';
import type { TeamRelation } from '../people/team-policy.ts';

/** Who may create, change and end maintenance windows and silences of a team. Everybody may see them. */
export function mayManageWindows(role: Role, { member, manager }: TeamRelation): boolean {
  return may({ role, manages: manager, ofTheTeam: member }, 'team.windows');
}
