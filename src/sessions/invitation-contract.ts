import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { Nullable } from '../kit/nullable-contract.ts';
import { ONE_LINE } from '../kit/one-line-contract.ts';
import { TIME, URL_TEXT } from '../kit/published-contract.ts';
import { ROLES, Role } from '../people/contract.ts';
import { LanguageName } from '../people/person-contract.ts';
import { SignedIn } from './api-contract.ts';

/** What the dashboard reads and sends about invitations and sign-in links. Times are ISO 8601 in UTC. */

const RoleField = Type.Enum([...ROLES], { type: 'string', default: 'member' });
const Token = Type.String({ minLength: 1, maxLength: 200 });

const InvitationBody = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 320, format: 'text' }),
  /** If left out, the person enters it. */
  name: Type.Optional(Type.String({ maxLength: 200, ...ONE_LINE, format: 'optional-text' })),
  role: RoleField,
  /** Ids of the teams that they join. */
  teams: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100, default: [] }),
  /** The inviter promises to hand the link to this person. Otherwise the link is only sent by email. */
  in_person: Type.Optional(Type.Boolean()),
});
export type InvitationBody = Static<typeof InvitationBody>;

const InvitationShown = Type.Object({
  id: Type.String(),
  email: Type.String(),
  name: Nullable(Type.String()),
  role: Role,
  teams: Type.Array(Type.String(), { description: 'The names of the teams that they join.' }),
  invited_by: Nullable(Type.String()),
  expired: Type.Boolean(),
  expires_at: Type.String(TIME),
  created_at: Type.String(TIME),
  may_manage: Type.Boolean({
    description: 'Whether the viewer may copy its link, send it again and revoke it.',
  }),
});
export type InvitationShown = Static<typeof InvitationShown>;

const InvitationList = Type.Object({
  invitations: Type.Array(InvitationShown),
  roles: Type.Array(Role, {
    description: 'The roles that the viewer may grant; empty if they may not invite people.',
  }),
  teams: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), slug: Type.String() }), {
    description: 'The teams into which the viewer may invite people.',
  }),
  emails: Type.Boolean({
    description: 'Whether invitations are sent by email; otherwise, the inviter copies the link.',
  }),
});
export type InvitationList = Static<typeof InvitationList>;

const InvitationLink = Type.Object({
  id: Type.String(),
  url: Nullable(
    Type.String(URL_TEXT),
    'The link; null unless the inviter promised to hand it over in person.',
  ),
  expires_at: Type.String(TIME),
  emailed: Type.Boolean(),
});
export type InvitationLink = Static<typeof InvitationLink>;

const SignInLinkMade = Type.Object({
  url: Type.String(URL_TEXT),
  expires_at: Type.String(TIME),
  emailed: Type.Boolean(),
});
export type SignInLinkMade = Static<typeof SignInLinkMade>;

/** The content of an invitation's page. */
const InvitationGreeting = Type.Object({
  organization: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Role,
  teams: Type.Array(Type.String()),
  invited_by: Nullable(Type.String()),
});
export type InvitationGreeting = Static<typeof InvitationGreeting>;

export const invitationsApi = {
  list: endpoint('GET /api/invitations', { summary: 'List open invitations', response: InvitationList }),
  invite: endpoint('POST /api/invitations', {
    summary: 'Invite a person',
    description: 'Invites a person, and replaces an open invitation of the same address.',
    body: InvitationBody,
    response: InvitationLink,
    status: [201],
  }),
  link: endpoint('POST /api/invitations/:id/link', {
    summary: 'Show the link of an invitation, to hand it over in person',
    body: Type.Object({ in_person: Type.Literal(true) }),
    response: InvitationLink,
  }),
  send: endpoint('POST /api/invitations/:id/send', {
    summary: 'Email an invitation again',
    response: InvitationLink,
  }),
  revoke: endpoint('DELETE /api/invitations/:id', {
    summary: 'Revoke an invitation',
    response: Type.Object({ revoked: Type.Boolean() }),
  }),
  show: endpoint('POST /api/sign-in/invitation', {
    summary: 'Show an invitation to the person who has its link',
    body: Type.Object({ token: Token }),
    response: InvitationGreeting,
  }),
  accept: endpoint('POST /api/sign-in/invitation/accept', {
    summary: 'Accept an invitation',
    description: 'Creates the account and signs in. Without a password, create a passkey right afterwards.',
    body: Type.Object({
      token: Token,
      name: Type.String({ minLength: 1, maxLength: 200, ...ONE_LINE }),
      time_zone: Type.String({ maxLength: 100, format: 'time-zone' }),
      /** What the dashboard shows them. Kept if the organization has another one, which is theirs without it. */
      language: Type.Optional(LanguageName),
      password: Type.Optional(Type.String({ maxLength: 1_000 })),
    }),
    response: SignedIn,
  }),
};

/** How admins help people who cannot sign in. */
export const signInHelpApi = {
  link: endpoint('POST /api/people/:id/sign-in-link', {
    summary: 'Create a one-time sign-in link for a person',
    response: SignInLinkMade,
  }),
  unlink: endpoint('DELETE /api/people/:id/identity', {
    summary: 'Unlink a person from the identity provider, and sign them out',
    response: Type.Object({
      forgotten: Type.Integer({ description: 'The number of identities that were unlinked.' }),
    }),
  }),
};
