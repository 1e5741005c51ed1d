import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import type { WebhookSettings } from '../moments/settings-contract.ts';
import type { Person } from '../people/contract.ts';
import { personJson } from '../people/store.ts';
import type { TeamRelation } from '../people/team-policy.ts';
import { relationJson } from '../people/team-store.ts';
import type { WebhookKind } from './contract.ts';
import type { WebhookDefinition } from './webhook.ts';

export type Refusal = 'expired' | 'former_url' | 'revoked';

export type FoundWebhook = {
  id: string;
  organizationId: string;
  type: string;
  signingSecretSealed: Buffer | null;
  pages: boolean;
  /** Why a call with this token is refused; null if it is accepted. */
  refusal: Refusal | null;
  /** The refusal says that the URL has ended; otherwise it looks like an unknown URL. */
  gone: boolean;
  /** The token was replaced by a rotation of the webhook. */
  former: boolean;
  /** The database's time of this query. */
  at: Temporal.Instant;
};

/** For a `token` and its webhook `w`. */
function refusalAs(clock: Clock): RawBuilder<unknown> {
  return sql`
      case when w.revoked_at is not null then 'revoked'
        when least(w.expires_at, token.ends_at) <= ${clock.sql} then case when token.former then 'former_url' else 'expired' end
      end as refusal,
      w.revoked_at is null and not token.ended_at_once as gone, token.former`;
}

/** Finds the webhook of a token, even if it has expired or was revoked; null if the token is unknown. */
export async function findWebhook(db: Handle, clock: Clock, tokenHash: Buffer): Promise<FoundWebhook | null> {
  const { rows } = await sql<FoundWebhook>`
    select w.id, w.organization_id as "organizationId", w.type, w.signing_secret_sealed as "signingSecretSealed", w.pages,
      ${refusalAs(clock)}, ${clock.sql} as at
    from (
      select id as webhook_id, null::timestamptz as ends_at, false as ended_at_once, false as former
      from webhooks where token_hash = ${tokenHash}
      union all
      select webhook_id, ends_at, ends_at <= created_at, true from webhook_former_tokens where token_hash = ${tokenHash}
    ) token join webhooks w on w.id = token.webhook_id`.execute(db);
  return rows[0] ?? null;
}

/** Finds the page source of a key by the key's hash, like `findWebhook`. A key that was registered again takes precedence over a former one. */
export async function findSourceByKey(
  db: Handle,
  clock: Clock,
  keyHash: Buffer,
): Promise<FoundWebhook | null> {
  const { rows } = await sql<FoundWebhook>`
    select w.id, w.organization_id as "organizationId", w.type, w.signing_secret_sealed as "signingSecretSealed", w.pages,
      ${refusalAs(clock)}, ${clock.sql} as at
    from (
      select id as webhook_id, null::timestamptz as ends_at, false as ended_at_once, false as former
      from page_sources where key_hash = ${keyHash}
      union all
      select webhook_id, ends_at, ends_at <= created_at, true from webhook_former_tokens where token_hash = ${keyHash}
    ) token join webhooks w on w.id = token.webhook_id and w.pages
    order by w.revoked_at is not null, token.former limit 1`.execute(db);
  return rows[0] ?? null;
}

export type NewWebhookRow = WebhookDefinition & {
  id: string;
  /** A page source. */
  pages: boolean;
  tokenHash: Buffer;
  tokenSealed: Buffer;
  signingSecretSealed: Buffer | null;
};

