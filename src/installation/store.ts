import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import { RUNNING_SERVERS } from '../db/servers.ts';

/** Stores the signature of the first key, and returns the stored one. */
export async function claimInstallation(db: Database, clock: Clock, keyCheck: string): Promise<string> {
  const { rows } = await sql<{ key_check: string }>`
    with claimed as (
      insert into installation (key_check, created_at) values (${keyCheck}, ${clock.sql}) on conflict do nothing returning key_check
    )
    select key_check from claimed union all select key_check from installation limit 1`.execute(db);
  return rows[0]?.key_check ?? keyCheck;
}

/** When this database was set up. */
export async function beginningOf(db: Handle): Promise<Temporal.Instant> {
  const row = await db.selectFrom('installation').select('created_at').executeTakeFirstOrThrow();
  return row.created_at;
}

/** The same, with a lock: nobody else can make a first owner until the transaction ends. */
export async function lockInstallation(tx: Tx): Promise<Temporal.Instant> {
  const row = await tx.selectFrom('installation').select('created_at').forUpdate().executeTakeFirstOrThrow();
  return row.created_at;
}

/** Stores the public key for subscriptions if there is none, and returns the stored one. */
export async function claimPushKey(db: Database, key: string): Promise<string> {
  const { rows } = await sql<{ push_key: string }>`
    update installation set push_key = coalesce(push_key, ${key}) returning push_key`.execute(db);
  return rows[0]?.push_key ?? key;
}

/** The number of running servers. */
export async function countServers(db: Handle): Promise<number> {
  return (await sql.raw(RUNNING_SERVERS).execute(db)).rows.length;
}

export type Subscriber = { organizationId: string; userId: string };

