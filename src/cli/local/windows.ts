import { didYouMean } from '../../apply/file/near.ts';
import type { Handle, Tx } from '../../db/database.ts';
import { instantText } from '../../kit/instant.ts';
import { oneLine } from '../../kit/one-line.ts';
import { listOrganizations, recordAudit } from '../../people/store.ts';
import { listSources } from '../../sources/find.ts';
import { createWindow, endWindow } from '../../sources/window-actions.ts';
import type { WindowEffect } from '../../sources/windows-api-contract.ts';
import { type ListedWindow, listWindows, lockWindow } from '../../sources/windows-store.ts';
import { table } from '../output.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';
import { type Local, withLocal } from './database.ts';
import { inTermsOfOptions } from './option-names.ts';
import { findUser, hasName } from './people.ts';
import { findTeam } from './teams.ts';

type Scope = {
  team: string;
  source?: string;
  match: string[];
  effect: WindowEffect;
  owner?: string;
  name: string;
  organization?: string;
};
/** `for` is in minutes. */
export type NewSilenceOptions = Scope & { for: number };
export type NewWindowOptions = Scope & {
  from?: Temporal.Instant;
  to?: Temporal.Instant;
  for?: number;
  rrule?: string;
  zone?: string;
  until?: Temporal.Instant;
};

/** Creates a silence and prints its id. */
export async function makeSilence(session: Session, options: NewSilenceOptions): Promise<void> {
  const made = await withLocal(session, (local) => saveWindow(local, options, true));
  session.output.result(made.id, made);
  session.output.note(`It ends at ${made.ends_at}.`);
}

/** Creates a maintenance window and prints its id. */
export async function makeWindow(session: Session, options: NewWindowOptions): Promise<void> {
  const made = await withLocal(session, (local) => saveWindow(local, options, false));
  session.output.result(made.id, made);
}

async function saveWindow(local: Local, options: NewWindowOptions, silence: boolean) {
  const { team, match, effect } = options;
  const name = oneLine(options.name).trim();
  return local.db
    .transaction()
    .execute(async (tx) => {
      const at = await local.clock.now(tx);
      const { organization, teamId } = await findTeam(tx, team, options.organization ?? null);
      const first = { startsAt: options.from ?? at, endsAt: endOf(options, at) };
      const id = await createWindow(tx, at, {
        ...{ organizationId: organization.id, teamId, name, effect, silence, match, first },
        sourceId: await sourceOf(local, tx, { organizationId: organization.id, teamId }, options.source),
        rrule: options.rrule ?? null,
        zone: options.zone ?? null,
        repeatsUntil: options.until ?? null,
        createdBy: options.owner ? (await findUser(tx, options.owner, organization.name)).id : null,
      });
      const data = { name, silence, effect, ends_at: instantText(first.endsAt) };
      await recordAudit(tx, at, organization.id, null, [{ action: 'window.create', subject: id, data }]);
      return { id, name, team, starts_at: instantText(first.startsAt), ends_at: instantText(first.endsAt) };
    })
    .catch((error: unknown) => {
      throw inTermsOfOptions(error);
    });
}

function endOf({ from, to, for: minutes }: NewWindowOptions, at: Temporal.Instant): Temporal.Instant {
  if (to && minutes !== undefined) throw new Refusal('Give one of --to and --for, not both.');
  if (to) return to;
  if (minutes !== undefined) return (from ?? at).add({ minutes });
  throw new Refusal('A window needs an end; give --to or --for.');
}

async function sourceOf(
  { clock }: Local,
  tx: Tx,
  { organizationId, teamId }: { organizationId: string; teamId: string },
  named: string | undefined,
): Promise<string | null> {
  if (named === undefined) return null;
  const sources = await listSources(tx, clock, { organizationId, userId: '' }, teamId);
  const found = sources.find(({ id, name }) => id === named || name.toLowerCase() === named.toLowerCase());
  if (found) return found.id;
  const names = sources.map(({ name }) => name);
  const hint = didYouMean(named, names) || `; there are ${names.join(', ') || 'none yet'}`;
  throw new Refusal(`The team has no source ${JSON.stringify(named)}${hint}`);
}

/** Which windows a command means. */
export type WhichWindow = { team?: string; organization?: string };

/** Lists active and upcoming windows, of all teams or of one. */
export async function printWindows(session: Session, which: WhichWindow): Promise<void> {
  const windows = await withLocal(session, (local) => everyWindow(local, local.db, which));
  const rows = windows.map(({ id, team, name, state, effect, startsAt, endsAt, things }) => [
    id,
    team.slug,
    name,
    state,
    effect,
    `${instantText(startsAt)} to ${instantText(endsAt)}`,
    `${things} held`,
  ]);
  const shown = windows.map(({ id, team, name, state, effect, startsAt, endsAt, match, things }) => ({
    ...{ id, team: team.slug, name, state, effect, match },
    ...{ starts_at: instantText(startsAt), ends_at: instantText(endsAt), held_count: things },
  }));
  session.output.result(table(rows), { windows: shown });
}

/** Ends a window or a silence now. */
export async function stopWindow(session: Session, named: string, which: WhichWindow): Promise<void> {
  const ended = await withLocal(session, (local) =>
    local.db.transaction().execute(async (tx) => {
      const { id, organizationId, name } = oneOf(named, await everyWindow(local, tx, which));
      const locked = await lockWindow(tx, organizationId, id);
      if (!locked) throw new Refusal(`${name} has already ended; choose another window.`);
      const at = await local.clock.now(tx);
      await endWindow(tx, at, locked, { userId: null, name: 'the operator' });
      await recordAudit(tx, at, organizationId, null, [
        { action: 'window.end', subject: id, data: { name } },
      ]);
      return { id, name, ended: true };
    }),
  );
  session.output.result(`${ended.name} has ended.`, ended);
}

function oneOf(named: string, windows: readonly ListedWindow[]): ListedWindow {
  const found = windows.filter(({ id, name }) => id === named || name.toLowerCase() === named.toLowerCase());
  const [only] = found;
  if (only && found.length === 1) return only;
  if (only)
    throw new Refusal(
      `Several windows are named ${JSON.stringify(named)}; give an id: ${found.map(({ id }) => id).join(', ')}`,
    );
  const hint =
    didYouMean(
      named,
      windows.map(({ name }) => name),
    ) || '; see: tocsin window list';
  throw new Refusal(`There is no window ${JSON.stringify(named)} that is active or upcoming${hint}`);
}

async function everyWindow(
  { clock }: Local,
  handle: Handle,
  { team, organization }: WhichWindow,
): Promise<ListedWindow[]> {
  const at = await clock.now(handle);
  if (team !== undefined) {
    const found = await findTeam(handle, team, organization ?? null);
    const viewer = { organizationId: found.organization.id, userId: null };
    return listWindows(handle, at, viewer, { teamId: found.teamId, state: null });
  }
  const organizations = (await listOrganizations(handle)).filter((one) => hasName(one, organization ?? null));
  const windows: ListedWindow[] = [];
  for (const { id: organizationId } of organizations)
    windows.push(
      ...(await listWindows(handle, at, { organizationId, userId: null }, { teamId: null, state: null })),
    );
  return windows;
}
