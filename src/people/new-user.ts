import type { Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import { insertContactMethods } from './contact-store.ts';
import type { Role } from './contract.ts';
import { emailKey } from './email.ts';
import { insertUser, listUsers, parkUsernames, type User } from './store.ts';
import { assignUsernames, usersInTheWay } from './usernames.ts';

export type NewUser = {
  email: string;
  name: string;
  role: Role;
  timeZone: string;
  /** The address was verified, by a link sent to it or by a person who may vouch for it. */
  emailVerified: boolean;
};

/** Adds a person to the organization, with the address as their first contact method. */
export async function addUser(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  { email, name, role, timeZone, emailVerified }: NewUser,
): Promise<User> {
  const users = await listUsers(tx, organizationId);
  const usernames = assignUsernames([{ email, username: undefined }], users);
  await parkUsernames(tx, organizationId, usersInTheWay(usernames, users));
  const username = usernames.get(emailKey(email)) ?? email;
  const user = { id: newId('organization_user'), email, name, username, role, timeZone };
  await insertUser(tx, at, organizationId, user);
  await insertContactMethods(tx, at, organizationId, [
    {
      id: newId('contact_method'),
      userId: user.id,
      type: 'email',
      value: email,
      chatUserId: null,
      signingSecret: null,
      verifiedAt: emailVerified ? at : null,
      position: 0,
      events: [],
    },
  ]);
  return { ...user, disabledAt: null };
}
