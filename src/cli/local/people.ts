import { nearest } from '../../apply/file/near.ts';
import type { Handle } from '../../db/database.ts';
import {
  findUsersEverywhere,
  listOrganizations,
  listUsers,
  type Organization,
  type User,
} from '../../people/store.ts';
import { Refusal } from '../refusal.ts';

/**
 * The active user with this email address. `organization` is a name, needed if the address exists in several
 * organizations.
 */
export async function findUser(
  db: Handle,
  email: string,
  organization: string | null,
): Promise<User & { organization: Organization }> {
  const found = (await findUsersEverywhere(db, email)).filter((user) =>
    hasName(user.organization, organization),
  );
  const active = found.filter((user) => user.disabledAt === null);
  const [user] = active;
  if (user && active.length === 1) return user;
  if (user)
    throw severalOrganizations(
      `${email} belongs to`,
      active.map((one) => one.organization),
    );
  if (found.length > 0)
    throw new Refusal(`${email} is disabled; add them to your file again and run: tocsin apply FILE`);
  throw new Refusal(`No user has the email address ${email}; ${await userHint(db, email)}`);
}

async function userHint(db: Handle, email: string): Promise<string> {
  const emails: string[] = [];
  for (const { id } of await listOrganizations(db))
    emails.push(...(await listUsers(db, id)).map((user) => user.email));
  const near = nearest(email, emails);
  if (near !== null) return `did you mean ${near}?`;
  return 'add them to your file and run: tocsin apply FILE';
}

/** The organization of a command; null when there is none yet. */
export async function findOrganization(db: Handle, name: string | null): Promise<Organization | null> {
  const all = await listOrganizations(db);
  const named = all.filter((organization) => hasName(organization, name));
  const [only] = named;
  if (named.length > 1) throw severalOrganizations('The database has', named);
  return only ?? null;
}

export function severalOrganizations(what: string, organizations: readonly Organization[]): Refusal {
  const names = organizations.map((organization) => organization.name).join(', ');
  return new Refusal(`${what} several organizations; choose one with --organization: ${names}`);
}

export function hasName(organization: Organization, name: string | null): boolean {
  return name === null || organization.name.toLowerCase() === name.toLowerCase();
}
