import type { Tx } from '../../db/database.ts';
import { type Detail, Fault } from '../../kit/fault.ts';
import type { Sealing } from '../../kit/sealing.ts';
import { newId } from '../../kit/typeid.ts';
import { t } from '../../language/contract.ts';
import { queueMessage } from '../../notices/store.ts';
import { ROLES, type Role } from '../../people/contract.ts';
import { isEmail } from '../../people/email.ts';
import { mayGive } from '../../people/rights.ts';
import { recordAudit } from '../../people/store.ts';
import { listTeamsOfViewer, type TeamOfViewer } from '../../people/team-store.ts';
import type { Viewer } from '../contract.ts';
import type { InvitationBody } from '../invitation-contract.ts';
import { findMember, type Invitation, saveInvitation } from './invitation-store.ts';
import { mailedInvitationUrl, newInvitationToken } from './link.ts';

/** Long enough that an invitation outlives a week of holidays. */
const LIFETIME = Temporal.Duration.from({ hours: 7 * 24 });

export type Inviting = { sealing: Sealing; publicUrl: string; readonly emails: boolean };

/** The roles that a person may grant to the people whom they invite. */
export function rolesToGive(role: Role, teams: readonly TeamOfViewer[]): Role[] {
  const manages = teams.some((team) => team.relation.manager);
  return ROLES.filter((given) => mayGive({ role, manages }, given));
}

/** The teams that a person may invite people into. */
export function teamsToGive(role: Role, teams: readonly TeamOfViewer[]): TeamOfViewer[] {
  return role === 'member' ? teams.filter((team) => team.relation.manager) : [...teams];
}

/**
 * Invites an address and replaces an earlier invitation to it. Faults name every problem. @returns the invitation's id,
 * token and end
 */
export async function invite(
  tx: Tx,
  at: Temporal.Instant,
  { organizationId, userId, role }: Omit<Viewer, 'authentication'>,
  body: InvitationBody,
  { sealing }: Inviting,
): Promise<{ id: string; token: string; expiresAt: Temporal.Instant }> {
  const teams = await listTeamsOfViewer(tx, { organizationId, userId });
  if (rolesToGive(role, teams).length === 0) throw mayNot();
  const email = body.email.trim();
  const problems = invitationProblems(role, teams, body);
  if (problems.length > 0) throw new Fault('bad_request', problems);
  const member = await findMember(tx, organizationId, email);
  if (member) throw isHere(member);
  const { token, hash, sealed } = newInvitationToken(sealing);
  const id = newId('invitation');
  const expiresAt = at.add(LIFETIME);
  await saveInvitation(tx, at, {
    ...{ id, organizationId, email, role: body.role, teamIds: [...new Set(body.teams)] },
    ...{ name: body.name?.trim() || null, tokenHash: hash, token: sealed, invitedBy: userId, expiresAt },
  });
  const data = { email, role: body.role, teams: body.teams };
  await recordAudit(tx, at, organizationId, userId, [{ action: 'invitation.create', subject: id, data }]);
  return { id, token, expiresAt };
}

function invitationProblems(role: Role, teams: readonly TeamOfViewer[], body: InvitationBody): Detail[] {
  const problems: Detail[] = [];
  if (!isEmail(body.email.trim()))
    problems.push({
      field: 'email',
      message: t('is not an address; give an email address such as ada@example.com'),
    });
  const allowed = teamsToGive(role, teams);
  const outside = body.teams.filter((id) => !allowed.some((team) => team.id === id));
  if (outside.length > 0)
    problems.push({ field: 'teams', message: t('A team is unknown, or you may not invite people to it.') });
  if (!rolesToGive(role, teams).includes(body.role))
    problems.push({ field: 'role', message: t('You may not give this role; ask an owner.') });
  if (role === 'member' && body.teams.length === 0)
    problems.push({ field: 'teams', message: t('is empty; give a team that you manage') });
  return problems;
}

/** Queues the email with the link. */
export async function mailInvitation(
  tx: Tx,
  at: Temporal.Instant,
  invitation: Pick<Invitation, 'organizationId' | 'organization' | 'email' | 'name' | 'expiresAt'>,
  token: string,
  inviter: string,
  { sealing, publicUrl }: Inviting,
): Promise<void> {
  const { organizationId, organization, email, name, expiresAt } = invitation;
  await queueMessage(tx, at, {
    organizationId,
    channel: 'email',
    address: email,
    readerId: null,
    words: () => ({
      subject: t('{who} invites you to {organization} on Tocsin', { who: inviter, organization }),
      text: `${name ? t('Hello {name},', { name }) : t('Hello,')}\n\n${t(
        '{who} invites you to {organization} on Tocsin. The link creates your account. It works once and is valid for a week.',
        { who: inviter, organization },
      )}`,
    }),
    url: mailedInvitationUrl(publicUrl, token, sealing),
    dedupKey: null,
    expiresAt,
  });
}

function isHere({ name, disabled }: { name: string; disabled: boolean }): Fault {
  const what = disabled
    ? t('belongs to {name}, who is disabled; enable them under People', { name })
    : t('belongs to {name}, who is already a member; create a sign-in link for them under People', { name });
  return new Fault('conflict', [{ field: 'email', message: what }]);
}

export function mayNot(): Fault {
  return new Fault('forbidden', [
    {
      field: 'invitation',
      message: t('Only owners, admins and team managers can invite people; ask one of them.'),
    },
  ]);
}
