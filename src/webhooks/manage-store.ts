import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import type { WebhookSettings } from '../moments/settings-contract.ts';
import type { Person } from '../people/contract.ts';
import { personJson } from '../people/store.ts';
import type { TeamRelation } from '../people/team-policy.ts';
import { relationJson } from '../people/team-store.ts';
import type { WebhookKind } from './contract.ts';

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
const MOST = 1_000;

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
    ${managedAs(viewer, clock, kind, ofTeam)} order by w.id desc limit ${MOST}`.execute(db);
  return rows;
}

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
