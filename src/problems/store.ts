import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle } from '../db/database.ts';

export type Problem = {
  id: number;
  /** `channel:email`, `webhook:<id>`, `contact_method:<id>:<channel>`, … */
  subject: string;
  code: string;
  message: string;
  fix: string;
  count: number;
  /** The address of the last caller; null when it does not matter, or the problem is closed. */
  lastAddress: string | null;
  firstAt: Temporal.Instant;
  lastAt: Temporal.Instant;
  closedAt: Temporal.Instant | null;
  /** The webhook concerned; null for channels. */
  webhook: { id: string; name: string; type: string; team: { name: string; slug: string } } | null;
  /** The person whose contact method is concerned; null for everything else. */
  person: { id: string; name: string } | null;
};

/** Opens a problem, or counts it again if it is open. `organizationId` null: it concerns every organization. */
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
    lastAddress?: string | null;
  },
): Promise<void> {
  await sql`
    insert into problems as known (organization_id, subject, code, message, fix, count, last_address, first_at, last_at)
    values (${problem.organizationId}, ${problem.subject}, ${problem.code}, ${problem.message}, ${problem.fix}, ${problem.count},
      ${problem.lastAddress ?? null}, ${clock.sql}, ${clock.sql})
    on conflict (organization_id, subject, code) where closed_at is null do update
      set count = known.count + excluded.count, last_at = excluded.last_at, message = excluded.message, fix = excluded.fix,
        last_address = coalesce(excluded.last_address, known.last_address)`.execute(db);
}

/** Calls to a URL that has ended. Calls to the current URL of the webhook do not close this problem. */
const EXPIRED_URLS = ['expired', 'former_url', 'revoked'] as const;
/** Too many pages of a source wait; its calls work nevertheless. */
const WAITING = 'waiting';

/** Which of the subjects have an open problem of this code. */
export async function subjectsWithProblem(
  db: Handle,
  subjects: readonly string[],
  code: string,
): Promise<Set<string>> {
  const { rows } = await sql<{ subject: string }>`
    select subject from problems
    where subject = any(${subjects}::text[]) and code = ${code} and closed_at is null`.execute(db);
  return new Set(rows.map(({ subject }) => subject));
}

/** Addresses of callers are personal data, so they are kept only while the problem is open. */
function closed(clock: Clock): RawBuilder<unknown> {
  return sql`closed_at = ${clock.sql}, last_address = null`;
}

/** Closes the open problems of subjects that work again, except those that only end with time. */
export async function closeProblems(db: Handle, clock: Clock, subjects: readonly string[]): Promise<void> {
  await sql`
    update problems set ${closed(clock)}
    where subject = any(${subjects}::text[]) and closed_at is null
      and code <> all(${[...EXPIRED_URLS, WAITING]}::text[])`.execute(db);
}

/** Closes all open problems of subjects that were removed. */
export async function closeAllProblems(db: Handle, clock: Clock, subjects: readonly string[]): Promise<void> {
  await sql`
    update problems set ${closed(clock)}
    where subject = any(${subjects}::text[]) and closed_at is null`.execute(db);
}

/**
 * Closes problems that no later success can close: those of contact methods that were removed or whose person was disabled,
 * calls to URLs that have ended after a day without such a call, and too many waiting pages after an hour in which every
 * page could wait.
 */
export async function closeOutdatedProblems(db: Handle, clock: Clock): Promise<void> {
  await sql`
    update problems p set ${closed(clock)}
    where p.closed_at is null and (
      (p.code = any(${[...EXPIRED_URLS]}::text[]) and p.last_at < ${clock.sql} - interval '24 hours')
      or (p.code = ${WAITING} and p.last_at < ${clock.sql} - interval '1 hour')
      or (p.code = 'contact_method' and not exists (
        select from contact_methods m join users u on u.id = m.user_id
        where m.id = split_part(p.subject, ':', 2) and u.disabled_at is null)))`.execute(db);
}

/** The open problems of an organization, newest first. */
export async function openProblems(db: Handle, organizationId: string): Promise<Problem[]> {
  const open = sql`p.closed_at is null and (p.organization_id = ${organizationId} or p.organization_id is null)
    and not (p.code = 'contact_method' and (u.id is null or u.disabled_at is not null))`;
  return problems(db, open, sql`p.last_at desc, p.id desc`, 200);
}

/** The problems of an organization that closed last, latest first. */
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
    select p.id, p.subject, p.code, p.message, p.fix, p.count, p.last_address as "lastAddress", p.first_at as "firstAt", p.last_at as "lastAt",
      p.closed_at as "closedAt",
      case when w.id is null then null
        else jsonb_build_object('id', w.id, 'name', w.name, 'type', w.type,
          'team', jsonb_build_object('name', t.name, 'slug', t.slug)) end as webhook,
      case when u.id is null then null else jsonb_build_object('id', u.id, 'name', u.name) end as person
    from problems p
    left join webhooks w on p.subject = 'webhook:' || w.id and w.organization_id = p.organization_id
    left join teams t on t.id = w.team_id
    left join contact_methods m on p.code = 'contact_method' and m.id = split_part(p.subject, ':', 2)
      and m.organization_id = p.organization_id
    left join users u on u.id = m.user_id
    where ${which} order by ${order} limit ${limit}`.execute(db);
  return rows;
}
