import type { Role } from './contract.ts';
import { may } from './rights.ts';

/** A person's relation to the team of a schedule. */
export type TeamRelation = { member: boolean; manager: boolean };

/**
 * Who may create, change and delete the schedules of a team: its managers, and the owners and admins of the organization.
 * Everybody in the organization may read them.
 */
export function mayManageSchedules(role: Role, { manager }: TeamRelation): boolean {
  return may({ role, manages: manager }, 'team.schedules');
}
