import { type Static, Type } from 'typebox';
import { ONE_LINE } from '../kit/one-line-contract.ts';
import { ROLES, type Role } from '../people/contract.ts';

/** What the dashboard reads and sends about invitations. Times are ISO 8601 in UTC. */

const RoleField = Type.Enum([...ROLES], { type: 'string', default: 'member' });

export const InvitationBody = Type.Object({
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

export type InvitationShown = {
  id: string;
  email: string;
  name: string | null;
  role: Role;
  teams: string[];
  invited_by: string | null;
  expired: boolean;
  expires_at: string;
  created_at: string;
  /** The viewer may copy its link, send it again and revoke it. */
  may_manage: boolean;
};

export type InvitationList = {
  invitations: InvitationShown[];
  /** Roles that the viewer may grant; empty if they may not invite people. */
  roles: Role[];
  /** Teams that the viewer may invite into. */
  teams: { id: string; name: string; slug: string }[];
  /** Invitations are sent by email. Otherwise the inviter copies the link. */
  emails: boolean;
};

export const InPersonBody = Type.Object({ in_person: Type.Literal(true) });

/** `url` is null unless the inviter promised to hand it over in person. */
export type InvitationLink = { id: string; url: string | null; expires_at: string; emailed: boolean };
/** A one-time link for a person who has an account. */
export type SignInLinkMade = { url: string; expires_at: string; emailed: boolean };

/** What the page of an invitation shows, and what it sends. */
export const InvitationToken = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) });
export type InvitationGreeting = {
  organization: string;
  email: string;
  name: string;
  role: Role;
  teams: string[];
  invited_by: string | null;
};
export const Acceptance = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 200 }),
  name: Type.String({ minLength: 1, maxLength: 200, ...ONE_LINE }),
  time_zone: Type.String({ maxLength: 100, format: 'time-zone' }),
  /** If left out, the person creates a passkey right afterwards. */
  password: Type.Optional(Type.String({ maxLength: 1_000 })),
});
export type Acceptance = Static<typeof Acceptance>;
