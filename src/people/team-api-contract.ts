import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { Person, Role } from './contract.ts';
import { SLUG_HINT } from './slug-contract.ts';

/** What the dashboard reads and sends about teams. Times are ISO 8601 in UTC. */

const TEAM_ROLES = ['manager', 'member'] as const;
export const TeamRole = Type.Enum(TEAM_ROLES, { type: 'string' });
export type TeamRole = Static<typeof TeamRole>;

/** Checked by this room's own rules, which name all problems at once. */
const TeamName = Type.String({ maxLength: 1_000, 'x-one-line': true });
const Slug = Type.String({ maxLength: 1_000, description: SLUG_HINT });
const Member = Type.Object({
  user: Type.String({ minLength: 1, maxLength: 100, description: 'The ID of a person.' }),
  role: Type.Enum(TEAM_ROLES, { type: 'string', default: 'member' }),
});

export const NewTeamBody = Type.Object({
  name: TeamName,
  slug: Slug,
  members: Type.Array(Member, { maxItems: 200, default: [] }),
});
export type NewTeamBody = Static<typeof NewTeamBody>;

const TeamChangeBody = Type.Object({
  name: Type.Optional(TeamName),
  slug: Type.Optional(Slug),
});
export type TeamChangeBody = Static<typeof TeamChangeBody>;

const TeamMemberBody = Type.Object({
  role: Type.Enum(TEAM_ROLES, { type: 'string', default: 'member' }),
});
export type TeamMemberBody = Static<typeof TeamMemberBody>;

export const TeamSummary = Type.Object({
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  own_role: Type.Union([TeamRole, Type.Null()], {
    description: 'The viewer’s role in the team; null if they are not a member.',
  }),
  members: Type.Number(),
  schedules: Type.Number(),
  webhooks: Type.Number(),
  sources: Type.Number({ description: 'The number of page sources.' }),
  open_pages: Type.Number(),
});
export type TeamSummary = Static<typeof TeamSummary>;

export const TeamMember = Type.Object({
  ...Person.properties,
  /** The role in the organization. */
  organization_role: Role,
  role: TeamRole,
  since: Type.String(TIME),
});
export type TeamMember = Static<typeof TeamMember>;

/** What would be deleted with the team, which can be deleted when all of these are 0. */
export const TeamBelongings = Type.Object({
  schedules: Type.Number(),
  webhooks: Type.Number(),
  sources: Type.Number({ description: 'The number of page sources.' }),
  pages: Type.Number(),
  moments: Type.Number(),
});
export type TeamBelongings = Static<typeof TeamBelongings>;

export const TeamDetail = Type.Object({
  team: TeamSummary,
  people: Type.Array(TeamMember, { description: 'The members, managers first, then by name.' }),
  schedules: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      enabled: Type.Boolean(),
    }),
  ),
  belongings: TeamBelongings,
  may_manage: Type.Boolean({
    description:
      'Whether the viewer may rename the team, choose its members and their roles, and create webhooks and page sources.',
  }),
  may_delete: Type.Boolean(),
});
export type TeamDetail = Static<typeof TeamDetail>;

const TeamList = Type.Object({
  teams: Type.Array(TeamSummary),
  may_create: Type.Boolean(),
});
export type TeamList = Static<typeof TeamList>;

/** A team is named by its slug or id. */
const OfTeam = Type.Object({ id: Type.String({ maxLength: 200 }) });
const OfMember = Type.Object({ ...OfTeam.properties, user: Type.String({ maxLength: 100 }) });

export const teamsApi = {
  list: endpoint('GET /api/teams', { summary: 'List teams', response: TeamList }),
  find: endpoint('GET /api/teams/:id', { summary: 'Show a team', params: OfTeam, response: TeamDetail }),
  create: endpoint('POST /api/teams', {
    summary: 'Create a team',
    body: NewTeamBody,
    response: TeamDetail,
    status: [201],
  }),
  change: endpoint('PATCH /api/teams/:id', {
    summary: 'Rename a team',
    params: OfTeam,
    body: TeamChangeBody,
    response: TeamDetail,
  }),
  remove: endpoint('DELETE /api/teams/:id', {
    summary: 'Delete a team',
    params: OfTeam,
    response: Type.Object({ deleted: Type.Boolean() }),
  }),
  putMember: endpoint('PUT /api/teams/:id/members/:user', {
    summary: 'Add a person to a team, or change their role',
    params: OfMember,
    body: TeamMemberBody,
    response: TeamDetail,
  }),
  removeMember: endpoint('DELETE /api/teams/:id/members/:user', {
    summary: 'Remove a person from a team',
    params: OfMember,
    response: TeamDetail,
  }),
};
