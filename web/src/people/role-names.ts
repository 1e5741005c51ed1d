import type { Role } from '../../../src/people/contract.ts';
import { tIn } from '../language/t.ts';

const ROLES: Record<Role, string> = {
  owner: tIn('a role in the organization', 'owner'),
  admin: tIn('a role in the organization', 'admin'),
  member: tIn('a role in the organization', 'member'),
};

/** `admin`: the role of a person in the organization. */
export const roleName = (role: Role): string => ROLES[role] ?? role;

/** `Admin`: the role as a choice of a form. */
export const ROLE_LABELS: Readonly<Record<Role, string>> = {
  owner: tIn('a role', 'Owner'),
  admin: tIn('a role', 'Admin'),
  member: tIn('a role', 'Member'),
};
