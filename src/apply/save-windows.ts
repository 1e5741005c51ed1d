import type { Clock } from '../db/clock.ts';
import type { Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText, parseInstant } from '../kit/instant.ts';
import { oneLine } from '../kit/one-line.ts';
import { emailKey } from '../people/email.ts';
import { listSources } from '../sources/find.ts';
import { createWindow, endWindow } from '../sources/window-actions.ts';
import { type ListedWindow, listUnended, lockWindow } from '../sources/windows-store.ts';
import { type Applier, nameOf, personOf } from './applier.ts';
import type { Change } from './change.ts';
import { rangeOf } from './file/contents.ts';
import type { FileDocument } from './file/document.ts';
import { didYouMean } from './file/near.ts';
import type { OperatorFile, WindowEntry } from './file/shape.ts';

export type WindowSaving = {
  tx: Tx;
  clock: Clock;
  at: Temporal.Instant;
  by: Applier;
  document: FileDocument;
  organizationId: string;
  /** Ids by slug, and by email address. */
  teams: ReadonlyMap<string, string>;
  users: ReadonlyMap<string, string>;
  prune: boolean;
};

/**
 * Creates the maintenance windows of the file. A window that differs from the existing one of its name replaces it, and
 * a past one does not change. With `prune`, windows that the file does not mention end; silences stay, because people
 * make them.
 */
export async function saveWindows(saving: WindowSaving, file: OperatorFile): Promise<Change[]> {
  const { tx, at, organizationId, teams, prune } = saving;
  const stored = await listUnended(tx, at, organizationId);
  const changes: Change[] = [];
  const kept = new Set<string>();
  for (const entry of file.windows ?? []) {
    const teamId = teams.get(entry.team);
    if (teamId === undefined) {
      saving.document.report(
        saving.document.pathOf(entry, 'team'),
        `is ${entry.team}, a team that is neither in this file nor in the organization${didYouMean(entry.team, teams.keys()) || '; add it under teams'}`,
      );
      continue;
    }
    const before = stored.find(
      (one) => one.teamId === teamId && one.name.toLowerCase() === oneLine(entry.name).trim().toLowerCase(),
    );
    if (before) kept.add(before.id);
    changes.push(...(await saveWindow(saving, entry, teamId, before)));
  }
  if (!prune) return changes;
  for (const gone of stored.filter(({ id }) => !kept.has(id))) changes.push(...(await end(saving, gone)));
  return changes;
}

async function saveWindow(
  saving: WindowSaving,
  entry: WindowEntry,
  teamId: string,
  before: ListedWindow | undefined,
): Promise<Change[]> {
  const { tx, at, document, organizationId, users } = saving;
  const { startsAt, endsAt } = rangeOf(entry);
  const isOver = entry.rrule === undefined && Temporal.Instant.compare(endsAt, at) <= 0;
  const sourceId = await sourceOf(saving, entry, teamId);
  if (isOver || sourceId === undefined || (before && isSame(before, entry, sourceId))) return [];
  if (before) await end(saving, before);
  const name = oneLine(entry.name).trim();
  try {
    const id = await createWindow(tx, at, {
      ...{ organizationId, teamId, sourceId, name, silence: false, first: { startsAt, endsAt } },
      effect: entry.effect ?? 'hold',
      match: entry.match ?? [],
      rrule: entry.rrule ?? null,
      zone: entry.zone ?? null,
      repeatsUntil: entry.repeats_until ? parseInstant(entry.repeats_until) : null,
      createdBy: entry.owner ? (users.get(emailKey(entry.owner)) ?? null) : null,
    });
    const details = [
      `${instantText(startsAt)} to ${instantText(endsAt)}`,
      ...(entry.rrule ? [entry.rrule] : []),
    ];
    return [{ action: before ? 'change' : 'add', kind: 'window', id, name, details }];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    for (const detail of error.details) {
      const field = { starts_at: 'start', ends_at: 'end' }[detail.field] ?? detail.field;
      document.report(document.pathOf(entry, field), detail.message);
    }
    return [];
  }
}

function isSame(before: ListedWindow, entry: WindowEntry, sourceId: string | null): boolean {
  const { startsAt, endsAt } = rangeOf(entry);
  const ruleOf = (rule: string | null) =>
    rule
      ?.toUpperCase()
      .replace(/^RRULE:/, '')
      .replace(/;?UNTIL=[^;]*/, '') ?? null;
  const until = entry.repeats_until ? parseInstant(entry.repeats_until) : null;
  return (
    before.sourceId === sourceId &&
    before.effect === (entry.effect ?? 'hold') &&
    JSON.stringify(before.match) === JSON.stringify(entry.match ?? []) &&
    before.firstStartsAt.equals(startsAt) &&
    before.firstEndsAt.equals(endsAt) &&
    ruleOf(before.recurrence) === ruleOf(entry.rrule ?? null) &&
    before.zone === (entry.zone ?? null) &&
    (until === null || (before.repeatsUntil?.equals(until) ?? false))
  );
}

/** Null: all sources. Undefined: there is no such source, which was reported. */
async function sourceOf(
  { tx, clock, document, organizationId }: WindowSaving,
  entry: WindowEntry,
  teamId: string,
): Promise<string | null | undefined> {
  if (entry.source === undefined) return null;
  const wanted = entry.source.toLowerCase();
  const sources = await listSources(tx, clock, { organizationId, userId: '' }, teamId);
  const found = sources.find(({ id, name }) => id === entry.source || name.toLowerCase() === wanted);
  if (found) return found.id;
  const names = sources.map(({ name }) => name);
  document.report(
    document.pathOf(entry, 'source'),
    `is ${entry.source}, which is not a page source of this team${didYouMean(entry.source, names)}`,
  );
  return undefined;
}

async function end(
  { tx, at, by, organizationId }: WindowSaving,
  { id, name }: ListedWindow,
): Promise<Change[]> {
  const locked = await lockWindow(tx, organizationId, id);
  if (!locked) return [];
  await endWindow(tx, at, locked, { userId: personOf(by), name: nameOf(by) });
  return [{ action: 'remove', kind: 'window', id, name, details: [] }];
}
