import type { Clock } from '../../db/clock.ts';
import type { Tx } from '../../db/database.ts';
import { Fault } from '../../kit/fault.ts';
import { type Language, t } from '../../language/contract.ts';
import { proveAddress } from '../../people/access-store.ts';
import { addUser } from '../../people/new-user.ts';
import { mayGive } from '../../people/rights.ts';
import { type AuditEntry, languageOfReader, recordAudit, updatePerson } from '../../people/store.ts';
import type { Arrival } from '../sessions.ts';
import { savePassword } from '../sign-in-store.ts';
import { acceptInvitation, findMember, type Invitation, joinTeams } from './invitation-store.ts';

export type Newcomer = {
  name: string;
  timeZone: string;
  /** Of the dashboard that they see; null if it is not known. */
  language: Language | null;
  passwordHash: string | null;
  /** Proof that the address is theirs: they used the link in the email, or their identity provider confirmed it. */
  emailVerified: boolean;
  method: Arrival['method'];
};

/**
 * Creates the account of a locked invitation, with its role. It never takes over an existing account, and the
 * invitation is valid only while the inviter may still invite. @throws Fault 410 if the account exists, the invitation
 * has expired, or the inviter may no longer invite
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
  if (!mayStillInvite(invitation) || (await findMember(tx, organizationId, email))) throw invitationIsOver();
  const { name, timeZone, language, emailVerified } = newcomer;
  const person = { email, name: name.trim(), role, timeZone, emailVerified };
  const { id: userId } = await addUser(tx, at, organizationId, person);
  if (language !== null && language !== (await languageOfReader(tx, organizationId, userId)))
    await updatePerson(tx, at, organizationId, userId, { language });
  if (emailVerified) await proveAddress(tx, at, { organizationId, userId });
  await joinTeams(tx, at, organizationId, userId, invitation.teamIds);
  if (newcomer.passwordHash) await savePassword(tx, at, { organizationId, userId }, newcomer.passwordHash);
  await acceptInvitation(tx, at, id, userId);
  const entry: AuditEntry = { action: 'invitation.accept', subject: id, data: { email, user: userId } };
  await recordAudit(tx, at, organizationId, userId, [entry]);
  return { organizationId, userId, method: newcomer.method };
}

function mayStillInvite({ inviter, role, teamIds }: Invitation): boolean {
  return (
    inviter !== null && mayGive({ role: inviter.role, manages: inviter.manages && teamIds.length > 0 }, role)
  );
}

export function invitationIsOver(): Fault {
  return new Fault('gone', [
    {
      field: 'invitation',
      message: t(
        "is no longer valid: it was used, withdrawn, cut off, older than a week, or ended by a change of either person's account; ask for a new one, or sign in",
      ),
    },
  ]);
}
