import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import type { MomentState, MomentType } from '../moments/contract.ts';
import type { TeamRelation } from '../people/team-policy.ts';
import { relationJson } from '../people/team-store.ts';
import type { CallCounts, CallPage, CallState } from './call-contract.ts';

export type ListedCall = {
  id: string;
  webhook: { id: string; name: string; type: string; team: string; team_name: string };
  integration: string;
  state: CallState;
  reason: string | null;
  attempts: number;
  receivedAt: Temporal.Instant;
  processedAt: Temporal.Instant | null;
  requestId: string | null;
  authentic: boolean;
  /** The length of the body as received. */
  bytes: number;
  /** Whether the whole body is stored. */
  whole: boolean;
  moments: number;
  /** The effects of its events on pages, the first of them. */
  pages: CallPage[];
  pageCount: number;
  relation: TeamRelation;
};

type Viewer = { organizationId: string; userId: string };

/** How many outcomes of events a list shows for each call, and how many one call shows. */
const LISTED_PAGES = 3;
const MOST_PAGES = 100;

function listedAs(viewer: Viewer, mostPages: number, more: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select n.id, jsonb_build_object('id', w.id, 'name', w.name, 'type', w.type, 'team', t.slug, 'team_name', t.name) as webhook,
      n.integration, n.state, n.reason, n.attempts, n.received_at as "receivedAt", n.processed_at as "processedAt",
      n.request_id as "requestId", n.authentic, coalesce(n.body_bytes, octet_length(n.body)) as bytes, n.body_bytes is null as whole,
      (select count(*)::integer from notification_moments l where l.notification_id = n.id) as moments,
      coalesce((
        select jsonb_agg(jsonb_build_object('action', o.action, 'reason', o.reason, 'page',
          case when p.id is not null then jsonb_build_object('id', p.id, 'title', p.title, 'state', p.state) end) order by o.position)
        from (select * from request_pages where request_id = n.request_id order by position limit ${mostPages}) o
        left join pages p on p.id = o.page_id), '[]') as pages,
      (select count(*)::integer from request_pages o where o.request_id = n.request_id) as "pageCount",
      ${relationJson('m')} as relation
      ${more}
    from received_notifications n
    join webhooks w on w.id = n.webhook_id
    join teams t on t.id = w.team_id
    left join team_members m on m.team_id = w.team_id and m.user_id = ${viewer.userId}
    where n.organization_id = ${viewer.organizationId}`;
}

export type Which = {
  webhookId: string | null;
  state: CallState | null;
  limit: number;
  /** List only calls before this id; null starts with the newest. */
  before: string | null;
};

/** Lists calls, newest first, including those of revoked webhooks. */
export async function listCalls(
  db: Handle,
  viewer: Viewer,
  { webhookId, state, limit, before }: Which,
): Promise<ListedCall[]> {
  const { rows } = await sql<ListedCall>`
    ${listedAs(viewer, LISTED_PAGES, sql``)}
      ${webhookId === null ? sql`` : sql`and n.webhook_id = ${webhookId}`}
      ${state === null ? sql`` : sql`and n.state = ${sql.lit(state)}`}
      ${before === null ? sql`` : sql`and n.id < ${before}`}
    order by n.id desc limit ${limit}`.execute(db);
  return rows;
}

export type WholeCall = ListedCall & { headers: Record<string, string>; body: Buffer };

/** A call of the organization with its headers and body; null if there is none. */
export async function findCall(db: Handle, viewer: Viewer, id: string): Promise<WholeCall | null> {
  const { rows } = await sql<WholeCall>`
    ${listedAs(viewer, MOST_PAGES, sql`, n.headers, n.body`)} and n.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

export type MomentOfCall = { id: string; name: string; type: MomentType; state: MomentState };

/** The moments that a call is about, in the order of its events. */
export async function momentsOfCall(
  db: Handle,
  organizationId: string,
  callId: string,
): Promise<MomentOfCall[]> {
  return db
    .selectFrom('notification_moments as link')
    .innerJoin('moments as m', 'm.id', 'link.moment_id')
    .select(['m.id', 'm.name', 'm.type', 'm.state'])
    .where('link.organization_id', '=', organizationId)
    .where('link.notification_id', '=', callId)
    .orderBy('link.position')
    .execute();
}

/** Counting stops here, because larger numbers would cost time and help nobody. */
const MOST_COUNTED = 10_000;

/** Counts the calls of an organization, or of one webhook, that have not led to a moment. */
export async function countUnrecorded(
  db: Handle,
  organizationId: string,
  webhookId: string | null,
): Promise<CallCounts> {
  const ofWebhook = webhookId === null ? sql`` : sql`and webhook_id = ${webhookId}`;
  const counted = (state: keyof CallCounts) => sql`(
    select count(*)::integer from (
      select from received_notifications
      where organization_id = ${organizationId} and state = ${sql.lit(state)} ${ofWebhook}
      limit ${MOST_COUNTED}) counted)`;
  const { rows } = await sql<CallCounts>`
    select ${counted('queued')} as queued, ${counted('error')} as error, ${counted('ignored')} as ignored`.execute(
    db,
  );
  return rows[0] ?? { queued: 0, error: 0, ignored: 0 };
}
