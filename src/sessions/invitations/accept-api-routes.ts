import type { FastifyInstance } from 'fastify';
import { Fault } from '../../kit/fault.ts';
import { route } from '../../kit/route.ts';
import type { Sealing } from '../../kit/sealing.ts';
import { type ArrivalServices, arriveWith } from '../arrival.ts';
import { invitationsApi } from '../invitation-contract.ts';
import { hashPassword } from '../passwords/hashing.ts';
import { passwordProblems } from '../passwords/password.ts';
import { accept, invitationIsOver } from './accepting.ts';
import { findInvitation, lockInvitationByToken } from './invitation-store.ts';
import { readInvitationToken } from './link.ts';

/** POST /api/sign-in/invitation…: shows an invitation to the person who has its link, and creates their account. */
export function acceptApiRoutes(
  api: FastifyInstance,
  services: ArrivalServices & { sealing: Sealing },
): void {
  const { db, clock, sealing } = services;

  route(api, invitationsApi.show, async (request) => {
    const { hash, proof } = readInvitationToken(sealing, request.body.token);
    const invitation = await findInvitation(db, clock, hash);
    if (!proof || !invitation || invitation.expired) throw invitationIsOver();
    const { organization, email, name, role, teams, invitedBy } = invitation;
    return { organization, email, name: name ?? '', role, teams, invited_by: invitedBy };
  });

  route(api, invitationsApi.accept, async (request, reply) => {
    const { token, name, time_zone, language = null, password } = request.body;
    const { hash, proof } = readInvitationToken(sealing, token);
    const invitation = await findInvitation(db, clock, hash);
    if (!proof || !invitation) throw invitationIsOver();
    const known = [invitation.email, name, invitation.organization];
    const problems = password === undefined ? [] : passwordProblems(password, known);
    if (problems.length > 0) throw new Fault('bad_request', problems);
    const passwordHash = password === undefined ? null : await hashPassword(password);
    return arriveWith(services, request, reply, async (tx) =>
      accept(tx, clock, await lockInvitationByToken(tx, clock, hash), {
        name,
        timeZone: time_zone,
        language,
        passwordHash,
        emailVerified: proof === 'mail',
        method: 'invitation',
      }),
    );
  });
}