/** Returns false if the team already has a webhook of this name and kind. */
export async function insertWebhook(tx: Tx, at: Temporal.Instant, webhook: NewWebhookRow): Promise<boolean> {
  const inserted = await tx
    .insertInto('webhooks')
    .values({
      id: webhook.id,
      organization_id: webhook.organizationId,
      team_id: webhook.teamId,
      name: webhook.name,
      type: webhook.type,
      pages: webhook.pages,
      token_hash: webhook.tokenHash,
      token_sealed: webhook.tokenSealed,
      signing_secret_sealed: webhook.signingSecretSealed,
      settings: JSON.stringify(webhook.settings ?? {}),
      expires_at: webhook.expiresAt,
      created_by: webhook.createdBy,
      created_at: at,
      updated_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Marks a webhook as revoked. Returns false if there was none to revoke. */
export async function markRevoked(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  id: string,
): Promise<boolean> {
  const revoked = await tx
    .updateTable('webhooks')
    .set({ revoked_at: at, updated_at: at })
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return revoked !== undefined;
}

/**
 * Updates all webhooks called since the last time in one statement; last-used times do not justify a write per call.
 */
export async function markUsed(db: Handle, uses: ReadonlyMap<string, Temporal.Instant>): Promise<void> {
  await sql`
    update webhooks set last_used_at = greatest(last_used_at, used.at)
    from unnest(${[...uses.keys()]}::text[], ${[...uses.values()]}::timestamptz[]) as used(id, at)
    where webhooks.id = used.id`.execute(db);
}

/**
 * Updates former tokens, by base64 hash, so that the person who rotated the URL sees whether the old one is still in
 * use.
 */
export async function markFormerUsed(db: Handle, uses: ReadonlyMap<string, Temporal.Instant>): Promise<void> {
  await sql`
    update webhook_former_tokens set last_used_at = greatest(last_used_at, used.at)
    from unnest(${[...uses.keys()]}::text[], ${[...uses.values()]}::timestamptz[]) as used(hash, at)
    where token_hash = decode(used.hash, 'base64')`.execute(db);
}

/** A URL that will end: that of a webhook, or a former one that is still used. */
export type EndingUrl = {
  webhookId: string;
  organizationId: string;
  teamId: string;
  teamName: string;
  name: string;
  /** A page source: its calls page people. */
  pages: boolean;
  former: boolean;
  /** When the URL was created, or the webhook got a new one. */
  since: Temporal.Instant;
  endsAt: Temporal.Instant;
};

/** More than an organization changes within a week. The rest follows when these have ended. */
const MOST_ENDING = 5_000;

/** URLs that end after `at` and not after `until`, the next to end first. */
export async function endingUrls(
  db: Handle,
  at: Temporal.Instant,
  until: Temporal.Instant,
): Promise<EndingUrl[]> {
  const { rows } = await sql<EndingUrl>`
    select w.id as "webhookId", w.organization_id as "organizationId", w.team_id as "teamId", t.name as "teamName",
      w.name,
      w.pages, url.former, url.since, url.ends_at as "endsAt"
    from (
      select id as webhook_id, false as former, created_at as since, expires_at as ends_at from webhooks
      where expires_at > ${at} and expires_at <= ${until}
      union all
      select webhook_id, true, created_at, ends_at from webhook_former_tokens
      where ends_at > ${at} and ends_at <= ${until} and last_used_at is not null
    ) url
    join webhooks w on w.id = url.webhook_id and w.revoked_at is null
    join teams t on t.id = w.team_id
    where not url.former or w.expires_at is null or w.expires_at > url.ends_at
    order by url.ends_at, w.id limit ${MOST_ENDING}`.execute(db);
  return rows;
}

/** A webhook or page source that is not revoked, and the viewer's relation to its team. */
export type ManagedWebhook = {
  id: string;
  name: string;
  type: string;
  team: { id: string; name: string; slug: string };
  tokenSealed: Buffer;
  signingSecretSealed: Buffer | null;
  settings: WebhookSettings;
  expiresAt: Temporal.Instant | null;
  expired: boolean;
  lastUsedAt: Temporal.Instant | null;
  createdAt: Temporal.Instant;
  createdBy: Person | null;
  relation: TeamRelation;
};

type Viewer = { organizationId: string; userId: string };

/** The most webhooks in one list; a larger organization has to list them by team. */
const MOST_LISTED = 1_000;

function managedAs(
  viewer: Viewer,
  clock: Clock,
  kind: WebhookKind,
  where: RawBuilder<unknown>,
): RawBuilder<ManagedWebhook> {
  return sql<ManagedWebhook>`
    select w.id, w.name, w.type, jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug) as team,
      w.token_sealed as "tokenSealed", w.signing_secret_sealed as "signingSecretSealed", w.settings,
      w.expires_at as "expiresAt", coalesce(w.expires_at <= ${clock.sql}, false) as expired,
      w.last_used_at as "lastUsedAt", w.created_at as "createdAt",
      ${personJson('u')}
        as "createdBy",
      ${relationJson('m')} as relation
    from webhooks w
    join teams t on t.id = w.team_id
    left join users u on u.id = w.created_by
    left join team_members m on m.team_id = w.team_id and m.user_id = ${viewer.userId}
    where w.organization_id = ${viewer.organizationId} and w.revoked_at is null and w.pages = ${kind === 'source'}
      ${where}`;
}

/** Lists webhooks or page sources, newest first, of one team or of all. */
export async function listWebhooks(
  db: Handle,
  clock: Clock,
  viewer: Viewer,
  teamId: string | null,
  kind: WebhookKind,
): Promise<ManagedWebhook[]> {
  const ofTeam = teamId === null ? sql`` : sql`and w.team_id = ${teamId}`;
  const { rows } = await sql<ManagedWebhook>`
    ${managedAs(viewer, clock, kind, ofTeam)} order by w.id desc limit ${MOST_LISTED}`.execute(db);
  return rows;
}

/** A webhook or page source of the organization that is not revoked; null if there is none. */
export async function findManagedWebhook(
  db: Handle,
  clock: Clock,
  viewer: Viewer,
  id: string,
  kind: WebhookKind,
): Promise<ManagedWebhook | null> {
  const { rows } = await managedAs(viewer, clock, kind, sql`and w.id = ${id}`).execute(db);
  return rows[0] ?? null;
}

/** Locks the webhook until the end of the transaction. Returns false if it does not exist or is revoked. */
export async function lockWebhook(tx: Tx, organizationId: string, id: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from webhooks where organization_id = ${organizationId} and id = ${id} and revoked_at is null
    for update`.execute(tx);
  return rows.length > 0;
}

export type FormerToken = {
  webhookId: string;
  endsAt: Temporal.Instant;
  lastUsedAt: Temporal.Instant | null;
};

/** The former tokens of these webhooks that still work, the last to end first. */
export async function listFormerTokens(
  db: Handle,
  clock: Clock,
  webhookIds: readonly string[],
): Promise<FormerToken[]> {
  const { rows } = await sql<FormerToken>`
    select webhook_id as "webhookId", ends_at as "endsAt", last_used_at as "lastUsedAt" from webhook_former_tokens
    where webhook_id = any(${webhookIds}::text[]) and ends_at > ${clock.sql} order by ends_at desc`.execute(
    db,
  );
  return rows;
}

export type WebhookChange = {
  name?: string;
  expiresAt?: Temporal.Instant | null;
  signingSecretSealed?: Buffer | null;
  settings?: WebhookSettings;
};

/** Returns false if the team has another webhook of the new name; the transaction has then failed. */
export async function updateWebhook(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  id: string,
  { name, expiresAt, signingSecretSealed, settings }: WebhookChange,
): Promise<boolean> {
  try {
    await tx
      .updateTable('webhooks')
      .set({
        updated_at: at,
        ...(name === undefined ? {} : { name }),
        ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
        ...(signingSecretSealed === undefined ? {} : { signing_secret_sealed: signingSecretSealed }),
        ...(settings === undefined ? {} : { settings: JSON.stringify(settings) }),
      })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .execute();
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return false;
    throw error;
  }
}

/** Pins the webhook to this topic unless it is pinned already. */
export async function pinTopic(tx: Tx, at: Temporal.Instant, id: string, topic: string): Promise<void> {
  await sql`
    update webhooks set settings = settings || jsonb_build_object('topic', ${topic}::text), updated_at = ${at}
    where id = ${id} and not settings ? 'topic'`.execute(tx);
}

const UNIQUE_VIOLATION = '23505';

/**
 * Gives a webhook a new token. The former one works until `oldUntil`; null ends it at once. It is stored in either
 * case, so that further calls to it are noticed.
 */
export async function replaceToken(
  tx: Tx,
  at: Temporal.Instant,
  webhook: { organizationId: string; id: string; tokenHash: Buffer; tokenSealed: Buffer },
  oldUntil: Temporal.Instant | null,
): Promise<void> {
  await sql`
    insert into webhook_former_tokens (token_hash, organization_id, webhook_id, ends_at, last_used_at, created_at)
    select token_hash, organization_id, id, ${oldUntil ?? at}, null, ${at} from webhooks
    where organization_id = ${webhook.organizationId} and id = ${webhook.id}`.execute(tx);
  await tx
    .updateTable('webhooks')
    .set({ token_hash: webhook.tokenHash, token_sealed: webhook.tokenSealed, updated_at: at })
    .where('organization_id', '=', webhook.organizationId)
    .where('id', '=', webhook.id)
    .execute();
}

/** Ends all former tokens and keys of a webhook now. They stay stored, so that later calls to them are noticed. */
export async function endFormerTokens(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  webhookId: string,
): Promise<void> {
  await sql`
    update webhook_former_tokens set ends_at = ${at}
    where organization_id = ${organizationId} and webhook_id = ${webhookId} and ends_at > ${at}`.execute(tx);
}

/**
 * Deletes former tokens that ended more than thirty days ago. Until then they are answered with 410, afterwards with
 * 404.
 */
export async function forgetFormerTokens(db: Handle, clock: Clock, limit: number): Promise<number> {
  const { rows } = await sql<{ at: Temporal.Instant }>`
    delete from webhook_former_tokens where token_hash in (
      select token_hash from webhook_former_tokens where ends_at < ${clock.sql} - interval '30 days'
      limit ${limit} for update skip locked)
    returning ends_at as at`.execute(db);
  return rows.length;
}
