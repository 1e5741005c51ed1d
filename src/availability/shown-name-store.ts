import { type RawBuilder, sql } from 'kysely';

/**
 * The name of an availability record for a viewer: of a private one, everybody except its person sees “Away”, or
 * nothing if it is a preference. Everything that shows a name to people or programs uses this expression. `record`: the
 * alias of `availabilities`. `viewerId` null: for texts that everybody sees.
 */
export function shownName(record: string, viewerId: string | null): RawBuilder<string> {
  const column = (name: string) => sql.ref(`${record}.${name}`);
  return sql<string>`case when not ${isHidden(record, viewerId)} then ${column('name')}
    when ${column('type')} = 'hard_unavailable' then 'Away' else '' end`;
}

/** Whether the name of an availability record is hidden from a viewer. */
export function isHidden(record: string, viewerId: string | null): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${record}.${name}`);
  return sql<boolean>`(${column('private')} and ${column('user_id')} is distinct from ${viewerId}::text)`;
}
