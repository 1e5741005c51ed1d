import type { Role } from '../people/contract.ts';
import { may } from '../people/rights.ts';
import type { TeamRelation } from '../people/team-policy.ts';

/** Who may see URLs and secrets, and create, change and revoke webhooks. Everybody may see that a webhook exists. */
export function mayManage(role: Role, { manager }: TeamRelation): boolean {
  return may({ role, manages: manager }, 'team.webhooks');
}

/** Who may retry failed calls. */
export function mayRetry(role: Role, { member }: TeamRelation): boolean {
  return may({ role, ofTheTeam: member }, 'team.respond');
}
