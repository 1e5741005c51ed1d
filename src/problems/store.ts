import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle } from '../db/database.ts';

export type Problem = {
  id: number;
  /** `channel:email`, `webhook:<id>`. */
  subject: string;
  code: string;
  message: string;
  fix: string;
  count: number;
  firstAt: Temporal.Instant;
  lastAt: Temporal.Instant;
  closedAt: Temporal.Instant | null;
  /** The webhook that it is about; null for channels. */
  webhook: { id: string; name: string; type: string; team: { name: string; slug: string } } | null;
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

/** They work again: every open problem of these subjects closes by itself. */
export async function closeProblems(db: Handle, clock: Clock, subjects: readonly string[]): Promise<void> {
  await sql`
    update problems set closed_at = ${clock.sql}
    where subject = any(${subjects}::text[]) and closed_at is null`.execute(db);
}

/** Open problems that somebody of this organization should know of, newest first. */
export async function openProblems(db: Handle, organizationId: string): Promise<Problem[]> {
  const open = sql`p.closed_at is null and (p.organization_id = ${organizationId} or p.organization_id is null)`;
  return problems(db, open, sql`p.last_at desc, p.id desc`, 200);
}

/** The last problems of this organization that closed, the latest first. */
export async function closedProblems(db: Handle, organizationId: string): Promise<Problem[]> {
  const closed = sql`p.closed_at is not null and (p.organization_id = ${organizationId} or p.organization_id is null)`;
  return problems(db, closed, sql`p.closed_at desc, p.id desc`, 100);
}

async function problems(
  db: Handle,
  which: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  limit: number,
): Promise<Problem[]> {
  const { rows } = await sql<Problem>`
    select p.id, p.subject, p.code, p.message, p.fix, p.count, p.first_at as "firstAt", p.last_at as "lastAt",
      p.closed_at as "closedAt",
      case when w.id is null then null
        else jsonb_build_object('id', w.id, 'name', w.name, 'type', w.type,
          'team', jsonb_build_object('name', t.name, 'slug', t.slug)) end as webhook
    from problems p
    left join webhooks w on p.subject = 'webhook:' || w.id and w.organization_id = p.organization_id
    left join teams t on t.id = w.team_id
    where ${which} order by ${order} limit ${limit}`.execute(db);
  return rows;
}
