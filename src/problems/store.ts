import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle } from '../db/database.ts';

export type OpenProblem = {
  id: number;
  subject: string;
  code: string;
  message: string;
  fix: string;
  count: number;
  firstAt: Temporal.Instant;
  lastAt: Temporal.Instant;
};

/** Opens a problem, or counts it once more when it is open already. `organizationId` null: it concerns everybody. */
export async function noteProblem(
  db: Handle,
  clock: Clock,
  problem: {
    organizationId: string | null;
    subject: string;
    code: string;
    message: string;
    fix: string;
    count: number;
  },
): Promise<void> {
  await sql`
    insert into problems as known (organization_id, subject, code, message, fix, count, first_at, last_at)
    values (${problem.organizationId}, ${problem.subject}, ${problem.code}, ${problem.message}, ${problem.fix}, ${problem.count},
      ${clock.sql}, ${clock.sql})
    on conflict (organization_id, subject, code) where closed_at is null do update
      set count = known.count + excluded.count, last_at = excluded.last_at, message = excluded.message, fix = excluded.fix`.execute(
    db,
  );
}

/** It works again: every open problem of the subject closes by itself. */
export async function closeProblems(
  db: Handle,
  clock: Clock,
  organizationId: string | null,
  subject: string,
): Promise<void> {
  await sql`
    update problems set closed_at = ${clock.sql}
    where organization_id is not distinct from ${organizationId} and subject = ${subject} and closed_at is null`.execute(
    db,
  );
}

/** Open problems that somebody of this organization should know of, newest first. */
export async function openProblems(db: Handle, organizationId: string): Promise<OpenProblem[]> {
  const rows = await db
    .selectFrom('problems')
    .selectAll()
    .where('closed_at', 'is', null)
    .where((eb) => eb.or([eb('organization_id', '=', organizationId), eb('organization_id', 'is', null)]))
    .orderBy('last_at', 'desc')
    .limit(200)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    subject: row.subject,
    code: row.code,
    message: row.message,
    fix: row.fix,
    count: row.count,
    firstAt: row.first_at,
    lastAt: row.last_at,
  }));
}
