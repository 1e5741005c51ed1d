import type { Clock } from '../../db/clock.ts';
import type { Tx } from '../../db/database.ts';
import { Fault } from '../../kit/fault.ts';
import { recordAudit } from '../../people/audit-store.ts';
import { addUser } from '../../people/new-user.ts';
import { savePassword } from '../passwords/password-store.ts';
import type { Arrival } from '../sessions.ts';
import { acceptInvitation, findMember, type Invitation, joinTeams } from './invitation-store.ts';

export type Newcomer = {
  name: string;
  timeZone: string;
  passwordHash: string | null;
  /** The address is theirs: they came by the mail, or their identity provider says so. */
  emailVerified: boolean;
  method: Arrival['method'];
};

/**
 * Makes the account of whom a locked invitation is for. Somebody whom a file has brought meanwhile, and who has no way
 * in yet, gets theirs.
 * @throws Fault 410 when they are here already, or it is too late
 */
export async function accept(
  tx: Tx,
  clock: Clock,
  invitation: Invitation | null,
  newcomer: Newcomer,
): Promise<Arrival> {
  if (!invitation || invitation.expired) throw invitationIsOver();
  const at = await clock.now(tx);
  const { organizationId, email, role, id } = invitation;
  const member = await findMember(tx, organizationId, email);
  if (member?.disabled || member?.comesIn) throw invitationIsOver();
  const { name, timeZone, emailVerified } = newcomer;
  const person = { email, name: name.trim(), role, timeZone, emailVerified };
  const userId = member?.id ?? (await addUser(tx, at, organizationId, person)).id;
  await joinTeams(tx, at, organizationId, userId, invitation.teamIds);
  if (newcomer.passwordHash) await savePassword(tx, at, { organizationId, userId }, newcomer.passwordHash);
  await acceptInvitation(tx, at, id, userId);
  const entry = { action: 'invitation.accept', subject: id, data: { email, user: userId } };
  await recordAudit(tx, at, organizationId, userId, [entry]);
  return { organizationId, userId, method: newcomer.method };
}

export function invitationIsOver(): Fault {
  return new Fault('gone', [
    {
      field: 'invitation',
      message: 'was used, taken back, or is older than a week; ask for a new one, or sign in',
    },
  ]);
}
