import type { Command } from 'commander';
import type { Tx } from '../../db/database.ts';
import { instantText } from '../../kit/instant.ts';
import { newId } from '../../kit/typeid.ts';
import { recordAudit } from '../../people/audit-store.ts';
import { insertContactMethods } from '../../people/contact-store.ts';
import { EMAIL_HINT, emailKey, isEmail } from '../../people/email.ts';
import {
  findUsersEverywhere,
  insertOrganization,
  insertUser,
  listUsers,
  type Organization,
  parkUsernames,
  type User,
  updateUser,
} from '../../people/store.ts';
import { assignUsernames, usersInTheWay } from '../../people/usernames.ts';
import { signInPath } from '../../sessions/contract.ts';
import { createSignInLink } from '../../sessions/sign-in-link.ts';
import { createCommand } from '../command.ts';
import { type Local, withLocal } from '../local.ts';
import { findOrganization, hasName, severalOrganizations } from '../local-people.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';

type Options = { email: string; name: string; organization?: string };

export function ownerCommand(session: Session): Command {
  const create = createCommand(
    'create',
    'Make an owner, and the organization if there is none; print a sign-in link that works once, for a day. For somebody who exists it prints a new link.',
    [
      'owner create --email ada@example.com --name "Ada Lovelace"',
      'owner create --email ada@example.com --name "Ada Lovelace" --organization Acme',
    ],
  )
    .requiredOption('--email <email>', 'how the owner is known and reached')
    .requiredOption('--name <name>', 'name of the person')
    .option('--organization <name>', 'name of the organization; the domain of the email if left out')
    .action((options: Options) => withLocal(session, (local) => createOwner(session, local, options)));
  return createCommand('owner', 'Make owners of the organization.').addCommand(create);
}

async function createOwner({ output }: Session, local: Local, options: Options): Promise<void> {
  const email = options.email.trim();
  const name = options.name.trim();
  if (!isEmail(email)) throw new Refusal(`--email is ${JSON.stringify(email)}; give ${EMAIL_HINT}.`);
  if (name === '' || [...name].length > 200) throw new Refusal('--name must have 1 to 200 characters.');
  const made = await local.db.transaction().execute(async (tx) => {
    const at = await local.clock.now(tx);
    const organization = await organizationFor(tx, at, email, options.organization ?? null);
    const user = await ownerOf(tx, at, organization, email, name);
    const link = await createSignInLink(tx, at, organization.id, user.id);
    const entry = { action: 'owner.link', subject: user.id, data: { email: user.email } };
    await recordAudit(tx, at, organization.id, null, [entry]);
    return { organization, user, ...link };
  });
  const url = local.config.publicUrl + signInPath(made.token);
  const expires = instantText(made.expiresAt);
  if (!output.json) output.note(`${made.user.name} signs in once with this link, until ${expires}:`);
  output.result(url, {
    url,
    expires_at: expires,
    email: made.user.email,
    organization: made.organization.name,
  });
}

/** The one that knows this person, the one that is named, the only one, or a new one. */
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
  const newName = (name ?? email.slice(email.lastIndexOf('@') + 1)).trim();
  if (newName === '' || [...newName].length > 200)
    throw new Refusal('--organization must have 1 to 200 characters.');
  const organization = { id: newId('organization'), name: newName, timeZone: 'UTC' };
  await insertOrganization(tx, at, organization);
  return organization;
}

/** Somebody who exists becomes an owner; whoever may write to the database may decide that. */
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
    if (existing.role !== 'owner' || existing.disabledAt) await updateUser(tx, at, organization.id, owner);
    return owner;
  }
  const usernames = assignUsernames([{ email, username: undefined }], users);
  await parkUsernames(tx, organization.id, usersInTheWay(usernames, users));
  const username = usernames.get(emailKey(email)) ?? email;
  const id = newId('organization_user');
  const user = { id, email, name, username, role: 'owner' as const, timeZone: organization.timeZone };
  await insertUser(tx, at, organization.id, user);
  await insertContactMethods(tx, at, organization.id, [
    {
      id: newId('contact_method'),
      userId: id,
      type: 'email',
      value: email,
      chatUserId: null,
      signingSecret: null,
      verifiedAt: at,
      position: 0,
    },
  ]);
  return { ...user, disabledAt: null };
}
