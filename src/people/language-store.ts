import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import type { Language } from '../language/contract.ts';

/** The language in which the service writes to a person: the one that they chose, or that of their organization. `u`: their row. */
export function languageOf(u: string): RawBuilder<Language> {
  const of = (column: string) => sql.ref(`${u}.${column}`);
  return sql<Language>`coalesce(${of('language')}, (select o.language from organizations o where o.id = ${of('organization_id')}))`;
}

/** The languages of people by their ids, for texts that are made for several readers. Unknown ids are left out. */
export async function languagesById(db: Handle, ids: readonly string[]): Promise<Map<string, Language>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; language: Language }>`
    select u.id, ${languageOf('u')} as language from users u where u.id = any(${[...new Set(ids)]}::text[])`.execute(
    db,
  );
  return new Map(rows.map(({ id, language }) => [id, language]));
}

/** The language of one person, or of the organization for somebody who is not in it yet. */
export async function languageOfReader(
  db: Handle,
  organizationId: string,
  userId: string | null,
): Promise<Language> {
  const { rows } = await sql<{ language: Language }>`
    select coalesce((select u.language from users u where u.id = ${userId}), o.language) as language
    from organizations o where o.id = ${organizationId}`.execute(db);
  return rows[0]?.language ?? 'en';
}
