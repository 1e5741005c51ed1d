import { sql } from 'kysely';
import type { Database, Handle, Tx } from '../db/database.ts';
import type { Person } from '../people/contract.ts';

/** What the dashboard stored of one provider. */
export type StoredProvider = {
  /** A newer release may know others than `PROVIDER_NAMES`. */
  name: string;
  /** The values of its form as JSON, encrypted. */
  sealed: Buffer;
  changedAt: Temporal.Instant;
  changedBy: Person | null;
};

export async function listStoredProviders(db: Handle): Promise<StoredProvider[]> {
  const { rows } = await sql<StoredProvider>`
    select p.name, p.sealed, p.changed_at as "changedAt",
      case when u.id is not null then jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email) end as "changedBy"
    from providers p left join users u on u.id = p.changed_by order by p.name`.execute(db);
  return rows;
}

/** The encrypted values of one provider, locked until the transaction ends; null if none are stored. */
export async function lockStoredProvider(tx: Tx, name: string): Promise<Buffer | null> {
  const row = await tx
    .selectFrom('providers')
    .select('sealed')
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst();
  return row?.sealed ?? null;
}

export async function saveProvider(
  tx: Tx,
  at: Temporal.Instant,
  { name, sealed, userId }: { name: string; sealed: Buffer; userId: string },
): Promise<void> {
  const row = { sealed, changed_at: at, changed_by: userId };
  await tx
    .insertInto('providers')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}

/** Returns false if nothing was stored. */
export async function deleteProvider(tx: Tx, name: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('providers').where('name', '=', name).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The encrypted values of all providers, by name. */
export async function readSealedProviders(db: Database): Promise<{ name: string; sealed: Buffer }[]> {
  return db.selectFrom('providers').select(['name', 'sealed']).orderBy('name').execute();
}
