import type { Tx } from '../db/database.ts';
import { type Detail, Fault } from '../kit/fault.ts';
import type { Sealing } from '../kit/sealing.ts';
import { t } from '../language/contract.ts';
import { emailKey } from '../people/email.ts';
import { addWebhook, demandFuture, editWebhook, revokeWebhook, rotateWebhook } from '../webhooks/actions.ts';
import { endFormerTokens, type ManagedWebhook } from '../webhooks/store.ts';
import { settingsProblems } from './check-settings.ts';
import type { SettingsChange, SourceSettings } from './contract.ts';
import { hashOfNewKey, lastCharacters, makeKey } from './key.ts';
import { changedSettings, settingsGiven } from './settings-change.ts';
import { registeredKeyProblem, type SourceDefinition, sourceProblems } from './source.ts';
import {
  clearKey,
  decideHeldByHours,
  findRecipients,
  insertSource,
  type Key,
  nodesWithoutSources,
  recipientName,
  replaceKey,
  type SourceRow,
  updateSource,
} from './store.ts';
import { isDialect } from './url.ts';

/** The transaction, its time, and the key of the installation. */
export type Managing = { tx: Tx; at: Temporal.Instant; sealing: Sealing };

/**
 * How senders reach a source: `token` is part of its URL; `key` is shown once, and null unless the type is a dialect.
 */
export type Way = { token: string; key: string | null };

/**
 * Creates a source. @throws Fault `bad_request` with every invalid field; `conflict` if the team has a source of this
 * name, if another source has the key, or while a node of an older release runs
 */
export async function createSource(
  { tx, at, sealing }: Managing,
  definition: SourceDefinition,
): Promise<{ id: string } & Way> {
  const { organizationId, type, intervalMinutes, settings } = definition;
  const problems = sourceProblems(definition, at);
  if (problems.length === 0) problems.push(...(await unknownNames(tx, organizationId, settings)));
  if (problems.length > 0) throw new Fault('bad_request', problems);
  await demandNodesThatPage(tx);
  const { id, token } = await addWebhook(tx, at, sealing, { ...definition, settings: {} }, 'source');
  const key = definition.key ?? (isDialect(type) ? makeKey(type) : null);
  const stored = key === null ? null : await storedForm(tx, sealing, key);
  if (!(await insertSource(tx, { id, organizationId, settings, intervalMinutes, key: stored })))
    throw keyTaken();
  return { id, token, key: isDialect(type) ? key : null };
}

/** A missing field or setting does not change; null removes its value. */
export type SourceEdit = {
  name?: string;
  expiresAt?: Temporal.Instant | null;
  signingSecret?: string | null;
  settings?: SettingsChange;
  intervalMinutes?: number;
};

/** A source for its managers, with its row. */
export type ManagedSource = Omit<ManagedWebhook, 'settings'> & Omit<SourceRow, 'id'>;

/** Changes a source whose row is locked. Throws the same faults as `createSource`, for the changed fields only. */
export async function changeSource(
  { tx, at, sealing }: Managing,
  organizationId: string,
  source: Pick<ManagedSource, 'id' | 'name' | 'type' | 'team' | 'intervalMinutes' | 'settings'>,
  edit: SourceEdit,
): Promise<void> {
  const { settings, intervalMinutes, ...shared } = edit;
  const given = settingsGiven(settings ?? {});
  const problems = sourceProblems(
    {
      ...{ organizationId, teamId: source.team.id, type: source.type, createdBy: null, key: null },
      ...{ name: edit.name ?? source.name, expiresAt: edit.expiresAt ?? null },
      ...{ signingSecret: edit.signingSecret ?? null, settings: given },
      intervalMinutes: intervalMinutes ?? source.intervalMinutes,
    },
    at,
  );
  if (problems.length === 0) problems.push(...(await unknownNames(tx, organizationId, given)));
  if (problems.length > 0) throw new Fault('bad_request', problems);
  await editWebhook({ tx, at, sealing }, organizationId, source.id, shared, 'source');
  await updateSource(tx, organizationId, source.id, {
    ...(settings === undefined ? {} : { settings: changedSettings(source.settings, settings) }),
    ...(intervalMinutes === undefined ? {} : { intervalMinutes }),
  });
  if (settings?.hours !== undefined) await decideHeldByHours(tx, at, source.id);
}

