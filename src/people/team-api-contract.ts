import { type Static, Type } from 'typebox';
import type { Person, Role } from './contract.ts';
import { SLUG_HINT } from './slug-contract.ts';

/** What the dashboard reads and sends about teams. Times are ISO 8601 in UTC. */

export const TEAM_ROLES = ['manager', 'member'] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

/** Checked by the room's own rules, so that everything that is wrong is said at once. */
const TeamName = Type.String({ maxLength: 1_000, 'x-one-line': true });
const Slug = Type.String({ maxLength: 1_000, description: SLUG_HINT });
const Member = Type.Object({
  user: Type.String({ minLength: 1, maxLength: 100, description: 'Id of a person.' }),
  role: Type.Enum(TEAM_ROLES, { type: 'string', default: 'member' }),
});

export const NewTeamBody = Type.Object({
  name: TeamName,
  slug: Slug,
  members: Type.Array(Member, { maxItems: 200, default: [] }),
});
export type NewTeamBody = Static<typeof NewTeamBody>;

export const TeamChangeBody = Type.Object({
  name: Type.Optional(TeamName),
  slug: Type.Optional(Slug),
});
export type TeamChangeBody = Static<typeof TeamChangeBody>;

export const TeamMemberBody = Type.Object({
  role: Type.Enum(TEAM_ROLES, { type: 'string', default: 'member' }),
});
export type TeamMemberBody = Static<typeof TeamMemberBody>;

export type TeamSummary = {
  id: string;
  name: string;
  slug: string;
  /** What the viewer is in it; null: nothing. */
  own_role: TeamRole | null;
  members: number;
  schedules: number;
  webhooks: number;
  open_pages: number;
};

export type TeamMember = Person & {
  /** In the organization. */
  organization_role: Role;
  role: TeamRole;
  since: string;
};

/** What would be lost with the team; it can be deleted when all of it is 0. */
export type TeamBelongings = { schedules: number; webhooks: number; pages: number; moments: number };

export type TeamDetail = {
  team: TeamSummary;
  /** Managers first, then by name. */
  people: TeamMember[];
  schedules: { id: string; name: string; enabled: boolean }[];
  belongings: TeamBelongings;
  /** Rename it, choose members and their roles, make webhooks. */
  may_manage: boolean;
  may_delete: boolean;
};

export type TeamList = { teams: TeamSummary[]; may_create: boolean };
