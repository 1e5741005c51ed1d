import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../../db/clock.ts';
import type { Database, Tx } from '../../db/database.ts';
import { Fault } from '../../kit/fault.ts';
import { instantText } from '../../kit/instant.ts';
import { route } from '../../kit/route.ts';
import type { Sealing } from '../../kit/sealing.ts';
import { t } from '../../language/contract.ts';
import { mayActOn, mayGive } from '../../people/rights.ts';
import { type AuditEntry, recordAudit } from '../../people/store.ts';
import { listTeamsOfViewer, type TeamOfViewer } from '../../people/team-store.ts';
import { type Viewer, viewerOf } from '../contract.ts';
import {
  type InvitationLink,
  type InvitationShown,
  invitationsApi,
  signInHelpApi,
} from '../invitation-contract.ts';
import { findMe } from '../store.ts';
import { type Invitation, listInvitations, lockInvitation, revokeInvitation } from './invitation-store.ts';
import { type Inviting, invite, mailInvitation, mayNot, rolesToGive, teamsToGive } from './inviting.ts';
import { handedInvitationUrl } from './link.ts';
import { makeSignInLink } from './sign-in-link-for.ts';

export type InvitationServices = {
  db: Database;
  clock: Clock;
  sealing: Sealing;
  config: { publicUrl: string };
  /** Whether email is set up. */
  emails(): boolean;
};

/** /api/invitations: list, invite, copy or send the link, revoke; and sign-in links for existing people. */
export function invitationApiRoutes(api: FastifyInstance, services: InvitationServices): void {
  const { db, clock, sealing, config } = services;
  const inviting: Inviting = {
    ...{ sealing, publicUrl: config.publicUrl },
    get emails() {
      return services.emails();
    },
  };

  route(api, invitationsApi.list, async (request) => {
    const viewer = viewerOf(request);
    const teams = await listTeamsOfViewer(db, viewer);
    const roles = rolesToGive(viewer.role, teams);
    const invitations = roles.length > 0 ? await listInvitations(db, clock, viewer.organizationId) : [];
    return {
      invitations: invitations.map((invitation) => present(invitation, mayManage(viewer, invitation, teams))),
      roles,
      teams: teamsToGive(viewer.role, teams).map(({ id, name, slug }) => ({ id, name, slug })),
      emails: inviting.emails,
    };
  });

  route(api, invitationsApi.invite, async (request, reply) => {
    const viewer = viewerOf(request);
    const { body } = request;
    const made = await db.transaction().execute(async (tx): Promise<InvitationLink> => {
      const at = await clock.now(tx);
      const { id, token } = await invite(tx, at, viewer, body, inviting);
      const invitation = await lockInvitation(tx, clock, viewer.organizationId, id);
      if (!invitation) throw new Error('an invitation that was just created cannot be found');
      const sent = await send(tx, viewer, invitation, token);
      return body.in_person === true ? { ...sent, url: await handOver(tx, viewer, invitation, token) } : sent;
    });
    reply.code(201);
    return made;
  });

  /** The link to hand over in person. */
  route(api, invitationsApi.link, async (request) =>
    changing(request, async (tx, invitation, viewer): Promise<InvitationLink> => {
      const url = await handOver(tx, viewer, invitation, sealing.open(invitation.token));
      return { ...linkOf(invitation, false), url };
    }),
  );

  route(api, invitationsApi.send, async (request) =>
    changing(request, async (tx, invitation, viewer) => {
      if (!inviting.emails) throw noEmail();
      return send(tx, viewer, invitation, sealing.open(invitation.token));
    }),
  );

  route(api, invitationsApi.revoke, async (request) =>
    changing(request, async (tx, { id, email }, { organizationId, userId }) => {
      const at = await clock.now(tx);
      await revokeInvitation(tx, at, id);
      const entry: AuditEntry = { action: 'invitation.revoke', subject: id, data: { email } };
      await recordAudit(tx, at, organizationId, userId, [entry]);
      return { revoked: true };
    }),
  );

  route(api, signInHelpApi.link, async (request) => {
    const viewer = viewerOf(request);
    const { id } = request.params;
    return db
      .transaction()
      .execute((tx) =>
        makeSignInLink(tx, clock, viewer, id, inviting, (role) => mayActOn(viewer.role, role)),
      );
  });

  async function send(
    tx: Tx,
    viewer: Viewer,
    invitation: Invitation,
    token: string,
  ): Promise<InvitationLink> {
    if (inviting.emails && !invitation.expired) {
      const me = await findMe(tx, viewer.organizationId, viewer.userId);
      await mailInvitation(
        tx,
        await clock.now(tx),
        invitation,
        token,
        me?.user.name ?? 'A colleague',
        inviting,
      );
    }
    return linkOf(invitation, inviting.emails);
  }

  function linkOf({ id, expiresAt }: Invitation, emailed: boolean): InvitationLink {
    return { id, url: null, expires_at: instantText(expiresAt), emailed };
  }

  /** The inviter promises to hand the link to this person; the audit log records it. */
  async function handOver(
    tx: Tx,
    { organizationId, userId }: Viewer,
    { id, email }: Invitation,
    token: string,
  ): Promise<string> {
    const entry: AuditEntry = { action: 'invitation.hand_over', subject: id, data: { email } };
    await recordAudit(tx, await clock.now(tx), organizationId, userId, [entry]);
    return handedInvitationUrl(config.publicUrl, token, sealing);
  }

  /** An invitation that the viewer may manage, with its row locked. */
  async function changing<T>(
    request: FastifyRequest<{ Params: { id: string } }>,
    change: (tx: Tx, invitation: Invitation, viewer: Viewer) => Promise<T>,
  ): Promise<T> {
    const viewer = viewerOf(request);
    const { id } = request.params;
    return db.transaction().execute(async (tx) => {
      const invitation = await lockInvitation(tx, clock, viewer.organizationId, id);
      if (!invitation)
        throw new Fault('not_found', [
          { field: 'id', message: t('No open invitation of your organization has this id.') },
        ]);
      const teams = await listTeamsOfViewer(tx, viewer);
      if (!mayManage(viewer, invitation, teams)) throw mayNot();
      return change(tx, invitation, viewer);
    });
  }
}

/** Whether the viewer may grant the role and all of the teams themselves. */
function mayManage({ role }: Viewer, invitation: Invitation, teams: readonly TeamOfViewer[]): boolean {
  const allowed = teamsToGive(role, teams);
  const manages =
    allowed.length > 0 && invitation.teamIds.every((id) => allowed.some((team) => team.id === id));
  return mayGive({ role, manages: manages && invitation.teamIds.length > 0 }, invitation.role);
}

function present(invitation: Invitation, may_manage: boolean): InvitationShown {
  const { id, email, name, role, teams, invitedBy, expired, expiresAt, createdAt } = invitation;
  return {
    ...{ id, email, name, role, teams, invited_by: invitedBy, expired, may_manage },
    expires_at: instantText(expiresAt),
    created_at: instantText(createdAt),
  };
}

function noEmail(): Fault {
  return new Fault('conflict', [
    {
      field: 'email',
      message: t('Email is not set up on this service; copy the link and send it yourself.'),
    },
  ]);
}
