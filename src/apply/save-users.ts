import type { Tx } from '../db/database.ts';
import type { Sealing } from '../kit/sealing.ts';
import { newId } from '../kit/typeid.ts';
import { endInvitationsTo, endLinksFor } from '../people/access-store.ts';
import { replaceRules } from '../people/contact-store.ts';
import { emailKey } from '../people/email.ts';
import { isDemotion } from '../people/rights.ts';
import { insertUser, parkUsernames, type User, updateUser } from '../people/store.ts';
import { assignUsernames, usersInTheWay } from '../people/usernames.ts';
import { endAuthority } from '../sessions/authority.ts';
import { type Applier, mayGrantAccess, ON_THE_COMMAND_LINE } from './applier.ts';
import { type Change, difference, type NewSecret } from './change.ts';
import { rulesOf } from './file/contents.ts';
import type { FileDocument } from './file/document.ts';
import type { OperatorFile, UserEntry } from './file/shape.ts';
import { rotationNotes } from './rotation.ts';
import { rulesChanges } from './rules-text.ts';
import { saveContactMethods } from './save-contact-methods.ts';
import type { State } from './state.ts';

export type SavedUsers = {
  changes: Change[];
  secrets: NewSecret[];
  /** Secrets to rotate because a person lost a role. */
  notes: string[];
};

export type UserSaving = {
  tx: Tx;
  at: Temporal.Instant;
  sealing: Sealing;
  by: Applier;
  document: FileDocument;
  state: State;
  /** The ids of everybody, by email key. */
  known: ReadonlyMap<string, string>;
};

/** Creates and updates the people of the file, with their contact methods and notification rules. */
export async function saveUsers(saving: UserSaving, { users = [] }: OperatorFile): Promise<SavedUsers> {
  const { tx, at, state, known } = saving;
  const usernames = assignUsernames(
    users.map(({ email, username }) => ({ email, username })),
    state.users,
  );
  await parkUsernames(tx, state.organization.id, usersInTheWay(usernames, state.users));
  const changes: Change[] = [];
  const notes: string[] = [];
  const secrets: NewSecret[] = [];
  const existing = new Map(state.users.map((user) => [emailKey(user.email), user]));
  for (const entry of users) {
    const key = emailKey(entry.email);
    const before = existing.get(key) ?? null;
    if (!mayGrantAccess(saving.by)) reportGrants(saving.document, entry, before);
    const after = userAfter(entry, before, {
      id: known.get(key) ?? newId('organization_user'),
      username: usernames.get(key) ?? key,
      timeZone: state.organization.timeZone,
    });
    if (before && isDemotion(before.role, after.role)) {
      const owner = { organizationId: state.organization.id, userId: before.id };
      const ended = await endAuthority(tx, at, owner, { name: before.name, to: after.role });
      notes.push(...rotationNotes(after.email, ended));
    }
    const details = await saveUser(tx, at, state.organization.id, before, after);
    const methods = await saveContactMethods(saving, entry, after);
    secrets.push(...methods.secrets);
    details.push(...methods.details, ...(await saveRules(tx, entry, after, state)));
    if (!before || details.length > 0)
      changes.push({
        action: before ? 'change' : 'add',
        kind: 'user',
        id: after.id,
        name: after.email,
        details,
      });
  }
  return { changes, secrets, notes };
}

/** Reports changes that would grant somebody access, which API keys must not make. */
function reportGrants(document: FileDocument, entry: UserEntry, before: User | null): void {
  const report = (field: string, message: string) =>
    document.report(document.pathOf(entry, field), `${message}, ${ON_THE_COMMAND_LINE}`);
  if (!before)
    report(
      'email',
      'is not in the organization, and an API key cannot add people; invite them in the dashboard',
    );
  else if (before.disabledAt)
    report('email', 'is disabled, and an API key cannot enable people; enable them in the dashboard');
  else if (entry.role !== undefined && entry.role !== before.role)
    report(
      'role',
      `is ${entry.role}, but the person is ${before.role}, and an API key cannot change roles; change it in the dashboard`,
    );
}

function userAfter(
  entry: UserEntry,
  before: User | null,
  { id, username, timeZone }: Pick<User, 'id' | 'username' | 'timeZone'>,
): User {
  return {
    id,
    email: entry.email,
    name: entry.name ?? before?.name ?? username,
    username,
    role: entry.role ?? before?.role ?? 'member',
    timeZone: entry.time_zone ?? before?.timeZone ?? timeZone,
    // People in the file are never disabled.
    disabledAt: null,
  };
}

async function saveUser(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  before: User | null,
  after: User,
): Promise<string[]> {
  if (!before) {
    await endInvitationsTo(tx, at, organizationId, after.email);
    await insertUser(tx, at, organizationId, after);
    return [`${after.name}, ${after.role}`];
  }
  const details = [
    ...difference('email', before.email, after.email),
    ...difference('name', before.name, after.name),
    ...difference('username', before.username, after.username),
    ...difference('role', before.role, after.role),
    ...difference('time zone', before.timeZone, after.timeZone),
    ...(before.disabledAt ? ['was disabled, is enabled again'] : []),
  ];
  if (details.length > 0) {
    await endInvitationsTo(tx, at, organizationId, after.email);
    await updateUser(tx, at, organizationId, before, after);
    if (after.role !== before.role) await endLinksFor(tx, at, { organizationId, userId: before.id });
  }
  return details;
}

async function saveRules(tx: Tx, entry: UserEntry, user: User, state: State): Promise<string[]> {
  const rules = rulesOf(entry);
  if (!rules) return [];
  const before = state.rules.filter((rule) => rule.userId === user.id);
  const isNew = !state.users.some((known) => known.id === user.id);
  const details = rulesChanges(before, rules, isNew);
  if (details.length > 0) await replaceRules(tx, state.organization.id, user.id, rules);
  return details;
}

/**
 * The ids of everybody in the organization after the file is applied, by email key. New ids ascend in the order of the
 * email addresses, because the planner uses ids to choose between equally good plans, and the order of the file must
 * not matter.
 */
export function userIds({ users = [] }: OperatorFile, state: State): Map<string, string> {
  const ids = new Map(state.users.map((user) => [emailKey(user.email), user.id]));
  const added = users.map(({ email }) => emailKey(email)).filter((key) => !ids.has(key));
  for (const key of added.toSorted()) ids.set(key, newId('organization_user'));
  return ids;
}
