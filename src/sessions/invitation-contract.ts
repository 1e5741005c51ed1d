import { type Static, Type } from 'typebox';
import { ONE_LINE } from '../kit/one-line-contract.ts';
import { ROLES, type Role } from '../people/contract.ts';

/** What the dashboard reads and sends about invitations. Times are ISO 8601 in UTC. */

const RoleField = Type.Enum([...ROLES], { type: 'string', default: 'member' });

export const InvitationBody = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 320, format: 'text' }),
  /** Left out: they say it themselves. */
  name: Type.Optional(Type.String({ maxLength: 200, ...ONE_LINE, format: 'optional-text' })),
  role: RoleField,
  /** Identifiers of the teams that they join. */
  teams: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100, default: [] }),
  /** The inviter's word that they hand the link over to this very person; without it the link goes by mail alone. */
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
  /** The viewer may copy its link, send it anew and take it back. */
  may_manage: boolean;
};

export type InvitationList = {
  invitations: InvitationShown[];
  /** Roles that the viewer may give; none: they may invite nobody. */
  roles: Role[];
  /** Teams that the viewer may invite into. */
  teams: { id: string; name: string; slug: string }[];
  /** Whoever is invited gets an email; without it the link is copied. */
  emails: boolean;
};

export const InPersonBody = Type.Object({ in_person: Type.Literal(true) });

/** `url` is null unless the inviter gave their word that they hand it over in person. */
export type InvitationLink = { id: string; url: string | null; expires_at: string; emailed: boolean };
/** A one-time link for somebody who is there already. */
export type SignInLinkMade = { url: string; expires_at: string; emailed: boolean };

/** What whoever opens the link is asked, and what they send. */
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
  /** Left out: they make a passkey right afterwards. */
  password: Type.Optional(Type.String({ maxLength: 1_000 })),
});
export type Acceptance = Static<typeof Acceptance>;
