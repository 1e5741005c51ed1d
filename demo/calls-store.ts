import { type Insertable, sql } from 'kysely';
import type { Tx } from '../src/db/database.ts';
import type { Moments } from '../src/db/schema.ts';
import type { Recorded } from './record-calls.ts';

/** Rows of one statement, well below PostgreSQL's limit of parameters. */
const AT_ONCE = 400;

/** Inserts moments, the calls that are still retained, and their links. */
export async function insertRecorded(tx: Tx, made: Recorded, keptSince: Temporal.Instant): Promise<void> {
  for (const part of parts([...made.moments.values()].map(momentRow)))
    await tx.insertInto('moments').values(part).execute();
  const kept = made.received.filter(
    ({ notification }) => Temporal.Instant.compare(notification.received_at, keptSince) >= 0,
  );
  for (const part of parts(kept)) {
    await tx
      .insertInto('requests')
      .values(part.map(({ request }) => request))
      .execute();
    await tx
      .insertInto('received_notifications')
      .values(part.map(({ notification }) => notification))
      .execute();
  }
  const links = kept.flatMap(({ notification: { id, organization_id }, momentIds }) =>
    momentIds.map((moment_id, position) => ({ notification_id: id, organization_id, moment_id, position })),
  );
  for (const part of parts(links)) await tx.insertInto('notification_moments').values(part).execute();
  const pages = [...made.pages].flatMap(([moment_id, page_id]) => {
    const known = made.moments.get(moment_id);
    if (!known) return [];
    const linked_at = known.firstAt.add({ minutes: 3 });
    return [{ organization_id: known.moment.organizationId, moment_id, page_id, linked_at }];
  });
  for (const part of parts(pages)) await tx.insertInto('moment_pages').values(part).execute();
}

function momentRow({
  moment,
  firstAt,
  lastAt,
}: Recorded['moments'] extends Map<string, infer T> ? T : never) {
  const row: Insertable<Moments> = {
    id: moment.id,
    organization_id: moment.organizationId,
    team_id: moment.teamId,
    webhook_id: moment.webhookId,
    name: moment.name,
    type: moment.type,
    priority: moment.priority,
    description: moment.description,
    source: moment.source,
    source_url: moment.sourceUrl,
    occurred_at: moment.occurredAt,
    state: moment.state,
    dedup_key: moment.dedupKey,
    last_event_at: moment.lastEventAt,
    acknowledged_at: moment.acknowledgedAt,
    resolved_at: moment.resolvedAt,
    created_at: firstAt,
    updated_at: lastAt,
  };
  return row;
}

/** Sets the time of the last call of each webhook. */
export async function markWebhooksUsed(tx: Tx, organizationId: string): Promise<void> {
  await sql`
    update webhooks w set last_used_at = n.at from (
      select webhook_id, max(received_at) as at from received_notifications
      where organization_id = ${organizationId} group by webhook_id
    ) n where n.webhook_id = w.id`.execute(tx);
}

function* parts<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += AT_ONCE) yield rows.slice(from, from + AT_ONCE);
}
