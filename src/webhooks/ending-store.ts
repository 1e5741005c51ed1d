import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';

/** A URL that will end: that of a webhook, or a former one that is still used. */
export type EndingUrl = {
  webhookId: string;
  organizationId: string;
  teamId: string;
  teamName: string;
  name: string;
  /** A page source: its calls page people. */
  pages: boolean;
  former: boolean;
  /** When the URL was made, or the webhook got a new one. */
  since: Temporal.Instant;
  endsAt: Temporal.Instant;
};

/** More than an organization changes within a week; the rest follows when these have ended. */
const MOST = 5_000;

/** URLs that end after `at` and not after `until`, the next to end first. */
export async function endingUrls(
  db: Handle,
  at: Temporal.Instant,
  until: Temporal.Instant,
): Promise<EndingUrl[]> {
  const { rows } = await sql<EndingUrl>`
    select w.id as "webhookId", w.organization_id as "organizationId", w.team_id as "teamId", t.name as "teamName",
      w.name,
      w.pages, url.former, url.since, url.ends_at as "endsAt"
    from (
      select id as webhook_id, false as former, created_at as since, expires_at as ends_at from webhooks
      where expires_at > ${at} and expires_at <= ${until}
      union all
      select webhook_id, true, created_at, ends_at from webhook_former_tokens
      where ends_at > ${at} and ends_at <= ${until} and last_used_at is not null
    ) url
    join webhooks w on w.id = url.webhook_id and w.revoked_at is null
    join teams t on t.id = w.team_id
    where not url.former or w.expires_at is null or w.expires_at > url.ends_at
    order by url.ends_at, w.id limit ${MOST}`.execute(db);
  return rows;
}

/** Time zones of people. */
export async function zonesOf(db: Handle, userIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'time_zone'])
    .where('id', 'in', [...new Set(userIds), ''])
    .execute();
  return new Map(rows.map(({ id, time_zone: zone }) => [id, zone]));
}
