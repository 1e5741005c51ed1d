import type { Role } from './contract.ts';
import { may } from './rights.ts';

/** What somebody has to do with the team of a schedule. */
export type TeamRelation = { member: boolean; manager: boolean };

/**
 * Who makes, changes and removes the schedules of a team: its managers, and those who run the place. Everybody of the
 * organization may look.
 */
export function mayManageSchedules(role: Role, { manager }: TeamRelation): boolean {
  return may({ role, manages: manager }, 'team.schedules');
}
