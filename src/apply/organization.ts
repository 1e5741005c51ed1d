import { emailKey } from '../people/email.ts';
import type { Organization } from '../people/store.ts';
import type { OperatorFile } from './file/shape.ts';

/** An existing organization, with the properties that decide whether the file means it. */
export type KnownOrganization = Organization & {
  emails: ReadonlySet<string>;
  /** It has teams, so people already use it. */
  inUse: boolean;
};

export type Choice = { existing: Organization } | { newName: string } | { problem: string };

/**
 * Chooses the organization of the file, or returns the reason why that is unclear: the one with this name, otherwise
 * the only one, which then gets the file's name. If nobody in the file belongs to an organization in use, the file
 * describes another organization, not a new name.
 */
export function chooseOrganization(file: OperatorFile, known: readonly KnownOrganization[]): Choice {
  const name = file.organization?.name;
  const same = known.find((one) => one.name.toLowerCase() === name?.toLowerCase());
  if (same) return { existing: same };
  const [only] = known;
  if (only && known.length === 1 && (!name || meansTheSame(file, only))) return { existing: only };
  if (name) return { newName: name };
  const names = known.map((one) => one.name).join(', ');
  const problem = only
    ? `is missing, and the database has several organizations; give one of ${names}`
    : 'is missing; give the name of your organization, such as Acme';
  return { problem };
}

function meansTheSame(file: OperatorFile, organization: KnownOrganization): boolean {
  const { users = [] } = file;
  if (!organization.inUse || users.length === 0) return true;
  return users.some(({ email }) => organization.emails.has(emailKey(email)));
}
