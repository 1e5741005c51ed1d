import type { Role } from './contract.ts';
import { may } from './rights.ts';
import type { TeamRelation } from './team-policy.ts';

/**
 * Who may create, change and delete the schedules of a team: its managers, and the owners and admins of the organization.
 * Everybody in the organization may read them.
 */
export function mayManageSchedules(role: Role, { manager }: TeamRelation): boolean {
  return may({ role, manages: manager }, 'team.schedules');
}
