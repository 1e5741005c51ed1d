import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import type { AuditLine, AuditQuery } from './organization-api-contract.ts';
import { personJson } from './person-store.ts';

export type OrganizationRow = { id: string; name: string; timeZone: string; createdAt: Temporal.Instant };

/** `lock`: holds the row until the transaction ends. */
export async function findOrganization(db: Handle, id: string, lock: boolean): Promise<OrganizationRow> {
  const query = db
    .selectFrom('organizations')
    .select(['id', 'name', 'time_zone as timeZone', 'created_at as createdAt'])
    .where('id', '=', id);
  return (lock ? query.forUpdate() : query).executeTakeFirstOrThrow();
}

/** Newest first. */
export async function listAudit(db: Handle, organizationId: string, which: AuditQuery): Promise<AuditLine[]> {
  const { limit, before, action, user } = which;
  const { rows } = await sql<AuditLine>`
    select l.id, ${utcText('l.at')} as at, l.action, l.subject, l.data,
      ${personJson('u')} as by
    from audit_log l left join users u on u.id = l.user_id
    where l.organization_id = ${organizationId}
      and (${before ?? null}::bigint is null or l.id < ${before ?? null}::bigint)
      and (${action ?? null}::text is null or starts_with(l.action, ${action ?? null}))
      and (${user ?? null}::text is null or l.user_id = ${user ?? null})
    order by l.id desc limit ${limit}`.execute(db);
  return rows;
}
