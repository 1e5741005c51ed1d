import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import { personJson } from '../people/person-store.ts';
import type { RefusedPage } from './compose-api-contract.ts';

export async function findPageOfRequest(
  db: Handle,
  organizationId: string,
  requestId: string,
): Promise<string> {
  const { id } = await db
    .selectFrom('pages')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('request_id', '=', requestId)
    .executeTakeFirstOrThrow();
  return id;
}

/** Newest first; `before` is the id of one, null for the newest of all. */
export async function listRefusedPages(
  db: Handle,
  organizationId: string,
  { limit, before }: { limit: number; before: string | null },
): Promise<RefusedPage[]> {
  const { rows } = await sql<RefusedPage>`
    select r.id, replace(r.kind, 'page.', '') as kind,
      ${utcText('r.refused_at')} as at,
      ${personJson('u')} as by,
      left(r.body ->> 'title', 200) as title, left(r.body ->> 'recipient', 320) as recipient, r.details as reasons
    from refused_pages r join users u on u.id = r.user_id
    where r.organization_id = ${organizationId} and (${before}::text is null or r.id < ${before})
    order by r.id desc limit ${limit}`.execute(db);
  return rows;
}
