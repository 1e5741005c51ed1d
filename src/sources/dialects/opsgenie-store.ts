import { sql } from 'kysely';
import type { Handle } from '../../db/database.ts';
import { utcText } from '../../db/utc-text.ts';
import type { PageState, Urgency } from '../../pages/contract.ts';

/** A page of a source as Opsgenie's clients read it. */
export type AlertRow = {
  id: string;
  alias: string | null;
  title: string;
  text: string;
  state: PageState;
  urgency: Urgency;
  createdAt: string;
  acknowledgedAt: string | null;
  resolvedAt: string | null;
  /** When the acknowledgement times out or the snooze ends. */
  remindAt: string | null;
  acknowledgedBy: string | null;
  resolvedBy: string | null;
  /** The number of events that reported it. */
  count: number;
};

const COLUMNS = sql`
  p.id, p.dedup_key as alias, p.title, p.text, p.state, p.urgency, ${utcText('p.created_at')} as "createdAt",
  ${utcText('p.acknowledged_at')} as "acknowledgedAt", ${utcText('p.resolved_at')} as "resolvedAt",
  ${utcText('p.remind_at')} as "remindAt",
  coalesce(a.email, p.acknowledged_as) as "acknowledgedBy", coalesce(r.email, p.resolved_as) as "resolvedBy",
  1 + (select coalesce(sum((e.data->>'count')::integer), 0)::integer from page_events e
    where e.page_id = p.id and e.kind = 'repeated' and e.data->>'action' = 'trigger') as count
  from pages p left join users a on a.id = p.acknowledged_by left join users r on r.id = p.resolved_by`;

type Source = { id: string; organizationId: string };

/** The page with this id, or the newest page of this dedup key. */
export async function findAlert(
  db: Handle,
  source: Source,
  which: { id: string } | { dedupKey: string },
): Promise<AlertRow | null> {
  const one =
    'id' in which
      ? sql`p.id = ${which.id} and p.source_id = ${source.id}`
      : sql`p.dedup_scope = ${source.id} and p.dedup_key = ${which.dedupKey}`;
  const { rows } = await sql<AlertRow>`
    select ${COLUMNS} where p.organization_id = ${source.organizationId} and ${one}
    order by p.id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

export type AlertFilter = { open: boolean | null; dedupKey: string | null };

function matching(source: Source, { open, dedupKey }: AlertFilter) {
  return sql`p.organization_id = ${source.organizationId} and p.source_id = ${source.id}
    and (${open}::boolean is null or (p.state in ('notifying', 'acknowledged')) = ${open}::boolean)
    and (${dedupKey}::text is null or p.dedup_key = ${dedupKey}::text)`;
}

/** The pages of a source, newest first. */
export async function listAlerts(
  db: Handle,
  source: Source,
  filter: AlertFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<AlertRow[]> {
  const { rows } = await sql<AlertRow>`
    select ${COLUMNS} where ${matching(source, filter)} order by p.id desc limit ${limit} offset ${offset}`.execute(
    db,
  );
  return rows;
}

/** Counts the pages of a source, up to `most`. */
export async function countAlerts(
  db: Handle,
  source: Source,
  filter: AlertFilter,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select from pages p where ${matching(source, filter)} limit ${most}) counted`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

export type NoteRow = { text: string; at: string; owner: string | null };

/** The newest comments of a page. */
export async function notesOfAlert(db: Handle, pageId: string, limit: number): Promise<NoteRow[]> {
  const { rows } = await sql<NoteRow>`
    select e.data->>'text' as text, ${utcText('e.at')} as at, coalesce(u.email, e.data->'source'->>'as') as owner
    from page_events e left join users u on u.id = e.user_id
    where e.page_id = ${pageId} and e.kind = 'comment' order by e.id desc limit ${limit}`.execute(db);
  return rows;
}

/** The result of a call. Null until it is processed, and for calls of other sources. */
export type CallOutcome = {
  finishedAt: string | null;
  succeeded: boolean;
  /** Its effect on a page; null if there was none. */
  did: 'raised' | 'updated' | 'acknowledged' | 'resolved' | 'waiting' | 'ignored' | null;
  reason: string | null;
  message: string;
  pageId: string | null;
  alias: string | null;
  /** The stored call; empty if it was not kept. */
  body: Buffer | null;
};

/** The result of a call of this source; null for unknown requests. */
export async function findOutcome(
  db: Handle,
  source: Source,
  requestId: string,
): Promise<CallOutcome | null> {
  const { rows } = await sql<CallOutcome>`
    select ${utcText('r.finished_at')} as "finishedAt", r.status = 'succeeded' as succeeded, r.message,
      d.action as did, d.reason, d.page_id as "pageId", p.dedup_key as alias, n.body
    from requests r
    left join request_pages d on d.request_id = r.id and d.position = 0
    left join pages p on p.id = d.page_id
    left join received_notifications n on n.request_id = r.id
    where r.id = ${requestId} and r.organization_id = ${source.organizationId} and r.credential = ${source.id}
    limit 1`.execute(db);
  return rows[0] ?? null;
}

/** The team that a source pages. */
export async function findTeamOfSource(
  db: Handle,
  source: Source,
): Promise<{ id: string; name: string; slug: string } | null> {
  const { rows } = await sql<{ id: string; name: string; slug: string }>`
    select t.id, t.name, t.slug from webhooks w join teams t on t.id = w.team_id
    where w.id = ${source.id} and w.organization_id = ${source.organizationId}`.execute(db);
  return rows[0] ?? null;
}
