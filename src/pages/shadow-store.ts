import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import { learnsFrom, shadowsIn } from '../people/shadow-store.ts';

/** A shadow without a notice of an open page of which the person on call has been notified. */
export type ShadowedPage = {
  organizationId: string;
  pageId: string;
  title: string;
  userId: string;
  mentor: string;
  schedule: string;
};

/** At most `limit`, oldest page first. People whom the page itself notifies are left out. */
export async function shadowedPages(db: Handle, limit: number): Promise<ShadowedPage[]> {
  const { rows } = await sql<ShadowedPage>`
    select p.organization_id as "organizationId", p.id as "pageId", p.title, w.user_id as "userId",
      min(mentor.name) as mentor, min(s.name) as schedule
    from schedules s cross join ${shadowsIn('s')} w
    join pages p on p.organization_id = s.organization_id and p.team_id = s.team_id
      and p.state in ('notifying', 'acknowledged')
    join responders r on r.page_id = p.id and r.kind = 'stage'
    join shifts h on h.schedule_id = s.id and h.user_id = r.user_id
      and tstzrange(h.starts_at, h.ends_at) @> r.started_at
    join users mentor on mentor.id = r.user_id
    where s.enabled and s.planning ? 'shadows' and ${learnsFrom('w', 'h')}
      and w.starts_at <= r.started_at and w.ends_at > r.started_at
      and not exists (select from responders own where own.page_id = p.id and own.user_id = w.user_id)
      and not exists (select from notices n where n.user_id = w.user_id and n.dedup_key = 'shadow ' || p.id)
    group by p.organization_id, p.id, p.title, w.user_id
    order by p.id, w.user_id limit ${limit}`.execute(db);
  return rows;
}
