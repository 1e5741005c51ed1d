import type { Role } from './contract.ts';
import { may } from './rights.ts';
import type { TeamRole } from './team-api-contract.ts';

/** A person's role in the organization and in the team. */
/** A person's relation to a team. */
export type TeamRelation = { member: boolean; manager: boolean };

type Roles = { role: Role; ownRole: TeamRole | null };

export function mayMakeTeams(role: Role): boolean {
  return may({ role }, 'teams.create');
}

export function mayDeleteTeams(role: Role): boolean {
  return may({ role }, 'teams.delete');
}

/** Rename it, and choose its members and their roles. */
export function mayManageTeam({ role, ownRole }: Roles): boolean {
  const actor = { role, manages: ownRole === 'manager' };
  return may(actor, 'team.change') && may(actor, 'team.members');
}

/** Managers may remove members of their team, and everybody may leave. */
export function mayRemoveMember(roles: Roles, themselves: boolean): boolean {
  return mayManageTeam(roles) || (themselves && roles.ownRole !== null);
}
