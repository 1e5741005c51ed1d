import type { Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import { emailKey } from '../people/email.ts';
import { addTeamMembers, insertTeam, removeTeamMembers, renameTeam } from '../people/team-store.ts';
import { type Change, difference, membership } from './change.ts';
import type { OperatorFile, TeamEntry } from './file/shape.ts';
import type { State } from './state.ts';

export type SavedTeams = {
  /** The ids of all teams after the file is applied, by slug. */
  ids: Map<string, string>;
  changes: Change[];
};

export async function saveTeams(
  tx: Tx,
  at: Temporal.Instant,
  { teams = [] }: OperatorFile,
  state: State,
  userIds: ReadonlyMap<string, string>,
): Promise<SavedTeams> {
  const ids = new Map(state.teams.map((team) => [team.slug, team.id]));
  const emails = new Map([...userIds].map(([email, id]) => [id, email]));
  const changes: Change[] = [];
  for (const entry of teams) {
    const slug = entry.slug;
    const before = state.teams.find((team) => team.slug === slug);
    const id = before?.id ?? newId('team');
    ids.set(slug, id);
    const details = await saveTeam(tx, at, state, entry, id);
    details.push(...(await saveMembers(tx, at, state, entry, id, userIds, emails)));
    if (!before || details.length > 0)
      changes.push({ action: before ? 'change' : 'add', kind: 'team', id, name: slug, details });
  }
  return { ids, changes };
}

async function saveTeam(
  tx: Tx,
  at: Temporal.Instant,
  state: State,
  entry: TeamEntry,
  id: string,
): Promise<string[]> {
  const organizationId = state.organization.id;
  const before = state.teams.find((team) => team.id === id);
  const name = entry.name ?? before?.name ?? entry.slug;
  if (!before) {
    await insertTeam(tx, at, organizationId, { id, name, slug: entry.slug });
    return [name];
  }
  if (name !== before.name) await renameTeam(tx, at, organizationId, id, name);
  return difference('name', before.name, name);
}

async function saveMembers(
  tx: Tx,
  at: Temporal.Instant,
  state: State,
  entry: TeamEntry,
  teamId: string,
  userIds: ReadonlyMap<string, string>,
  emails: ReadonlyMap<string, string>,
): Promise<string[]> {
  if (!entry.members) return [];
  const before = state.teams.find((team) => team.id === teamId)?.memberIds ?? [];
  const after = entry.members.flatMap((email) => userIds.get(emailKey(email)) ?? []);
  const added = after.filter((id) => !before.includes(id));
  const removed = before.filter((id) => !after.includes(id));
  await addTeamMembers(tx, at, state.organization.id, teamId, added);
  await removeTeamMembers(tx, state.organization.id, teamId, removed);
  const name = (id: string) => emails.get(id) ?? id;
  return membership('members', added.map(name), removed.map(name));
}
