import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import { addressForPrograms } from '../people/short-address.ts';
import { personJson } from '../people/store.ts';
import type { RefusedPage } from './compose-api-contract.ts';
import type { PageOfRequest, StatusDelivery, StatusPage } from './contract.ts';

export async function findPageSummary(db: Handle, pageId: string) {
  const row = await db
    .selectFrom('pages as p')
    .leftJoin('teams as t', 't.id', 'p.team_id')
    .leftJoin('users as a', 'a.id', 'p.acknowledged_by')
    .select([
      'p.id',
      'p.title',
      'p.text',
      'p.urgency',
      'p.state',
      'p.source_url as sourceUrl',
      't.name as team',
      'p.created_at as createdAt',
      'a.name as acknowledgedBy',
      'p.acknowledged_at as acknowledgedAt',
    ])
    .where('p.id', '=', pageId)
    .executeTakeFirst();
  return row ?? null;
}

/** The page that a request raised or changed, with all its deliveries, as the status of the request shows them, in one round trip. */
export async function findStatusPage(
  db: Handle,
  organizationId: string,
  requestId: string,
): Promise<StatusPage | null> {
  const { rows } = await sql<StatusPage>`
    select p.id, p.state, p.urgency, p.drill, p.round, ${utcText('p.acknowledged_at')} as acknowledged_at,
      ${personJson('a')} as acknowledged_by,
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', d.id, 'user', ${personJson('u')},
          'channel', d.channel, 'address', d.address, 'state', d.state, 'attempts', d.attempts, 'repeat', d.repeat,
          'stage', r.stage, 'round', r.round, 'due_at', ${utcText('d.due_at')}, 'sent_at', ${utcText('d.sent_at')},
          'accepted_at', ${utcText('d.accepted_at')}, 'provider_id', d.provider_id, 'receipt', d.receipt, 'error', d.error
        ) order by d.id)
        from deliveries d join users u on u.id = d.user_id join responders r on r.id = d.responder_id
        where d.page_id = p.id and d.type = 'page.notification'
      ), '[]') as deliveries
    from pages p left join users a on a.id = p.acknowledged_by
    where p.organization_id = ${organizationId} and p.id = coalesce(
      (select id from pages where request_id = ${requestId}),
      (select page_id from request_pages where request_id = ${requestId} order by position limit 1))`.execute(
    db,
  );
  const [page] = rows;
  if (!page) return null;
  return { ...page, deliveries: page.deliveries.map(forPrograms) };
}

function forPrograms(delivery: StatusDelivery): StatusDelivery {
  return { ...delivery, address: addressForPrograms(delivery.channel, delivery.address) };
}

/** The effects of the events of a request on pages, in the order of the events. */
export async function pagesOfRequest(
  db: Handle,
  organizationId: string,
  requestId: string,
): Promise<PageOfRequest[]> {
  const { rows } = await sql<PageOfRequest>`
    select p.id, p.state, r.action, r.reason from request_pages r left join pages p on p.id = r.page_id
    where r.request_id = ${requestId} and r.organization_id = ${organizationId}
    order by r.position`.execute(db);
  return rows;
}

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

/** A team or person that a page names; `now` is the time of the look-up. */
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
