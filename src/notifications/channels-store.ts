import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import { firstIdAt } from '../kit/typeid.ts';
import type { ChannelName } from './channels/channel.ts';

export type ChannelDay = {
  channel: ChannelName;
  accepted: number;
  failed: number;
  waiting: number;
  last_accepted_at: string | null;
};

/** The outcomes of an organization's notifications since `since`, by channel. */
export async function channelDays(
  db: Handle,
  organizationId: string,
  since: Temporal.Instant,
): Promise<ChannelDay[]> {
  const { rows } = await sql<ChannelDay>`
    select d.channel, count(*) filter (where d.accepted_at is not null)::integer as accepted,
      count(*) filter (where d.state = 'failed')::integer as failed,
      count(*) filter (where d.state in ('waiting', 'sending', 'retrying'))::integer as waiting,
      ${utcText('max(d.accepted_at)')} as last_accepted_at
    from pages p join deliveries d on d.page_id = p.id
    where p.organization_id = ${organizationId} and p.id >= ${firstIdAt('page', since)} group by d.channel`.execute(
    db,
  );
  return rows;
}

/** The first verified contact method of each type. */
export async function verifiedMethods(db: Handle, userId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('contact_methods')
    .select(['id', 'type'])
    .where('user_id', '=', userId)
    .where('verified_at', 'is not', null)
    .orderBy('position', 'desc')
    .execute();
  return new Map<string, string>(rows.map(({ id, type }) => [type, id]));
}
