import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import type { Sealing } from '../kit/sealing.ts';
import { newId } from '../kit/typeid.ts';
import { lockOwners } from '../people/access-store.ts';
import { may } from '../people/rights.ts';
import {
  type AuditEntry,
  insertOrganization,
  type Organization,
  recordAudit,
  updateOrganization,
} from '../people/store.ts';
import { type Plans, rehearsed, withSolvedPlans } from '../planning/solved-plans.ts';
import type { Solver } from '../planning/threads/solver.ts';
import { listSources } from '../sources/find.ts';
import { type Applier, MOST_ENTRIES, notAnOwner, ON_THE_COMMAND_LINE, personOf } from './applier.ts';
import type { Change, NewSecret } from './change.ts';
import { difference } from './change.ts';
import { checkFile } from './check.ts';
import { checkPlaces } from './check-places.ts';
import { checkSources } from './check-sources.ts';
import { type FileDocument, FileRefused } from './file/document.ts';
import { type Reading, readFile } from './file/read.ts';
import type { OperatorFile } from './file/shape.ts';
import { chooseOrganization } from './organization.ts';
import { gapNotes, ignoredNotes, planSchedules, type SchedulePlan } from './plan.ts';
import { prune } from './prune.ts';
import { saveAvailabilities } from './save-availabilities.ts';
import { savePay } from './save-pay-tables.ts';
import { saveSchedules } from './save-schedules.ts';
import { type NewSourceKey, pruneSources, saveSources } from './save-sources.ts';
import { saveTeams } from './save-teams.ts';
import { saveUsers, userIds } from './save-users.ts';
import { saveWindows } from './save-windows.ts';
import { emptyState, loadOrganizations, loadState, type State } from './state.ts';
import { lockApplying, tryLockApplying } from './store.ts';

export type ApplyOptions = {
  /** Computes all changes and rolls them back. */
  dryRun: boolean;
  /** Removes everything that the file does not mention. */
  prune: boolean;
};

export type Applied = {
  organization: Organization;
  changes: Change[];
  /** Remarks that are not errors. */
  notes: string[];
  secrets: NewSecret[];
  /** Keys of new sources that were made. */
  sourceKeys: NewSourceKey[];
  /** The current plan of every schedule. */
  plans: SchedulePlan[];
};

export type ApplyServices = {
  by: Applier;
  db: Database;
  clock: Clock;
  solver: Solver;
  sealing: Sealing;
  /** Called with each step. Steps are repeated if plans had to be solved first. If it throws, nothing is changed. */
  report: (sentence: string) => void;
};

/**
 * Applies the text of a file to its organization and plans the schedules, in one transaction. Applying the same file
 * again changes nothing.
 * @throws Fault if the API must not apply the file now
 * @throws FileRefused with all errors of the file
 */
export async function applyFile(
  services: ApplyServices,
  text: string,
  options: ApplyOptions,
): Promise<Applied> {
  const run = options.dryRun ? rehearsed : withSolvedPlans;
  // Read the file again in each attempt, because errors that depend on the database are added to the document.
  return run(services, (tx, at, plans) => applyReading({ tx, at, plans }, services, readFile(text), options));
}

type Applying = { tx: Tx; at: Temporal.Instant; plans: Plans };

async function applyReading(
  { tx, at, plans: solved }: Applying,
  { by, clock, sealing, report }: ApplyServices,
  { file, document }: Reading,
  options: ApplyOptions,
): Promise<Applied> {
  if (!file) throw new FileRefused(document.errors);
  if (by !== 'operator') checkSize(file, document);
  // Before the lock, because the rules of all countries may have to be loaded.
  const places = await checkPlaces(document, file);
  await lock(tx, by);
  const { state, isNew } = await stateFor(tx, by, file, document);
  demandOwner(by, state);
  const known = userIds(file, state);
  const names = {
    users: known,
    teams: new Map(state.teams.map(({ slug, id }) => [slug, id])),
    schedules: new Map(state.scheduleNames.map(({ name, id }) => [name, id])),
  };
  const definitions = checkFile({ document, file, state, prune: options.prune, names, at });
  const sources = await listSources(tx, clock, { organizationId: state.organization.id, userId: '' }, null);
  checkSources({ document, file, state, sources, at });
  if (document.errors.length > 0) throw new FileRefused(document.errors);

  const organization = await saveOrganization(tx, at, file, state, isNew);
  const users = await saveUsers({ tx, at, sealing, by, document, state, known }, file);
  const teams = await saveTeams(tx, at, file, state, known);
  const schedules = await saveSchedules(tx, at, file, state, {
    ...{ definitions, teams: teams.ids },
    places: places.schedules,
  });
  const saving = {
    ...{ applier: by, document },
    by: { tx, at, sealing },
    organizationId: state.organization.id,
    sources,
    teams: teams.ids,
  };
  const saved = await saveSources(saving, file.sources ?? []);
  // An older file that mentions no sources must not revoke them.
  const revoked = options.prune && file.sources ? await pruneSources(saving, file.sources) : [];
  const availabilities = await saveAvailabilities(tx, at, file, state, known);
  const windows = await saveWindows(
    {
      ...{ tx, clock, at, by, document, prune: options.prune, users: known },
      ...{ organizationId: state.organization.id, teams: teams.ids },
    },
    file,
  );
  const pay = await savePay(
    {
      ...{ tx, at, document, organization: state.organization, prune: options.prune },
      ...{ users: known, places: places.payTables },
    },
    file,
  );
  if (document.errors.length > 0) throw new FileRefused(document.errors);
  const pruned = options.prune
    ? await prune(tx, at, by, file, state, availabilities.ids)
    : { changes: [], notes: [] };
  const plans = await planSchedules(tx, at, state.organization.id, solved, report);
  const changes = [
    ...organization,
    ...users.changes,
    ...teams.changes,
    ...schedules,
    ...saved.changes,
    ...revoked,
    ...availabilities.changes,
    ...windows,
    ...pay.changes,
    ...pruned.changes,
  ];
  await recordAudit(tx, at, state.organization.id, personOf(by), changes.map(auditEntry));
  if (by !== 'operator' || removesOwner(pruned.changes, state)) await keepAnOwner(tx, state);
  report('Saving …');
  return {
    organization: state.organization,
    changes,
    notes: [...users.notes, ...pay.notes, ...pruned.notes, ...ignoredNotes(plans), ...gapNotes(plans)],
    secrets: users.secrets,
    sourceKeys: saved.keys,
    plans,
  };
}

