import { removeAllBut } from '../availability/store.ts';
import type { Tx } from '../db/database.ts';
import { endInvitationsTo } from '../people/access-store.ts';
import { emailKey } from '../people/email.ts';
import { deleteUser, disableUser, lockUsersWithHistory, type User } from '../people/store.ts';
import { deleteTeam, lockTeamsWithHistory, removeTeamMembers, type Team } from '../people/team-store.ts';
import { leaveSchedules } from '../planning/store.ts';
import { deleteSchedule } from '../schedules/store.ts';
import { endAuthority } from '../sessions/authority.ts';
import { type Applier, personOf } from './applier.ts';
import { type Change, membership } from './change.ts';
import type { OperatorFile } from './file/shape.ts';
import { rotationNotes } from './rotation.ts';
import { availabilityChange } from './save-availabilities.ts';
import type { State } from './state.ts';
import { pastAvailabilityIds } from './store.ts';

export type Pruned = { changes: Change[]; notes: string[] };

/**
 * Removes everything that the file does not mention. Objects with a history are kept: people are disabled, teams lose
 * their members, and past absences stay. An organization always keeps an owner.
 */
export async function prune(
  tx: Tx,
  at: Temporal.Instant,
  by: Applier,
  file: OperatorFile,
  state: State,
  availabilityIds: readonly string[],
): Promise<Pruned> {
  const schedules = await pruneSchedules(tx, at, file, state);
  const availabilities = await pruneAvailabilities(tx, at, state, availabilityIds);
  const users = await pruneUsers(tx, at, by, file, state);
  const teams = await pruneTeams(tx, file, state);
  return {
    changes: [...schedules, ...availabilities, ...teams.changes, ...users.changes],
    notes: [...teams.notes, ...users.notes],
  };
}

async function pruneSchedules(
  tx: Tx,
  at: Temporal.Instant,
  file: OperatorFile,
  state: State,
): Promise<Change[]> {
  const mentioned = new Set(file.schedules?.map(({ name }) => name));
  const gone = state.scheduleNames.filter(({ name }) => !mentioned.has(name));
  for (const { id } of gone) await deleteSchedule(tx, at, state.organization.id, id);
  return gone.map(({ id, name }) => ({ action: 'remove', kind: 'schedule', id, name, details: [] }));
}

async function pruneAvailabilities(
  tx: Tx,
  at: Temporal.Instant,
  state: State,
  mentioned: readonly string[],
): Promise<Change[]> {
  const organizationId = state.organization.id;
  const past = await pastAvailabilityIds(tx, at, organizationId);
  const gone = await removeAllBut(tx, organizationId, [...mentioned, ...past]);
  const emails = new Map(state.users.map((user) => [user.id, user.email]));
  return gone.map((record) =>
    availabilityChange('remove', record, emails.get(record.userId) ?? record.userId),
  );
}

async function pruneTeams(tx: Tx, file: OperatorFile, state: State): Promise<Pruned> {
  const organizationId = state.organization.id;
  const mentioned = new Set(file.teams?.map(({ slug }) => slug));
  // A schedule in the file that does not name its team still belongs to it.
  const needed = new Set([...state.schedules.values()].map(({ teamId }) => teamId));
  const gone = state.teams.filter(({ slug }) => !mentioned.has(slug));
  const history = await lockTeamsWithHistory(
    tx,
    organizationId,
    gone.map(({ id }) => id),
  );
  const pruned: Pruned = { changes: [], notes: [] };
  for (const team of gone) {
    if (needed.has(team.id))
      pruned.notes.push(`team ${team.slug} stays: a schedule of the file belongs to it`);
    else if (history.has(team.id)) {
      pruned.notes.push(`team ${team.slug} stays, without members: pages, moments or webhooks belong to it`);
      pruned.changes.push(...(await emptyTeam(tx, state, team)));
    } else {
      await deleteTeam(tx, organizationId, team.id);
      pruned.changes.push({ action: 'remove', kind: 'team', id: team.id, name: team.slug, details: [] });
    }
  }
  return pruned;
}

async function emptyTeam(tx: Tx, state: State, team: Team): Promise<Change[]> {
  await removeTeamMembers(tx, state.organization.id, team.id, team.memberIds);
  const emails = new Map(state.users.map((user) => [user.id, user.email]));
  const details = membership(
    'members',
    [],
    team.memberIds.map((id) => emails.get(id) ?? id),
  );
  return details.length > 0
    ? [{ action: 'change', kind: 'team', id: team.id, name: team.slug, details }]
    : [];
}

async function pruneUsers(
  tx: Tx,
  at: Temporal.Instant,
  by: Applier,
  file: OperatorFile,
  state: State,
): Promise<Pruned> {
  const mentioned = new Set(file.users?.map(({ email }) => emailKey(email)));
  const others = state.users.filter((user) => !user.disabledAt && !mentioned.has(emailKey(user.email)));
  const kept = lastOwner(file, state, others);
  const pruned: Pruned = { changes: [], notes: [] };
  if (kept)
    pruned.notes.push(`user ${kept.email} stays: the file names no owner, and an organization needs one`);
  const self = others.find(({ id }) => id === personOf(by));
  if (self && self !== kept)
    pruned.notes.push(`user ${self.email} stays: applying a file never removes the person who applies it`);
  const gone = others.filter((other) => other !== kept && other !== self);
  const history = await lockUsersWithHistory(
    tx,
    at,
    state.organization.id,
    gone.map(({ id }) => id),
  );
  for (const user of gone) {
    const owner = { organizationId: state.organization.id, userId: user.id };
    const ended = await endAuthority(tx, at, owner, { name: user.name, to: 'disabled' });
    await endInvitationsTo(tx, at, owner.organizationId, user.email);
    const details = history.has(user.id) ? await retireUser(tx, at, state, user) : [];
    pruned.notes.push(...rotationNotes(user.email, ended));
    if (!history.has(user.id)) await deleteUser(tx, state.organization.id, user.id);
    const action = history.has(user.id) ? 'change' : 'remove';
    pruned.changes.push({ action, kind: 'user', id: user.id, name: user.email, details });
  }
  return pruned;
}

/** The owner to keep if the file has none: the one who was added first. */
function lastOwner(file: OperatorFile, state: State, others: readonly User[]): User | null {
  const staysOwner = file.users?.some(({ email, role }) => {
    const before = state.users.find((user) => emailKey(user.email) === emailKey(email));
    return (role ?? before?.role) === 'owner';
  });
  return staysOwner ? null : (others.find((user) => user.role === 'owner') ?? null);
}

/** Removes a person from upcoming shifts and from all teams, and disables them. */
async function retireUser(tx: Tx, at: Temporal.Instant, state: State, user: User): Promise<string[]> {
  const organizationId = state.organization.id;
  await leaveSchedules(tx, at, organizationId, user.id);
  for (const team of state.teams) await removeTeamMembers(tx, organizationId, team.id, [user.id]);
  await disableUser(tx, at, organizationId, user.id);
  return ['is disabled; their history stays'];
}
