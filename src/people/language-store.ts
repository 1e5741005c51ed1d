import { type RawBuilder, sql } from 'kysely';
import type { Language } from '../language/contract.ts';

/** The language in which the service writes to a person: the one that they chose, or that of their organization. `u`: their row. */
export function languageOf(u: string): RawBuilder<Language> {
  const of = (column: string) => sql.ref(`${u}.${column}`);
  return sql<Language>`coalesce(${of('language')}, (select o.language from organizations o where o.id = ${of('organization_id')}))`;
}
