import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import type { Person } from '../people/contract.ts';
import type { PageState, Urgency } from './contract.ts';

/**
 * Completes the accepting statement: it records which former page each new page repeats, and adds the event to that
 * page's timeline.
 */
export function insertAgainTail(clock: Clock): RawBuilder<unknown> {
  return sql`
    new_again as (
      insert into pages_again (organization_id, page_id, former_page_id, raised_at)
      select organization_id, "row"->>'id', "row"->>'again_of', ${clock.sql} from winners
      where "row"->>'again_of' is not null
    ), new_again_events as (
      insert into page_events (organization_id, page_id, at, kind, user_id, data)
      select organization_id, "row"->>'again_of', ${clock.sql}, 'paged_again', "row"->>'raised_by',
        jsonb_build_object('page_id', "row"->>'id')
      from winners where "row"->>'again_of' is not null
    )`;
}

export type FormerPage = {
  kind: 'team' | 'person';
  title: string;
  text: string;
  sourceUrl: string | null;
  urgency: Urgency;
  drill: boolean;
  state: PageState;
  /** The current slug of the team, or email address of the person. */
  recipient: string;
  /** The last page that repeats it, if any. */
  again: { id: string; requestId: string; state: PageState; by: Person | null } | null;
};

/** The first half of an advisory lock; the second is the page. Any constant. */
const AGAIN_LOCK = 7303_0003;

/** Locks the page until the transaction ends, so that two people who page again at the same time raise one page. */
export async function holdAgain(tx: Tx, pageId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${AGAIN_LOCK}, hashtext(${pageId}))`.execute(tx);
}

/** A page of the organization with what is needed to raise it again. */
export async function findFormerPage(
  db: Handle,
  organizationId: string,
  pageId: string,
): Promise<FormerPage | null> {
  const { rows } = await sql<FormerPage>`
    select p.kind, p.title, p.text, p.source_url as "sourceUrl", p.urgency, p.drill, p.state,
      coalesce(t.slug, u.email) as recipient,
      (
        select jsonb_build_object('id', n.id, 'requestId', n.request_id, 'state', n.state, 'by',
          case when r.id is null then null else jsonb_build_object('id', r.id, 'name', r.name, 'email', r.email) end)
        from pages_again a join pages n on n.id = a.page_id left join users r on r.id = n.raised_by
        where a.former_page_id = p.id order by a.raised_at desc, a.page_id desc limit 1
      ) as again
    from pages p left join teams t on t.id = p.team_id left join users u on u.id = p.user_id
    where p.organization_id = ${organizationId} and p.id = ${pageId}`.execute(db);
  return rows[0] ?? null;
}
