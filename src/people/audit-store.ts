import type { Handle } from '../db/database.ts';

/** A change by a person. `subject` is the id of what was changed; `data` never holds a secret. */
export type AuditEntry = { action: string; subject: string; data: Record<string, unknown> };

/** Records who changed what. `userId` is null for the operator on the command line. */
export async function recordAudit(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  userId: string | null,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await db
    .insertInto('audit_log')
    .values(
      entries.map((entry) => ({
        organization_id: organizationId,
        at,
        user_id: userId,
        action: entry.action,
        subject: entry.subject,
        data: JSON.stringify(entry.data),
      })),
    )
    .execute();
}

/** The same for one change of a request. */
export async function audit(
  db: Handle,
  at: Temporal.Instant,
  { organizationId, userId }: { organizationId: string; userId: string },
  action: string,
  subject: string,
  data: Record<string, unknown>,
): Promise<void> {
  await recordAudit(db, at, organizationId, userId, [{ action, subject, data }]);
}
