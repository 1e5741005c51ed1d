import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';

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
