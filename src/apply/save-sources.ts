import { isDeepStrictEqual } from 'node:util';
import { instantTextOrNull } from '../kit/instant.ts';
import { isStoredKey } from '../sources/key-of-source.ts';
import {
  changeSource,
  createSource,
  type ManagedSource,
  type Managing,
  revokeSource,
  rotateSource,
  type SourceEdit,
} from '../sources/manage.ts';
import { replacedBy, settingsGiven } from '../sources/settings-change.ts';
import { oldUntilOf } from '../webhooks/bodies.ts';
import { type Applier, mayGrantAccess, ON_THE_COMMAND_LINE, personOf } from './applier.ts';
import { type Change, difference } from './change.ts';
import type { FileDocument } from './file/document.ts';
import type { SourceEntry } from './file/shape.ts';
import { definitionOf, expiryOf, findKnown, sameInstant, settingsOf } from './source-entry.ts';

/** The key of a source that was just made. It is shown only once. */
export type NewSourceKey = { team: string; name: string; key: string };

export type SavedSources = { changes: Change[]; keys: NewSourceKey[] };

type Saving = {
  applier: Applier;
  document: FileDocument;
  by: Managing;
  organizationId: string;
  /** The sources before the file is applied. */
  sources: readonly ManagedSource[];
  /** The ids of all teams, by slug. */
  teams: ReadonlyMap<string, string>;
};

export async function saveSources(saving: Saving, entries: readonly SourceEntry[]): Promise<SavedSources> {
  const saved: SavedSources = { changes: [], keys: [] };
  for (const entry of entries) {
    const before = findKnown(saving.sources, entry);
    if (before) await saveChange(saving, entry, before, saved);
    else await saveNew(saving, entry, saved);
  }
  return saved;
}

/** Revokes the sources that the file does not mention. */
export async function pruneSources(
  { by, organizationId, sources }: Saving,
  entries: readonly SourceEntry[],
): Promise<Change[]> {
  const kept = new Set(entries.map((entry) => findKnown(sources, entry)?.id));
  const gone = sources.filter(({ id }) => !kept.has(id));
  for (const { id } of gone) await revokeSource(by, organizationId, id);
  return gone.map(({ id, name, team }) => ({
    action: 'remove',
    kind: 'source',
    id,
    name: `${team.slug} ${name}`,
    details: [],
  }));
}

async function saveNew(
  { applier, by, organizationId, teams }: Saving,
  entry: SourceEntry,
  saved: SavedSources,
): Promise<void> {
  const { team, name, type } = entry;
  const teamId = teams.get(team) ?? '';
  const owner = { organizationId, teamId, createdBy: personOf(applier) };
  const { id, key } = await createSource(by, definitionOf(entry, null, owner));
  saved.changes.push({ action: 'add', kind: 'source', id, name: `${team} ${name}`, details: [type] });
  if (key !== null && entry.key === undefined) saved.keys.push({ team, name, key });
}

async function saveChange(
  { applier, document, by, organizationId }: Saving,
  entry: SourceEntry,
  before: ManagedSource,
  saved: SavedSources,
): Promise<void> {
  const { edit, details } = differences(by, entry, before);
  if (edit.signingSecret !== undefined && !mayGrantAccess(applier)) {
    document.report(
      document.pathOf(entry, 'signing_secret'),
      `differs from that of the source, which an API key cannot change; change it in the dashboard, ${ON_THE_COMMAND_LINE}`,
    );
    return;
  }
  if (details.length > 0) await changeSource(by, organizationId, before, edit);
  if (entry.key !== undefined && !(await isStoredKey(by, before.id, entry.key))) {
    const oldUntil = oldUntilOf(undefined, by.at);
    await rotateSource(by, organizationId, before, { key: entry.key, oldUntil });
    details.push('a new key');
  }
  if (details.length === 0) return;
  const name = `${entry.team} ${entry.name}`;
  saved.changes.push({ action: 'change', kind: 'source', id: before.id, name, details });
}

function differences(
  { sealing }: Managing,
  entry: SourceEntry,
  before: ManagedSource,
): { edit: SourceEdit; details: string[] } {
  const edit: SourceEdit = {};
  const details: string[] = [];
  const expiresAt = expiryOf(entry);
  const { signing_secret: secret, interval_minutes: minutes } = entry;
  const given = settingsOf(entry);
  const settings = given && settingsGiven(given);
  const settingsBefore = settingsGiven(before.settings);
  if (entry.name !== before.name) {
    edit.name = entry.name;
    details.push(...difference('name', before.name, entry.name));
  }
  if (expiresAt !== undefined && !sameInstant(expiresAt, before.expiresAt)) {
    edit.expiresAt = expiresAt;
    const shown = [before.expiresAt, expiresAt].map(instantTextOrNull);
    details.push(...difference('expiry', shown[0] ?? null, shown[1] ?? null));
  }
  const secretBefore = before.signingSecretSealed && sealing.open(before.signingSecretSealed);
  if (secret !== undefined && secret !== secretBefore) {
    edit.signingSecret = secret;
    details.push('a new signing secret');
  }
  if (minutes !== undefined && minutes !== before.intervalMinutes) {
    edit.intervalMinutes = minutes;
    details.push(...difference('interval', `${before.intervalMinutes} minutes`, `${minutes} minutes`));
  }
  if (settings !== undefined && !isDeepStrictEqual(settings, settingsBefore)) {
    edit.settings = replacedBy(settingsBefore, settings);
    details.push(...difference('settings', JSON.stringify(settingsBefore), JSON.stringify(settings)));
  }
  return { edit, details };
}
