import { didYouMean } from '../../apply/file/near.ts';
import type { Handle, Tx } from '../../db/database.ts';
import { instantText } from '../../kit/instant.ts';
import { oneLine } from '../../kit/one-line.ts';
import type { AuditAction } from '../../people/audit-contract.ts';
import { type AuditEntry, listOrganizations, recordAudit } from '../../people/store.ts';
import { closeAllProblems } from '../../problems/store.ts';
import type { Heartbeat, SourceDetail } from '../../sources/api-contract.ts';
import type { SourceSettings } from '../../sources/contract.ts';
import { listSources } from '../../sources/find.ts';
import {
  createSource,
  type ManagedSource,
  type Managing,
  revokeSource,
  rotateSource,
} from '../../sources/manage.ts';
import { presentSourceDetail } from '../../sources/present.ts';
import { sourceUrl } from '../../sources/url.ts';
import { oldUntilOf } from '../../webhooks/bodies.ts';
import { webhookSubject } from '../../webhooks/health.ts';
import { listFormerTokens, lockWebhook } from '../../webhooks/store.ts';
import { table } from '../output.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';
import { type Local, withLocal } from './database.ts';
import { inTermsOfOptions } from './option-names.ts';
import { hasName } from './people.ts';
import { findTeam } from './teams.ts';

export type NewSourceOptions = {
  team: string;
  name: string;
  type: string;
  key?: string;
  expires?: Temporal.Instant;
  signingSecret?: string;
  /** In minutes. */
  interval?: number;
  /** Validated like those of the API. */
  settings?: SourceSettings;
  organization?: string;
};

/** Creates a source and prints its URL, or the key of a dialect, which is never shown again. */
export async function makeSource(session: Session, options: NewSourceOptions): Promise<void> {
  const made = await withLocal(session, (local) => saveSource(local, options));
  session.output.result(made.key ?? made.url ?? '', made);
}

async function saveSource(local: Local, options: NewSourceOptions) {
  const sealing = await local.openSealing();
  const { team, type } = options;
  const name = oneLine(options.name).trim();
  const made = await local.db.transaction().execute(async (tx) => {
    const at = await local.clock.now(tx);
    const { organization, teamId } = await findTeam(tx, team, options.organization ?? null);
    const created = await createSource(
      { tx, at, sealing },
      {
        ...{ organizationId: organization.id, teamId, name, type, createdBy: null },
        expiresAt: options.expires ?? null,
        signingSecret: options.signingSecret ?? null,
        intervalMinutes: options.interval ?? null,
        key: options.key ?? null,
        settings: options.settings ?? {},
      },
    ).catch((error: unknown) => {
      throw inTermsOfOptions(error);
    });
    const entry: AuditEntry = { action: 'source.create', subject: created.id, data: { name, type, team } };
    await recordAudit(tx, at, organization.id, null, [entry]);
    return created;
  });
  const url = sourceUrl(local.config.publicUrl, made.token, type);
  return { id: made.id, url, key: made.key, name, type, team };
}

/** The source of a command: its id or name, and the team and organization if several have that name. */
export type Which = { source: string; team?: string; organization?: string };

/** Lists all sources, or those of a team. */
export async function printSources(session: Session, which: Omit<Which, 'source'>): Promise<void> {
  const sources = await withLocal(session, async (local) => {
    const sealing = await local.openSealing();
    const found = await everySource(local, local.db, which);
    return Promise.all(found.map(({ source }) => shown({ ...local, sealing }, source)));
  });
  const rows = sources.map(({ id, name, type, team, url, key_last4 }) => [
    id,
    team.slug,
    name,
    type,
    url ?? (key_last4 === null ? '' : `key …${key_last4}`),
  ]);
  session.output.result(table(rows), { sources });
}

/** Prints one source with its URL. */
export async function printSource(session: Session, which: Which): Promise<void> {
  const source = await withLocal(session, async (local) => {
    const sealing = await local.openSealing();
    return shown({ ...local, sealing }, (await findOne(local, local.db, which)).source);
  });
  session.output.result(sourceText(source), source);
}

export type RotationOptions = { key?: string; oldUntil?: Temporal.Instant; now?: boolean };

/** Gives a source a new URL or key, and prints it. */
export async function renewSource(
  session: Session,
  which: Which,
  { key = null, oldUntil, now }: Omit<RotationOptions, 'key'> & { key?: string | null },
): Promise<void> {
  const made = await withLocal(session, async (local) => {
    const sealing = await local.openSealing();
    const until = now ? null : oldUntil?.toString();
    return changing(local, sealing, which, 'source.rotate', async (by, { organizationId, source }) => {
      const ends = oldUntilOf(until, by.at);
      const way = await rotateSource(by, organizationId, source, { key, oldUntil: ends });
      const url = way.token && sourceUrl(local.config.publicUrl, way.token, source.type);
      return {
        result: { id: source.id, url, key: way.key, old_until: ends && instantText(ends) },
        data: { old_until: ends?.toString() ?? null },
      };
    });
  });
  session.output.result(made.key ?? made.url ?? '', made);
  session.output.note(
    made.old_until === null
      ? 'The old one has ended.'
      : `The old one works until ${made.old_until}; give the sender the new one before that.`,
  );
}