/**
 * Gives a source a new URL, or a dialect a new key: `key`, or a generated one. A heartbeat gets either a new URL or
 * `key`. The old one works until `oldUntil`; null ends it at once, with all former ones.
 */
export async function rotateSource(
  { tx, at, sealing }: Managing,
  organizationId: string,
  source: Pick<ManagedSource, 'id' | 'type'>,
  { key, oldUntil }: { key: string | null; oldUntil: Temporal.Instant | null },
): Promise<{ token: string | null; key: string | null }> {
  const { id, type } = source;
  const problem = registeredKeyProblem(type, key);
  if (problem) throw new Fault('bad_request', [problem]);
  const next = key ?? (isDialect(type) ? makeKey(type) : null);
  if (next === null) {
    const { token } = await rotateWebhook(tx, at, sealing, organizationId, id, oldUntil);
    return { token, key: null };
  }
  demandFuture(oldUntil, at);
  const stored = await storedForm(tx, sealing, next);
  if (!(await replaceKey(tx, at, { organizationId, id, key: stored }, oldUntil))) throw keyTaken();
  if (oldUntil === null) await endFormerTokens(tx, at, organizationId, id);
  return { token: null, key: isDialect(type) ? next : null };
}

/** Revokes a source. Within half a second, no node accepts its URL or its key. Its open pages stay open. */
export async function revokeSource(
  { tx, at }: Omit<Managing, 'sealing'>,
  organizationId: string,
  sourceId: string,
): Promise<void> {
  await revokeWebhook(tx, at, organizationId, sourceId);
  await clearKey(tx, at, organizationId, sourceId);
}

async function storedForm(tx: Tx, sealing: Sealing, key: string): Promise<Key> {
  return { hash: await hashOfNewKey(tx, sealing, key), last4: lastCharacters(key) };
}

/** All problems with the settings of a source of this organization. */
export async function settingsProblemsIn(
  tx: Tx,
  organizationId: string,
  settings: SourceSettings,
): Promise<Detail[]> {
  const problems = settingsProblems(settings);
  return problems.length > 0 ? problems : unknownNames(tx, organizationId, settings);
}

/** Teams and people that the rules name and the organization does not have. */
async function unknownNames(
  tx: Tx,
  organizationId: string,
  { rules = [] }: SourceSettings,
): Promise<Detail[]> {
  const teamNamed = (team: string) => ({ organizationId, team: team.toLowerCase(), person: null });
  const personNamed = (person: string) => ({ organizationId, team: null, person: emailKey(person) });
  const named = rules.flatMap(({ then: { team, person } }) => [
    ...(team === undefined ? [] : [teamNamed(team)]),
    ...(person === undefined ? [] : [personNamed(person)]),
  ]);
  const known = await findRecipients(tx, named);
  return rules.flatMap(({ then: { team, person } }, index) => {
    const field = `settings.rules[${index}].then`;
    const details: Detail[] = [];
    if (team !== undefined && !known.has(recipientName(teamNamed(team))))
      details.push({
        field: `${field}.team`,
        message: t('is {team}, which is not a team of your organization; give the slug of a team', {
          team: JSON.stringify(team),
        }),
      });
    if (person !== undefined && !known.has(recipientName(personNamed(person))))
      details.push({
        field: `${field}.person`,
        message: t('is {person}, who is not in your organization; give the email address of a person', {
          person: JSON.stringify(person),
        }),
      });
    return details;
  });
}

async function demandNodesThatPage(tx: Tx): Promise<void> {
  const [older] = await nodesWithoutSources(tx);
  if (!older) return;
  throw new Fault('conflict', [
    {
      field: 'source',
      message: t(
        'cannot be created while {host} runs Tocsin {version}, which would record its calls without paging anybody; upgrade every node, then try again',
        { host: older.host, version: older.version },
      ),
    },
  ]);
}

function keyTaken(): Fault {
  return new Fault('conflict', [
    {
      field: 'key',
      message: t('belongs to another source; give a different key, or leave it out to get a new one'),
    },
  ]);
}
