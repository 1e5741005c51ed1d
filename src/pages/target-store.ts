import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle } from '../db/database.ts';

/** A team or person that a page names; `now` is the time by which it was looked up. */
export type Target = { id: string; name: string; now: Temporal.Instant };

export async function findTeamTarget(
  db: Handle,
  clock: Clock,
  organizationId: string,
  slug: string,
): Promise<Target | null> {
  const { rows } = await sql<Target>`
    select id, name, ${clock.sql} as now from teams
    where organization_id = ${organizationId} and lower(slug) = lower(${slug})`.execute(db);
  return rows[0] ?? null;
}

export async function findPersonTarget(
  db: Handle,
  clock: Clock,
  organizationId: string,
  email: string,
): Promise<Target | null> {
  const { rows } = await sql<Target>`
    select id, name, ${clock.sql} as now from users
    where organization_id = ${organizationId} and lower(email) = lower(${email}) and disabled_at is null`.execute(
    db,
  );
  return rows[0] ?? null;
}

export async function insertRefusedPage(
  db: Handle,
  clock: Clock,
  refused: {
    id: string;
    organizationId: string;
    userId: string;
    kind: 'page.team' | 'page.person';
    body: unknown;
    details: unknown;
  },
): Promise<void> {
  await db
    .insertInto('refused_pages')
    .values({
      id: refused.id,
      organization_id: refused.organizationId,
      user_id: refused.userId,
      kind: refused.kind,
      body: JSON.stringify(refused.body ?? null),
      details: JSON.stringify(refused.details),
      refused_at: clock.sql,
    })
    .execute();
}
