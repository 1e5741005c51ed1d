import { type RawBuilder, sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import { newId } from '../kit/typeid.ts';
import { personJson } from '../people/store.ts';
import type { TeamRelation } from '../people/team-policy.ts';
import { relationJson } from '../people/team-store.ts';
import type { List, SavedView } from './api-contract.ts';

type Viewer = { organizationId: string; userId: string };

export type StoredView = Omit<SavedView, 'own_team' | 'may_change'> & { relation: TeamRelation };

function viewsWhere({ organizationId, userId }: Viewer, which: RawBuilder<unknown>): RawBuilder<StoredView> {
  return sql<StoredView>`
    select v.id, v.list, v.name, v.query, jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug) as team,
      ${personJson('u')} as created_by, ${utcText('v.created_at')} as created_at, ${relationJson('m')} as relation
    from saved_views v join teams t on t.id = v.team_id
    left join users u on u.id = v.created_by
    left join team_members m on m.team_id = v.team_id and m.user_id = ${userId}
    where v.organization_id = ${organizationId} and ${which}
    order by lower(v.name), v.id`;
}

/** The views of all teams for a list, by name. */
export async function listViews(db: Handle, viewer: Viewer, list: List): Promise<StoredView[]> {
  const { rows } = await viewsWhere(viewer, sql`v.list = ${list}`).execute(db);
  return rows;
}

/** A view of the organization; null if there is none. */
export async function findView(db: Handle, viewer: Viewer, id: string): Promise<StoredView | null> {
  const { rows } = await viewsWhere(viewer, sql`v.id = ${id}`).execute(db);
  return rows[0] ?? null;
}

/** How many views a team has for a list. Until the transaction ends, nobody else can add one. */
export async function countLocked(tx: Tx, teamId: string, list: List): Promise<number> {
  await sql`select from teams where id = ${teamId} for no key update`.execute(tx);
  const { count } = await tx
    .selectFrom('saved_views')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .where('list', '=', list)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The id of the new view; null if the team has one of this name for the list. */
export async function insertView(
  tx: Tx,
  at: Temporal.Instant,
  { organizationId, userId }: Viewer,
  view: { teamId: string; list: List; name: string; query: string },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into saved_views (id, organization_id, team_id, list, name, query, created_by, created_at)
    values (${newId('saved_view')}, ${organizationId}, ${view.teamId}, ${view.list}, ${view.name}, ${view.query}, ${userId}, ${at})
    on conflict do nothing returning id`.execute(tx);
  return rows[0]?.id ?? null;
}

/** False if another view of the team has the name. */
export async function changeView(
  tx: Tx,
  { id, team, list }: StoredView,
  { name, query }: { name: string; query: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update saved_views set name = ${name}, query = ${query}
    where id = ${id} and not exists (select from saved_views o where o.team_id = ${team.id} and o.list = ${list}
      and lower(o.name) = lower(${name}) and o.id <> ${id})`.execute(tx);
  return numAffectedRows === 1n;
}

export async function deleteView(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('saved_views').where('id', '=', id).execute();
}