/** Replaces the public key for subscriptions. Returns false if another process has already replaced it. */
export async function replacePushKey(tx: Tx, from: string, to: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('installation')
    .set({ push_key: to })
    .where('push_key', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends all push subscriptions by marking them as not verified. Returns their owners. */
export async function endPushSubscriptions(tx: Tx, clock: Clock): Promise<Subscriber[]> {
  const { rows } = await sql<Subscriber>`
    with ended as (
      update contact_methods set verified_at = null, updated_at = ${clock.sql}
      where type = 'push' and verified_at is not null returning organization_id, user_id
    )
    select distinct organization_id as "organizationId", user_id as "userId" from ended order by 1, 2`.execute(
    tx,
  );
  return rows;
}

/** Every column that is encrypted with the secret key. A test compares the list with the schema. */
export const SEALED_COLUMNS = {
  webhook_url: ['webhooks', 'token_sealed'],
  webhook_secret: ['webhooks', 'signing_secret_sealed'],
  contact_secret: ['contact_methods', 'signing_secret'],
  calendar_source: ['availability_sources', 'url_sealed'],
  calendar_feed: ['calendar_feeds', 'token_sealed'],
  invitation: ['invitations', 'token'],
  second_factor: ['one_time_codes', 'secret'],
  source_pepper: ['installation', 'source_pepper'],
  provider: ['providers', 'sealed'],
} as const;
export type SealedKind = keyof typeof SEALED_COLUMNS;

export const SEALED_KINDS = Object.keys(SEALED_COLUMNS) as SealedKind[];

/** `place` is the row's `ctid`. It is valid until the transaction ends or somebody updates the row. */
export type SealedValue = {
  kind: SealedKind;
  place: string;
  sealed: Buffer;
  /** A name that people recognize. */
  name: string;
};

/** The name of each table's rows for people; `t` is the row. */
const NAMES = {
  webhooks: sql`t.name`,
  contact_methods: sql`(select email from users u where u.id = t.user_id)`,
  availability_sources: sql`t.name`,
  calendar_feeds: sql`(select email from users u where u.id = t.user_id)`,
  invitations: sql`t.email`,
  one_time_codes: sql`(select email from users u where u.id = t.user_id)`,
  installation: sql`(select count(*) from page_sources where key_hash is not null)::text`,
  providers: sql`t.name`,
};

/** Reads all secrets of one kind, with their rows locked. */
export async function lockSealed(tx: Tx, kind: SealedKind): Promise<SealedValue[]> {
  const [table, column] = SEALED_COLUMNS[kind];
  const { rows } = await sql<SealedValue>`
    select ${kind}::text as kind, t.ctid::text as place, ${sql.ref(`t.${column}`)} as sealed,
      coalesce(${NAMES[table]}, '') as name
    from ${sql.table(table)} t where ${sql.ref(`t.${column}`)} is not null order by t.ctid for update of t`.execute(
    tx,
  );
  return rows;
}

/**
 * Replaces secrets of one kind. This changes the `place` of these rows, so other kinds of the same table must be read
 * again.
 */
export async function replaceSealed(
  tx: Tx,
  kind: SealedKind,
  values: readonly { place: string; sealed: Buffer }[],
): Promise<void> {
  const [table, column] = SEALED_COLUMNS[kind];
  const places = values.map(({ place }) => place);
  const sealed = values.map((value) => value.sealed);
  await sql`
    update ${sql.table(table)} t set ${sql.ref(column)} = v.sealed
    from unnest(${places}::text[]::tid[], ${sealed}::bytea[]) as v (place, sealed) where t.ctid = v.place`.execute(
    tx,
  );
}

/** Replaces tokens of calendar feeds, which are part of the address: the old addresses stop working. */
export async function replaceFeedTokens(
  tx: Tx,
  values: readonly { place: string; hash: Buffer; sealed: Buffer }[],
): Promise<void> {
  const places = values.map(({ place }) => place);
  const hashes = values.map(({ hash }) => hash);
  const sealed = values.map((value) => value.sealed);
  await sql`
    update calendar_feeds t set token_hash = v.hash, token_sealed = v.sealed
    from unnest(${places}::text[]::tid[], ${hashes}::bytea[], ${sealed}::bytea[]) as v (place, hash, sealed)
    where t.ctid = v.place`.execute(tx);
}

/** Removes these people's second factor, including recovery codes. */
export async function removeAuthenticators(tx: Tx, places: readonly string[]): Promise<void> {
  await sql`
    with gone as (delete from one_time_codes where ctid = any(${places}::text[]::tid[]) returning user_id)
    delete from recovery_codes where user_id in (select user_id from gone)`.execute(tx);
}

/** Deletes the keys of all page sources and the pepper of their hashes. */
export async function removeSourceKeys(tx: Tx, places: readonly string[]): Promise<void> {
  await sql`
    with gone as (
      update installation set source_pepper = null where ctid = any(${places}::text[]::tid[])
    ), former as (
      delete from webhook_former_tokens f using page_sources s, webhooks w
      where s.id = f.webhook_id and w.id = s.id and s.key_last4 is not null
    )
    update page_sources set key_hash = null, key_last4 = null where key_last4 is not null`.execute(tx);
}

export async function removeProviders(tx: Tx, places: readonly string[]): Promise<void> {
  await sql`delete from providers where ctid = any(${places}::text[]::tid[])`.execute(tx);
}

export async function removeInvitations(tx: Tx, places: readonly string[]): Promise<void> {
  await sql`delete from invitations where ctid = any(${places}::text[]::tid[])`.execute(tx);
}

/** Ends all sessions and sign-in links, because a person who knew the old key could have forged them. */
export async function endSessions(tx: Tx, at: Temporal.Instant): Promise<void> {
  await tx.updateTable('sessions').set({ revoked_at: at }).where('revoked_at', 'is', null).execute();
  await tx.deleteFrom('sign_in_links').where('used_at', 'is', null).execute();
}

/** Unfinished sign-ins contain encrypted values; people start them again. */
export async function endChallenges(tx: Tx): Promise<void> {
  await tx.deleteFrom('challenges').execute();
}

/** The address of the synthetic page's receiver is signed, so it changes with the key. */
export async function moveSyntheticReceiver(tx: Tx, to: string): Promise<void> {
  await sql`
    update contact_methods m set value = ${to} from organizations o
    where o.id = m.organization_id and o.hidden and m.type = 'webhook'`.execute(tx);
}

/** Keeps servers from starting until the transaction ends, and returns the number of running ones. */
export async function holdServers(tx: Tx): Promise<number> {
  await sql`lock table installation in access exclusive mode`.execute(tx);
  return countServers(tx);
}

/** The signature by the secret key of this database; null if it has none yet. */
export async function readMark(db: Handle): Promise<string | null> {
  const row = await db.selectFrom('installation').select('key_check').executeTakeFirst();
  return row?.key_check ?? null;
}

export async function writeMark(tx: Tx, mark: string): Promise<void> {
  await tx.updateTable('installation').set({ key_check: mark }).execute();
}
