import { sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import type { EventTopic, ProgramEvent } from './contract.ts';

/** How long an event is worth sending. */
const WORTH_SENDING = { hours: 24 };

/** The most events that wait for one webhook. Further ones are dropped: its program must look at the lists. */
export const MOST_WAITING_EVENTS = 1_000;

/**
 * The channel of their rows. Nodes of older releases leave rows of channels alone that they do not know; they would send
 * events as notices.
 */
const EVENTS = 'event';

type Subscriber = { methodId: string; address: string; teamId: string; slug: string; waiting: number };

/** The ids of the organizations in which a webhook gets events of this topic. */
export async function organizationsWithEvents(db: Handle, topic: EventTopic): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct organization_id as id from contact_methods
    where events <> '{}' and events @> array[${topic}] and verified_at is not null`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Queues events in the caller's transaction, for each webhook that gets this topic and whose person is a member of the
 * team. Disabled people get none.
 */
export async function queueEvents(
  tx: Tx,
  at: Temporal.Instant,
  topic: EventTopic,
  events: readonly ProgramEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const subscribers = await subscribersOf(tx, topic, events);
  const waiting = new Map(subscribers.map(({ methodId, waiting: count }) => [methodId, count]));
  const ofTeam = Map.groupBy(subscribers, ({ teamId }) => teamId);
  const rows = events.flatMap(({ organizationId, teamId, type, data, path }) =>
    (ofTeam.get(teamId) ?? []).flatMap(({ methodId, address, slug }) => {
      const count = waiting.get(methodId) ?? 0;
      if (count >= MOST_WAITING_EVENTS) return [];
      waiting.set(methodId, count + 1);
      const body = { type, path, data: { team: slug, ...data } };
      return [
        { id: newId('message'), organization_id: organizationId, method_id: methodId, address, type, body },
      ];
    }),
  );
  if (rows.length === 0) return;
  await sql`
    insert into messages (id, organization_id, contact_method_id, channel, address, subject, text, body, state, due_at,
      expires_at, created_at)
    select r.id, r.organization_id, r.method_id, ${EVENTS}, r.address, r.type, '', r.body, 'waiting', ${at}::timestamptz,
      ${at.add(WORTH_SENDING)}::timestamptz, ${at}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id text, organization_id text, method_id text,
      address text, type text, body jsonb)`.execute(tx);
}

async function subscribersOf(
  tx: Tx,
  topic: EventTopic,
  events: readonly ProgramEvent[],
): Promise<Subscriber[]> {
  const { rows } = await sql<Subscriber>`
    select c.id as "methodId", c.value as address, t.id as "teamId", t.slug, (
        select count(*)::int from messages w
        where w.contact_method_id = c.id and w.state = 'waiting' and w.body is not null) as waiting
    from contact_methods c
    join users u on u.id = c.user_id and u.disabled_at is null
    join team_members m on m.user_id = c.user_id and m.organization_id = c.organization_id
    join teams t on t.id = m.team_id
    where c.organization_id = any(${[...new Set(events.map(({ organizationId }) => organizationId))]}::text[])
      and c.events <> '{}' and c.events @> array[${topic}] and c.type = 'webhook' and c.verified_at is not null
      and t.id = any(${[...new Set(events.map(({ teamId }) => teamId))]}::text[])
    order by c.id`.execute(tx);
  return rows;
}
