import { sql } from 'kysely';
import type { Handle, Tx } from '../src/db/database.ts';
import { recordAudit } from '../src/people/store.ts';
import type { ExampleStage } from './rota.ts';

/** Actions in the audit log: the example was begun, and was completed. */
const BEGUN = 'example.begin';
const MADE = 'example.create';

export async function markBegun(tx: Handle, at: Temporal.Instant, organizationId: string): Promise<void> {
  await recordAudit(tx, at, organizationId, null, [{ action: BEGUN, subject: organizationId, data: {} }]);
}

export async function markMade(tx: Handle, at: Temporal.Instant, organizationId: string): Promise<void> {
  await recordAudit(tx, at, organizationId, null, [{ action: MADE, subject: organizationId, data: {} }]);
}

/** The owner of the example, if it exists and is complete. */
export async function findExample(
  db: Handle,
  email: string,
): Promise<{ organizationId: string; userId: string; name: string } | null> {
  const { rows } = await sql<{ organizationId: string; userId: string; name: string }>`
    select u.organization_id as "organizationId", u.id as "userId", u.name from users u
    where u.email = ${email} and u.disabled_at is null
      and exists (select from audit_log a where a.organization_id = u.organization_id and a.action = ${MADE})`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** Removes an example that was begun but not completed. */
export async function removeUnfinished(db: Handle): Promise<void> {
  await sql`
    delete from organizations o
    where exists (select from audit_log a where a.organization_id = o.id and a.action = ${BEGUN})
      and not exists (select from audit_log a where a.organization_id = o.id and a.action = ${MADE})`.execute(
    db,
  );
}

/** A shift of a person in the example. */
export type ExampleShift = {
  id: string;
  scheduleId: string;
  schedule: string;
  teamId: string;
  stage: number;
  userId: string;
  handle: string;
  from: Temporal.Instant;
  to: Temporal.Instant;
};

/** All shifts with a person, in order of their start. */
export async function listShifts(db: Handle, organizationId: string): Promise<ExampleShift[]> {
  const { rows } = await sql<ExampleShift>`
    select s.id, s.schedule_id as "scheduleId", c.name as schedule, c.team_id as "teamId", s.stage,
      s.user_id as "userId", u.username as handle, s.starts_at as "from", s.ends_at as "to"
    from shifts s join schedules c on c.id = s.schedule_id join users u on u.id = s.user_id
    where s.organization_id = ${organizationId} order by s.starts_at, s.stage, s.id`.execute(db);
  return rows;
}

/** Removes messages about the making of the example; those about the future remain. */
export async function dropMessages(tx: Tx, organizationId: string, since: Temporal.Instant): Promise<void> {
  await sql`delete from messages where organization_id = ${organizationId}`.execute(tx);
  await sql`delete from notices where organization_id = ${organizationId} and created_at < ${since}`.execute(
    tx,
  );
}

/** Stages of enabled schedules, with their backstops. */
export async function listStages(db: Handle, organizationId: string): Promise<ExampleStage[]> {
  const { rows } = await sql<ExampleStage>`
    select c.team_id as "teamId", s.stage, s.escalate_after_seconds * 1000 as "escalateAfterMs", c.name as schedule,
      c.backstop_user_id as "backstopUserId"
    from schedule_stages s join schedules c on c.id = s.schedule_id
    where s.organization_id = ${organizationId} and c.enabled order by c.name, s.stage`.execute(db);
  return rows;
}

/** Sets everybody's sleeping hours to 23:00–07:00, which the history of the example assumes. */
export async function setSleep(tx: Tx, organizationId: string): Promise<void> {
  await sql`
    update users set sleep_from = ${23 * 60}, sleep_until = ${7 * 60} where organization_id = ${organizationId}`.execute(
    tx,
  );
}