/** Revokes a source: its URL or key ends at once. */
export async function endSource(session: Session, which: Which): Promise<void> {
  const ended = await withLocal(session, async (local) => {
    const sealing = await local.openSealing();
    return changing(
      local,
      sealing,
      which,
      'source.revoke',
      async ({ tx, at }, { organizationId, source }) => {
        await revokeSource({ tx, at }, organizationId, source.id);
        await closeAllProblems(tx, local.clock, [webhookSubject(source.id)]);
        const { id, name } = source;
        return { result: { id, name, revoked: true }, data: { name } };
      },
    );
  });
  session.output.result(`${ended.name} was revoked.`, ended);
}

type Found = { organizationId: string; source: ManagedSource };

/** Lets `act` change one source with its row locked, and records what it did in the audit log. */
async function changing<T>(
  local: Local,
  sealing: Managing['sealing'],
  which: Which,
  action: AuditAction,
  act: (by: Managing, found: Found) => Promise<{ result: T; data: Record<string, unknown> }>,
): Promise<T> {
  return local.db.transaction().execute(async (tx) => {
    const found = await findOne(local, tx, which);
    await lockWebhook(tx, found.organizationId, found.source.id);
    const at = await local.clock.now(tx);
    const { result, data } = await act({ tx, at, sealing }, found).catch((error: unknown) => {
      throw inTermsOfOptions(error);
    });
    await recordAudit(tx, at, found.organizationId, null, [{ action, subject: found.source.id, data }]);
    return result;
  });
}

/** The source of a command. */
export async function findOne(local: Local, handle: Handle | Tx, which: Which): Promise<Found> {
  const all = await everySource(local, handle, which);
  const wanted = which.source.toLowerCase();
  const found = all.filter(
    ({ source: { id, name } }) => id === which.source || name.toLowerCase() === wanted,
  );
  const [only] = found;
  if (only && found.length === 1) return only;
  if (only) {
    const teams = found.map(({ source }) => `${source.team.slug} (${source.id})`).join(', ');
    throw new Refusal(
      `Several teams have a source ${JSON.stringify(which.source)}; add --team, or give its id: ${teams}`,
    );
  }
  const names = all.map(({ source }) => source.name);
  const hint = didYouMean(which.source, names) || '; see: tocsin source list';
  throw new Refusal(`There is no source ${JSON.stringify(which.source)}${hint}`);
}

/** The command line has no viewer; the operator may see everything. */
const OPERATOR = '';

async function everySource(
  { clock }: Local,
  handle: Handle,
  { team, organization = null }: { team?: string; organization?: string | null },
): Promise<Found[]> {
  const of = async (organizationId: string, teamId: string | null): Promise<Found[]> => {
    const sources = await listSources(handle, clock, { organizationId, userId: OPERATOR }, teamId);
    return sources.map((source) => ({ organizationId, source }));
  };
  if (team !== undefined) {
    const found = await findTeam(handle, team, organization);
    return of(found.organization.id, found.teamId);
  }
  const organizations = (await listOrganizations(handle)).filter((one) => hasName(one, organization));
  const found: Found[] = [];
  for (const { id } of organizations) found.push(...(await of(id, null)));
  return found;
}

async function shown(
  { db, clock, config, sealing }: Local & Pick<Managing, 'sealing'>,
  source: ManagedSource,
): Promise<SourceDetail> {
  return presentSourceDetail(source, await listFormerTokens(db, clock, [source.id]), {
    ...{ sealing, role: 'owner', secrets: true },
    urlOf: (token, type) => sourceUrl(config.publicUrl, token, type),
  });
}

function sourceText(source: SourceDetail): string {
  const { id, name, type, team, url, key_last4, interval_minutes, signing_secret, expires_at } = source;
  const rows = [
    ['id', id],
    ['team', team.slug],
    ['name', name],
    ['type', type],
    ...(url === null ? [] : [['url', url]]),
    ...(key_last4 === null ? [] : [['key', `…${key_last4}`]]),
    ...(interval_minutes === null ? [] : [['interval', `${interval_minutes} minutes`]]),
    ...(source.heartbeat ? [['heartbeat', heartbeatText(source.heartbeat)]] : []),
    ...(signing_secret === null ? [] : [['signing secret', signing_secret]]),
    ...(expires_at === null ? [] : [['expires', expires_at]]),
    ['last used', source.last_used_at ?? 'never'],
    ...source.former_urls.map(({ ends_at }) => ['former one', `works until ${ends_at}`]),
    ['settings', JSON.stringify(source.settings)],
  ];
  return table(rows);
}

function heartbeatText({ state, last_call_at, late_since, due_at }: Heartbeat): string {
  if (state === 'waiting') return 'waiting for the first call';
  if (state === 'late') return `late since ${late_since}; the last call came at ${last_call_at}`;
  return `on time; the last call came at ${last_call_at}, the next is due by ${due_at}`;
}
