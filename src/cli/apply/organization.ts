import { emailKey } from '../../people/email.ts';
import type { Organization } from '../../people/store.ts';
import type { OperatorFile } from './file/shape.ts';

/** An organization of the database, as far as it matters for finding the one that the file means. */
export type KnownOrganization = Organization & {
  emails: ReadonlySet<string>;
  /** It has teams: somebody works with it already. */
  inUse: boolean;
};

export type Choice = { existing: Organization } | { newName: string } | { problem: string };

/**
 * Which organization the file is about, or why that is not clear. The one of that name; else the only one there is, which gets the file's
 * name. A file none of whose people belongs to an organization in use describes another one, not a new name.
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
