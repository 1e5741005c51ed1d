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
  const schedules = new Map<string, StoredSchedule>();
  for (const { name } of entries) {
    const stored = await lockSchedule(tx, id, name);
    if (stored) schedules.set(name, stored);
  }
  const scheduleNames = await listScheduleNames(tx, id);
  await keepSchedules(tx, id, targetsOf(entries, scheduleNames));
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

/** The schedules to which stages of the file are linked; none of them may be disabled while it is applied. */
function targetsOf(
  entries: NonNullable<OperatorFile['schedules']>,
  known: readonly { id: string; name: string }[],
): string[] {
  const named = entries.flatMap(({ stages = [] }) =>
    stages.flatMap((stage) => stage.linked_to?.schedule ?? []),
  );
  return known.filter(({ name }) => named.includes(name)).map(({ id }) => id);
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
