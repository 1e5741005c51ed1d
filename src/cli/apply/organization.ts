import { emailKey } from '../../people/email.ts';
import type { Organization } from '../../people/store.ts';
import type { FileDefinition } from './file/definition.ts';
import { type Problem, problemAt } from './file/place.ts';

/** An organization of the database, as far as it matters for finding the one that the file means. */
export type KnownOrganization = Organization & {
  emails: ReadonlySet<string>;
  /** It has teams: somebody works with it already. */
  inUse: boolean;
};

export type Choice = { existing: Organization } | { newName: string } | { problem: Problem };

/**
 * Which organization the file is about. The one of that name; else the only one there is, which gets the file's
 * name. A file none of whose people belongs to an organization in use describes another one, not a new name.
 */
export function chooseOrganization(file: FileDefinition, known: readonly KnownOrganization[]): Choice {
  const { name } = file.organization;
  const same = known.find((one) => one.name.toLowerCase() === name?.value.toLowerCase());
  if (same) return { existing: same };
  const [only] = known;
  if (only && known.length === 1 && (!name || meansTheSame(file, only))) return { existing: only };
  if (name) return { newName: name.value };
  const names = known.map((one) => one.name).join(', ');
  const message = only
    ? `is missing, and the database has several organizations; give one of ${names}`
    : 'is missing; give the name of your organization, such as Acme';
  return {
    problem: problemAt({ value: null, place: { line: 1, column: 1 }, path: 'organization.name' }, message),
  };
}

function meansTheSame(file: FileDefinition, organization: KnownOrganization): boolean {
  if (!organization.inUse || file.users.length === 0) return true;
  return file.users.some(({ email }) => organization.emails.has(emailKey(email.value)));
}
