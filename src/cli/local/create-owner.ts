import type { Tx } from '../../db/database.ts';
import { instantText } from '../../kit/instant.ts';
import { oneLine } from '../../kit/one-line.ts';
import { newId } from '../../kit/typeid.ts';
import { endLinksFor } from '../../people/access-store.ts';
import { EMAIL_HINT, emailKey, isEmail } from '../../people/email.ts';
import { addUser } from '../../people/new-user.ts';
import {
  type AuditEntry,
  findUsersEverywhere,
  insertOrganization,
  listUsers,
  type Organization,
  recordAudit,
  type User,
  updateUser,
} from '../../people/store.ts';
import { signInPath } from '../../sessions/contract.ts';
import { createSignInLink, notifyOfLink } from '../../sessions/sign-in-link.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';
import { type Local, withLocal } from './database.ts';
import { findOrganization, hasName, severalOrganizations } from './people.ts';

export type OwnerOptions = { email: string; name: string; organization?: string };

/** Creates an owner, or finds an existing person, and prints a sign-in link. */
export async function createOwner(session: Session, options: OwnerOptions): Promise<void> {
  const { output } = session;
  const email = options.email.trim();
  const name = oneLine(options.name).trim();
  if (!isEmail(email)) throw new Refusal(`--email is ${JSON.stringify(email)}; give ${EMAIL_HINT}.`);
  if (name === '' || [...name].length > 200) throw new Refusal('--name must have 1 to 200 characters.');
  const made = await withLocal(
    session,
    (local) => saveOwner(local, email, name, options.organization ?? null),
    { mayCreate: true },
  );
  if (!output.json) output.note(`${made.name} signs in once with this link, until ${made.expires_at}:`);
  output.result(made.url, made);
}

async function saveOwner(
  { db, clock, config }: Local,
  email: string,
  name: string,
  organizationName: string | null,
) {
  return db.transaction().execute(async (tx) => {
    const at = await clock.now(tx);
    const organization = await organizationFor(tx, at, email, organizationName);
    const user = await ownerOf(tx, at, organization, email, name);
    const { token, expiresAt } = await createSignInLink(tx, at, organization.id, user.id);
    const entry: AuditEntry = { action: 'owner.link', subject: user.id, data: { email: user.email } };
    await recordAudit(tx, at, organization.id, null, [entry]);
    return {
      url: config.publicUrl + signInPath(token),
      expires_at: instantText(expiresAt),
      email: user.email,
      name: user.name,
      organization: organization.name,
    };
  });
}

/** The organization of this person, the one with the given name, the only one, or a new one. */
async function organizationFor(
  tx: Tx,
  at: Temporal.Instant,
  email: string,
  name: string | null,
): Promise<Organization> {
  const theirs = (await findUsersEverywhere(tx, email))
    .map((user) => user.organization)
    .filter((organization) => hasName(organization, name));
  const [only] = theirs;
  if (theirs.length > 1) throw severalOrganizations(`${email} belongs to`, theirs);
  const known = only ?? (await findOrganization(tx, name));
  if (known) return known;
  const newName = oneLine(name ?? email.slice(email.lastIndexOf('@') + 1)).trim();
  if (newName === '' || [...newName].length > 200)
    throw new Refusal('--organization must have 1 to 200 characters.');
  const organization = { id: newId('organization'), name: newName, timeZone: 'UTC' };
  await insertOrganization(tx, at, organization);
  return organization;
}

/** Makes an existing person an owner, which anybody with write access to the database may do. */
async function ownerOf(
  tx: Tx,
  at: Temporal.Instant,
  organization: Organization,
  email: string,
  name: string,
): Promise<User> {
  const users = await listUsers(tx, organization.id);
  const existing = users.find((user) => emailKey(user.email) === emailKey(email));
  if (existing) {
    const owner: User = { ...existing, role: 'owner', disabledAt: null };
    const of = { organizationId: organization.id, userId: existing.id };
    if (existing.role !== 'owner' || existing.disabledAt) {
      await updateUser(tx, at, organization.id, existing, owner);
      await endLinksFor(tx, at, of);
    }
    await notifyOfLink(tx, at, of, 'operator');
    return owner;
  }
  const { timeZone } = organization;
  return addUser(tx, at, organization.id, { email, name, role: 'owner', timeZone, emailVerified: true });
}
