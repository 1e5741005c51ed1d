import type { FastifyInstance } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { route } from '../kit/route.ts';
import { t } from '../language/contract.ts';
import { teamOf } from '../people/find-team.ts';
import { may } from '../people/rights.ts';
import type { TeamRelation } from '../people/team-policy.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import { MOST_VIEWS, type SavedView, viewsApi } from './api-contract.ts';
import {
  changeView,
  countLocked,
  deleteView,
  findView,
  insertView,
  listViews,
  type StoredView,
} from './store.ts';

/** The dashboard's routes for filters that teams saved. */
export function viewRoutes(api: FastifyInstance, { db, clock }: { db: Database; clock: Clock }): void {
  const within = <T>(work: (tx: Tx) => Promise<T>) => db.transaction().execute(work);

  route(api, viewsApi.list, async (request) => {
    const viewer = viewerOf(request);
    const views = await listViews(db, viewer, request.query.list);
    return { views: views.map((view) => present(viewer, view)) };
  });

  route(api, viewsApi.save, async (request, reply) => {
    const viewer = viewerOf(request);
    const { list, query } = request.body;
    const name = request.body.name.trim();
    const team = await teamOf(db, viewer, request.body.team);
    mustBeAllowed(viewer, team.relation, team.name);
    const saved = await within(async (tx) => {
      if ((await countLocked(tx, team.id, list)) >= MOST_VIEWS)
        throw new Fault('conflict', [
          {
            field: 'team',
            message: t('already has {most} saved views of this list; delete one first', { most: MOST_VIEWS }),
          },
        ]);
      const id = await insertView(tx, await clock.now(tx), viewer, { teamId: team.id, list, name, query });
      if (id === null) throw nameTaken(name, team.name);
      return shown(tx, viewer, id);
    });
    reply.code(201);
    return saved;
  });

  route(api, viewsApi.change, async (request) =>
    within(async (tx) => {
      const viewer = viewerOf(request);
      const view = await viewOf(tx, viewer, request.params.id);
      mustBeAllowed(viewer, view.relation, view.team.name);
      const { name = view.name, query = view.query } = request.body;
      await countLocked(tx, view.team.id, view.list);
      if (!(await changeView(tx, view, { name: name.trim(), query })))
        throw nameTaken(name.trim(), view.team.name);
      return shown(tx, viewer, view.id);
    }),
  );

  route(api, viewsApi.remove, async (request) =>
    within(async (tx) => {
      const viewer = viewerOf(request);
      const view = await viewOf(tx, viewer, request.params.id);
      mustBeAllowed(viewer, view.relation, view.team.name);
      await deleteView(tx, view.id);
      return present(viewer, view);
    }),
  );
}

async function viewOf(db: Handle, viewer: Viewer, id: string): Promise<StoredView> {
  const view = await findView(db, viewer, id);
  if (view) return view;
  throw new Fault('not_found', [
    {
      field: 'view',
      message: t('is not a saved view of your organization, or was deleted; see /api/saved-views'),
    },
  ]);
}

async function shown(db: Handle, viewer: Viewer, id: string): Promise<SavedView> {
  return present(viewer, await viewOf(db, viewer, id));
}

function present(viewer: Viewer, { relation, ...view }: StoredView): SavedView {
  return { ...view, own_team: relation.member, may_change: mayChange(viewer, relation) };
}

function mayChange({ role }: Viewer, { member, manager }: TeamRelation): boolean {
  return may({ role, manages: manager, ofTheTeam: member }, 'team.views');
}

function mustBeAllowed(viewer: Viewer, relation: TeamRelation, team: string): void {
  if (mayChange(viewer, relation)) return;
  throw new Fault('forbidden', [
    {
      field: 'team',
      message: t(
        'is {team}, whose views only its members, admins and owners can save; choose a team of yours',
        { team },
      ),
    },
  ]);
}

function nameTaken(name: string, team: string): Fault {
  const message = t(
    'is {name}, which another saved view of {team} already uses for this list; give another name',
    {
      name: JSON.stringify(name),
      team,
    },
  );
  return new Fault('conflict', [{ field: 'name', message }]);
}
