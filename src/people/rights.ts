import { ROLES, type Role } from './contract.ts';

/** What somebody is where a right is asked for: by role, or because they manage the team that it is about. */
const STANDINGS = ['owner', 'admin', 'manager', 'member'] as const;
type Standing = (typeof STANDINGS)[number];

/**
 * The one table of who may what to the organization and its teams; whatever is not here everybody may, or only to
 * what is their own. A manager has the right within the teams that they manage.
 */
const RIGHTS = {
  'organization.change': ['owner', 'admin'],
  'organization.require_two_factor': ['owner'],
  'audit.read': ['owner', 'admin'],
  'channels.test': ['owner', 'admin'],
  'system.read': ['owner', 'admin'],
  'people.change': ['owner', 'admin'],
  'people.invite': ['owner', 'admin', 'manager'],
  'teams.create': ['owner', 'admin'],
  'teams.delete': ['owner', 'admin'],
  'team.change': ['owner', 'admin', 'manager'],
  'team.members': ['owner', 'admin', 'manager'],
  'team.schedules': ['owner', 'admin', 'manager'],
  'team.webhooks': ['owner', 'admin', 'manager'],
  'reports.answers': ['owner', 'admin', 'manager'],
} as const satisfies Record<string, readonly Standing[]>;
export type Right = keyof typeof RIGHTS;

/** `manages`: the team, or all of the teams, that the right is asked for. */
export type Actor = { role: Role; manages?: boolean };

export function may({ role, manages = false }: Actor, right: Right): boolean {
  const allowed: readonly Standing[] = RIGHTS[right];
  return allowed.includes(role) || (manages && allowed.includes('manager'));
}

/** Whether somebody with this role may change, disable or let in another with that one: nobody acts on who is above. */
export function mayActOn(actor: Role, target: Role): boolean {
  return may({ role: actor }, 'people.change') && rank(actor) >= rank(target);
}

/** Whether they may give somebody else this role: nobody gives more than they have. */
export function mayGive(actor: Actor, role: Role): boolean {
  if (actor.manages && role === 'member') return true;
  return may({ role: actor.role }, 'people.change') && rank(actor.role) >= rank(role);
}

/** Higher is mightier. */
function rank(role: Role): number {
  return ROLES.length - ROLES.indexOf(role);
}
