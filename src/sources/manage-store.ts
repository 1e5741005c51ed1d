import { sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import { nodeIsRunning } from '../db/servers.ts';
import type { CallingSource, ClaimedCall } from '../webhooks/call-store.ts';
import type { SourceSettings } from './contract.ts';

/** The additional columns of sources, besides the row that they share with webhooks. */
export type SourceRow = {
  id: string;
  settings: SourceSettings;
  /** The last characters of the key; null for types without one. */
  keyLast4: string | null;
  intervalMinutes: number | null;
  /** The last call of a heartbeat; null: none yet. */
  lastCallAt: Temporal.Instant | null;
  /** Since when a heartbeat is late; null: it is not. */
  lateSince: Temporal.Instant | null;
  /** When the next call of a heartbeat is due; null before the first call. */
  dueAt: Temporal.Instant | null;
};

export async function listSourceRows(db: Handle, ids: readonly string[]): Promise<Map<string, SourceRow>> {
  const { rows } = await sql<SourceRow>`
    select id, settings, key_last4 as "keyLast4", interval_minutes as "intervalMinutes", last_beat_at as "lastCallAt",
      late_since as "lateSince",
      case when last_beat_at is not null
        then greatest(last_beat_at, (select since from accepting)) + interval_minutes * interval '1 minute' end as "dueAt"
    from page_sources where id = any(${ids}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

export type Key = { hash: Buffer; last4: string };

/** Returns false if a source has the same key. */
export async function insertSource(
  tx: Tx,
  source: Pick<SourceRow, 'id' | 'settings' | 'intervalMinutes'> & {
    organizationId: string;
    key: Key | null;
  },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('page_sources')
    .values({
      id: source.id,
      organization_id: source.organizationId,
      key_hash: source.key?.hash ?? null,
      key_last4: source.key?.last4 ?? null,
      settings: JSON.stringify(source.settings),
      interval_minutes: source.intervalMinutes,
    })
    .onConflict((conflict) => conflict.column('key_hash').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function updateSource(
  tx: Tx,
  organizationId: string,
  id: string,
  { settings, intervalMinutes }: { settings?: SourceSettings; intervalMinutes?: number },
): Promise<void> {
  if (settings === undefined && intervalMinutes === undefined) return;
  await tx
    .updateTable('page_sources')
    .set({
      ...(settings === undefined ? {} : { settings: JSON.stringify(settings) }),
      ...(intervalMinutes === undefined ? {} : { interval_minutes: intervalMinutes }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

const UNIQUE_VIOLATION = '23505';

/**
 * Gives a source a new key. The former one works until `oldUntil`; null ends it at once. Returns false if another
 * source has the new key; the transaction has then failed.
 */
export async function replaceKey(
  tx: Tx,
  at: Temporal.Instant,
  source: { organizationId: string; id: string; key: Key },
  oldUntil: Temporal.Instant | null,
): Promise<boolean> {
  const { organizationId, id, key } = source;
  await keepFormerKey(tx, at, { organizationId, id }, { endsAt: oldUntil ?? at, next: key.hash });
  try {
    await tx
      .updateTable('page_sources')
      .set({ key_hash: key.hash, key_last4: key.last4 })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .execute();
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return false;
    throw error;
  }
}

/** Keeps the current key of a source as a former one, so that calls with it are still noticed after `endsAt`. */
async function keepFormerKey(
  tx: Tx,
  at: Temporal.Instant,
  { organizationId, id }: { organizationId: string; id: string },
  { endsAt, next }: { endsAt: Temporal.Instant; next: Buffer | null },
): Promise<void> {
  // A key that was registered, replaced and registered again may have a row from the first time.
  await sql`
    insert into webhook_former_tokens as former (token_hash, organization_id, webhook_id, ends_at, last_used_at, created_at)
    select key_hash, organization_id, id, ${endsAt}, null, ${at} from page_sources
    where organization_id = ${organizationId} and id = ${id} and key_hash is not null
      and key_hash is distinct from ${next}::bytea
    on conflict (token_hash) do update set organization_id = excluded.organization_id, webhook_id = excluded.webhook_id,
      ends_at = excluded.ends_at, last_used_at = null, created_at = excluded.created_at`.execute(tx);
}

/** Allows the key of a revoked source to be registered with another one. */
export async function clearKey(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  id: string,
): Promise<void> {
  await keepFormerKey(tx, at, { organizationId, id }, { endsAt: at, next: null });
  await tx
    .updateTable('page_sources')
    .set({ key_hash: null })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** Running nodes of a release that records the calls of sources without paging anybody. */
export async function nodesWithoutSources(db: Handle): Promise<{ host: string; version: string }[]> {
  const { rows } = await sql<{ host: string; version: string }>`
    select n.host, n.version from nodes n
    where not n.pages_for_sources and n.stopped_at is null and ${nodeIsRunning('n.id')}
    order by n.id`.execute(db);
  return rows;
}

/** The slugs of the teams and the email addresses of the people, in lower case, that exist among those given. */
export async function knownNames(
  db: Handle,
  organizationId: string,
  slugs: readonly string[],
  emails: readonly string[],
): Promise<{ teams: Set<string>; people: Set<string> }> {
  const { rows } = await sql<{ team: string | null; person: string | null }>`
    select lower(slug) as team, null as person from teams
    where organization_id = ${organizationId} and lower(slug) = any(${slugs}::text[])
    union all
    select null, lower(email) from users
    where organization_id = ${organizationId} and disabled_at is null and lower(email) = any(${emails}::text[])`.execute(
    db,
  );
  return {
    teams: new Set(rows.flatMap(({ team }) => team ?? [])),
    people: new Set(rows.flatMap(({ person }) => person ?? [])),
  };
}

/** The fields of a source that the processing of its calls uses. */
export type TriedSource = Pick<ClaimedCall, 'organizationId' | 'teamId' | 'webhookId' | 'settings'> & {
  source: CallingSource;
};

/** Null when there is no such source, or it was revoked. */
export async function findTriedSource(db: Handle, id: string): Promise<TriedSource | null> {
  const { rows } = await sql<TriedSource>`
    select w.organization_id as "organizationId", w.team_id as "teamId", w.id as "webhookId", w.settings,
      jsonb_build_object('name', w.name, 'type', w.type, 'settings', s.settings) as source
    from webhooks w join page_sources s on s.id = w.id
    where w.id = ${id} and w.pages and w.revoked_at is null`.execute(db);
  return rows[0] ?? null;
}

export async function findTeamNamed(
  db: Handle,
  organizationId: string,
  id: string,
): Promise<{ name: string; slug: string } | null> {
  const row = await db
    .selectFrom('teams')
    .select(['name', 'slug'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** A dry run must not wait long for real calls of the same dedup key, or make them wait. */
export async function limitTime(tx: Tx): Promise<void> {
  await sql`select set_config('lock_timeout', '2s', true), set_config('statement_timeout', '5s', true)`.execute(
    tx,
  );
}

/** Writes a call and its request as if it had been accepted and claimed. */
export async function insertTried(tx: Tx, at: Temporal.Instant, call: ClaimedCall): Promise<void> {
  await sql`
    with request as (
      insert into requests (id, organization_id, kind, status, message, credential, created_at, updated_at)
      values (${call.requestId}, ${call.organizationId}, 'source', 'processing', '', ${call.webhookId}, ${at}, ${at})
      returning id
    )
    insert into received_notifications (id, organization_id, webhook_id, request_id, integration, headers, body,
      state, attempts, due_at, received_at, pages)
    select ${call.id}, ${call.organizationId}, ${call.webhookId}, request.id, ${call.integration},
      ${JSON.stringify(call.headers)}::jsonb, ${call.body}, 'queued', ${call.attempts}, ${at}, ${at}, true
    from request`.execute(tx);
}

/** The encrypted pepper of the installation; null when it has none yet. */
export async function readPepper(db: Handle): Promise<Buffer | null> {
  const row = await db.selectFrom('installation').select('source_pepper').executeTakeFirst();
  return row?.source_pepper ?? null;
}

/** Stores a pepper if there is none, and returns the one that is stored. */
export async function claimPepper(db: Handle, sealed: Buffer): Promise<Buffer> {
  const { rows } = await sql<{ source_pepper: Buffer }>`
    update installation set source_pepper = coalesce(source_pepper, ${sealed}) returning source_pepper`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw new Error('the installation has no row');
  return row.source_pepper;
}

/** Whether the key of a source has this hash. */
export async function hasKey(db: Handle, sourceId: string, hash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('page_sources')
    .select('id')
    .where('id', '=', sourceId)
    .where('key_hash', '=', hash)
    .executeTakeFirst();
  return row !== undefined;
}