/** The lists of the file with an entry for each object. */
const LISTS = ['users', 'teams', 'schedules', 'sources', 'availabilities', 'windows', 'pay_tables'] as const;

function checkSize(file: OperatorFile, document: FileDocument): void {
  const entries = LISTS.reduce((sum, list) => sum + (file[list]?.length ?? 0), 0);
  if (entries <= MOST_ENTRIES) return;
  document.report(
    '',
    `has ${entries} users, teams, schedules, sources, availabilities, windows and rate tables, but the API takes ${MOST_ENTRIES} at once; send several files, ${ON_THE_COMMAND_LINE}`,
  );
  throw new FileRefused(document.errors);
}

/** @throws Fault `conflict` if another file is being applied; the operator waits for it instead */
async function lock(tx: Tx, by: Applier): Promise<void> {
  if (by === 'operator') await lockApplying(tx);
  else if (!(await tryLockApplying(tx, by.organizationId)))
    throw new Fault('conflict', [
      {
        field: 'file',
        message: 'cannot be applied while another file is being applied; send it again in a minute',
      },
    ]);
}

/** The person who sent the file may have been demoted or disabled while it waited for others or for its plans. */
function demandOwner(by: Applier, { users }: State): void {
  const person = users.find(({ id }) => id === personOf(by));
  if (by !== 'operator' && (!person || person.disabledAt || !may(person, 'file.apply'))) throw notAnOwner();
}

/** The operator's file may demote the only owner, but `--prune` keeps one. */
function removesOwner(pruned: readonly Change[], { users }: State): boolean {
  const owners = new Set(
    users.flatMap(({ id, role, disabledAt }) => (role === 'owner' && !disabledAt ? [id] : [])),
  );
  return pruned.some(({ kind, id }) => kind === 'user' && owners.has(id));
}

/**
 * Call it last, because pages for owners wait for its lock. @throws Fault `conflict` if the organization had an owner and would
 * have none: the file demotes the only one, or another one was demoted or disabled meanwhile
 */
async function keepAnOwner(tx: Tx, { organization, users }: State): Promise<void> {
  const had = users.some(({ role, disabledAt }) => role === 'owner' && !disabledAt);
  if (!had || (await lockOwners(tx, organization.id))) return;
  throw new Fault('conflict', [
    {
      field: 'users',
      message: 'would leave the organization without an owner; name one in the file with role: owner',
    },
  ]);
}

/** Over the API, a file for another organization must not rename the caller's. */
function checkName(file: OperatorFile, document: FileDocument, [own]: readonly Organization[]): void {
  const name = file.organization?.name;
  if (name === undefined || !own || name.toLowerCase() === own.name.toLowerCase()) return;
  document.report(
    'organization.name',
    `is ${name}, but this file is sent to ${own.name}; leave the name out, or rename the organization in its settings first`,
  );
  throw new FileRefused(document.errors);
}

async function stateFor(
  tx: Tx,
  by: Applier,
  file: OperatorFile,
  document: FileDocument,
): Promise<{ state: State; isNew: boolean }> {
  const known = await loadOrganizations(tx, by === 'operator' ? null : by.organizationId);
  if (by !== 'operator') checkName(file, document, known);
  const choice = chooseOrganization(file, known);
  if ('problem' in choice) {
    document.report('organization.name', choice.problem, { line: 1, column: 1 });
    throw new FileRefused(document.errors);
  }
  if ('existing' in choice) return { state: await loadState(tx, choice.existing, file), isNew: false };
  const timeZone = file.organization?.time_zone ?? 'UTC';
  const organization = { id: newId('organization'), name: choice.newName, timeZone };
  return { state: emptyState(organization), isNew: true };
}

/** `state` contains the organization after the change. */
async function saveOrganization(
  tx: Tx,
  at: Temporal.Instant,
  file: OperatorFile,
  state: State,
  isNew: boolean,
): Promise<Change[]> {
  const before = state.organization;
  const name = file.organization?.name ?? before.name;
  const timeZone = file.organization?.time_zone ?? before.timeZone;
  state.organization = { id: before.id, name, timeZone };
  if (isNew) {
    await insertOrganization(tx, at, state.organization);
    return [{ action: 'add', kind: 'organization', id: before.id, name, details: [timeZone] }];
  }
  const details = [
    ...difference('name', before.name, name),
    ...difference('time zone', before.timeZone, timeZone),
  ];
  if (details.length === 0) return [];
  await updateOrganization(tx, at, state.organization);
  return [{ action: 'change', kind: 'organization', id: before.id, name, details }];
}

function auditEntry({ action, kind, id, name, details }: Change): AuditEntry {
  return { action: `apply.${kind}.${action}`, subject: id, data: { name, details } };
}
