import type { Tx } from '../db/database.ts';
import { type ContactMethod, listContactMethods, listRules } from '../people/contact-store.ts';
import type { Rule } from '../people/contract.ts';
import { emailKey } from '../people/email.ts';
import { listOrganizations, listUsers, type Organization, type User } from '../people/store.ts';
import { listTeams, type Team } from '../people/team-store.ts';
import type { LinkedSchedule } from '../schedules/linked-stages.ts';
import { keepSchedules, linkedSchedules, lockSchedule, type StoredSchedule } from '../schedules/store.ts';
import type { OperatorFile } from './file/shape.ts';
import type { KnownOrganization } from './organization.ts';
import { listScheduleNames } from './store.ts';

/** The organization before the file is applied. */
export type State = {
  organization: Organization;
  users: User[];
  methods: (ContactMethod & { userId: string })[];
  rules: (Rule & { userId: string })[];
  teams: Team[];
  scheduleNames: { id: string; name: string; teamId: string }[];
  /** All schedules, with what their stages are linked to. */
  linked: LinkedSchedule[];
  /** The schedules that the file mentions, by name. */
  schedules: Map<string, StoredSchedule>;
};

/** All organizations of the database, or only the one with this id. */
export async function loadOrganizations(tx: Tx, only: string | null): Promise<KnownOrganization[]> {
  const organizations = (await listOrganizations(tx)).filter(({ id }) => only === null || id === only);
  return Promise.all(
    organizations.map(async (organization) => ({
      ...organization,
      emails: new Set((await listUsers(tx, organization.id)).map((user) => emailKey(user.email))),
      inUse: (await listTeams(tx, organization.id)).length > 0,
    })),
  );
}

export async function loadState(
  tx: Tx,
  organization: Organization,
  { schedules: entries = [] }: OperatorFile,
): Promise<State> {
  const { id } = organization;
  const schedules = await lockInOrder(tx, id, entries);
  const scheduleNames = await listScheduleNames(tx, id);
  return {
    organization,
    users: await listUsers(tx, id),
    methods: await listContactMethods(tx, id),
    rules: await listRules(tx, id),
    teams: await listTeams(tx, id),
    scheduleNames,
    linked: await linkedSchedules(tx, id),
    schedules,
  };
}

type Entries = NonNullable<OperatorFile['schedules']>;

/**
 * Locks the schedules that the file mentions, and returns them by name. Those to which its stages are linked must not be disabled
 * while it is applied. All are locked in the order of their ids, as everywhere, so that two transactions cannot deadlock.
 */
async function lockInOrder(
  tx: Tx,
  organizationId: string,
  entries: Entries,
): Promise<Map<string, StoredSchedule>> {
  const names = new Set(entries.map(({ name }) => name));
  const targets = new Set(
    entries.flatMap(({ stages = [] }) => stages.flatMap((stage) => stage.linked_to?.schedule ?? [])),
  );
  const known = (await listScheduleNames(tx, organizationId)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const schedules = new Map<string, StoredSchedule>();
  for (const { id, name } of known) {
    const stored = names.has(name) ? await lockSchedule(tx, organizationId, name) : null;
    if (stored) schedules.set(name, stored);
    else if (targets.has(name)) await keepSchedules(tx, organizationId, [id]);
  }
  return schedules;
}

/** The state of an organization that does not exist yet. */
export function emptyState(organization: Organization): State {
  return {
    organization,
    users: [],
    methods: [],
    rules: [],
    teams: [],
    scheduleNames: [],
    linked: [],
    schedules: new Map(),
  };
}
