import type { FastifyInstance } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText } from '../kit/instant.ts';
import { knownFields } from '../kit/known-fields.ts';
import { type RequestOf, route } from '../kit/route.ts';
import { t } from '../language/contract.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import type { AuditAction } from './audit-contract.ts';
import { type AuditEntry, activePeople, recordAudit } from './store.ts';
import { changeTeam, createTeam, removeTeam, unknownPerson } from './team-actions.ts';
import { NewTeamBody, type TeamDetail, type TeamSummary, teamsApi } from './team-api-contract.ts';
import { mayDeleteTeams, mayMakeTeams, mayManageTeam, mayRemoveMember } from './team-policy.ts';
import {
  countBelongings,
  findTeamSummary,
  listTeamMembers,
  listTeamSchedules,
  listTeamSummaries,
  lockTeam,
  removeTeamMembers,
  saveTeamMember,
} from './team-store.ts';

export type TeamApiServices = { db: Database; clock: Clock };

/** Teams: list, create, show, rename, delete, and their members. A team is named by its slug or id. */
export function teamApiRoutes(api: FastifyInstance, { db, clock }: TeamApiServices): void {
  route(api, teamsApi.list, async (request) => {
    const viewer = viewerOf(request);
    return { teams: await listTeamSummaries(db, viewer), may_create: mayMakeTeams(viewer.role) };
  });

  route(api, teamsApi.find, async (request) => show(viewerOf(request), request.params.id));

  route(api, teamsApi.create, async (request, reply) => {
    const viewer = viewerOf(request);
    const { organizationId, userId } = viewer;
    if (!mayMakeTeams(viewer.role))
      throw onlyRunners(t('can only be created by owners and admins; ask one of them'));
    const body = request.body;
    const id = await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      const made = await createTeam(tx, at, organizationId, body);
      const entry: AuditEntry = {
        action: 'team.create',
        subject: made,
        data: knownFields(NewTeamBody, body),
      };
      await recordAudit(tx, at, organizationId, userId, [entry]);
      return made;
    });
    reply.code(201);
    return show(viewer, id);
  });

  route(api, teamsApi.change, async (request) => {
    const viewer = viewerOf(request);
    const { name, slug } = request.body;
    const id = await changing(request, 'team.change', async (tx, at, team) => {
      if (!mayManageTeam(rolesOf(viewer, team))) throw onlyManagers();
      const changed = { id: team.id, name: name ?? team.name, slug: slug ?? team.slug };
      await changeTeam(tx, at, viewer.organizationId, changed);
      return { from: { name: team.name, slug: team.slug }, to: { name: changed.name, slug: changed.slug } };
    });
    return show(viewer, id);
  });

  route(api, teamsApi.remove, async (request) => {
    const { organizationId, role } = viewerOf(request);
    await changing(request, 'team.delete', async (tx, _, team) => {
      if (!mayDeleteTeams(role))
        throw onlyRunners(t('can only be deleted by owners and admins; ask one of them'));
      await removeTeam(tx, organizationId, team.id);
      return { name: team.name, slug: team.slug };
    });
    return { deleted: true };
  });

  route(api, teamsApi.putMember, async (request) => {
    const viewer = viewerOf(request);
    const { organizationId } = viewer;
    const { user } = request.params;
    const { role } = request.body;
    const id = await changing(request, 'team.member', async (tx, at, team) => {
      if (!mayManageTeam(rolesOf(viewer, team))) throw onlyManagers();
      if (!(await activePeople(tx, organizationId, [user])).has(user))
        throw new Fault('bad_request', [unknownPerson(user)]);
      const before = await saveTeamMember(tx, at, { organizationId, teamId: team.id, userId: user, role });
      return { user, before, after: role };
    });
    return show(viewer, id);
  });

  route(api, teamsApi.removeMember, async (request) => {
    const viewer = viewerOf(request);
    const { user } = request.params;
    const id = await changing(request, 'team.member', async (tx, _, team) => {
      if (!mayRemoveMember(rolesOf(viewer, team), user === viewer.userId)) throw onlyManagers();
      const removed = await removeTeamMembers(tx, viewer.organizationId, team.id, [user]);
      return removed === 0 ? null : { user, after: null };
    });
    return show(viewer, id);
  });

  async function show(viewer: Viewer, id: string): Promise<TeamDetail> {
    const team = await teamOf(db, viewer, id);
    const [people, schedules, belongings] = await Promise.all([
      listTeamMembers(db, viewer.organizationId, team.id),
      listTeamSchedules(db, viewer.organizationId, team.id),
      countBelongings(db, viewer.organizationId, team.id),
    ]);
    return {
      ...{ team, schedules, belongings },
      people: people.map(({ since, ...person }) => ({ ...person, since: instantText(since) })),
      may_manage: mayManageTeam(rolesOf(viewer, team)),
      may_delete: mayDeleteTeams(viewer.role),
    };
  }

  /**
   * Changes a team while its row is locked, and records who did it unless `act` returns that nothing changed.
   * Returns its id.
   */
  async function changing(
    request: RequestOf<typeof teamsApi.find>,
    action: AuditAction,
    act: (tx: Tx, at: Temporal.Instant, team: TeamSummary) => Promise<Record<string, unknown> | null>,
  ): Promise<string> {
    const viewer = viewerOf(request);
    const { organizationId, userId } = viewer;
    const { id } = await teamOf(db, viewer, request.params.id);
    await db.transaction().execute(async (tx) => {
      if (!(await lockTeam(tx, organizationId, id))) throw unknownTeam();
      const team = await teamOf(tx, viewer, id);
      const at = await clock.now(tx);
      const data = await act(tx, at, team);
      if (data) await recordAudit(tx, at, organizationId, userId, [{ action, subject: id, data }]);
    });
    return id;
  }
}

async function teamOf(db: Handle, viewer: Viewer, slugOrId: string): Promise<TeamSummary> {
  const team = await findTeamSummary(db, viewer, slugOrId);
  if (!team) throw unknownTeam();
  return team;
}

function rolesOf({ role }: Viewer, team: TeamSummary) {
  return { role, ownRole: team.own_role };
}

function unknownTeam(): Fault {
  return new Fault('not_found', [
    { field: 'team', message: t('is not a team of your organization; see /api/teams') },
  ]);
}

function onlyRunners(message: string): Fault {
  return new Fault('forbidden', [{ field: 'team', message }]);
}

function onlyManagers(): Fault {
  return new Fault('forbidden', [
    { field: 'team', message: t('can only be managed by its managers, admins and owners; ask one of them') },
  ]);
}
