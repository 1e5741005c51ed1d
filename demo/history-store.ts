import { type Insertable, sql } from 'kysely';
import type { Tx } from '../src/db/database.ts';
import type { Responders } from '../src/db/schema.ts';
import type { PageHistory } from './page-run.ts';

/** Rows of one statement, well below PostgreSQL's limit of parameters. */
const AT_ONCE = 400;

/** Inserts complete pages, oldest first, so that generated numbers are in chronological order. */
export async function insertHistories(tx: Tx, histories: readonly PageHistory[]): Promise<void> {
  for (const part of parts(histories)) {
    await tx
      .insertInto('requests')
      .values(part.map(({ request }) => request))
      .execute();
    await tx
      .insertInto('pages')
      .values(part.map(({ page }) => page))
      .execute();
  }
  for (const part of parts(histories.flatMap(({ steps }) => steps)))
    await tx.insertInto('page_steps').values(part).execute();
  for (const part of parts(histories.flatMap(({ events }) => events)))
    await tx.insertInto('page_events').values(part).execute();
  await insertResponders(tx, histories);
}

async function insertResponders(tx: Tx, histories: readonly PageHistory[]): Promise<void> {
  const all = histories.flatMap(({ responders }) => responders);
  const deliveries = [];
  for (const part of parts(all)) {
    const rows = await tx
      .insertInto('responders')
      .values(part.map(({ responder }) => responder))
      .returning(['id', 'page_id', 'user_id', 'round', 'kind', 'stage'])
      .execute();
    const ids = new Map(rows.map((row) => [keyOf(row), row.id]));
    for (const { responder, sent } of part)
      for (const { delivery } of sent)
        deliveries.push({ ...delivery, responder_id: ids.get(keyOf(responder)) ?? 0 });
  }
  for (const part of parts(deliveries)) await tx.insertInto('deliveries').values(part).execute();
  const attempts = all.flatMap(({ sent }) => sent.flatMap((one) => one.attempts));
  for (const part of parts(attempts)) await tx.insertInto('delivery_attempts').values(part).execute();
}

function keyOf({
  page_id,
  user_id,
  round,
  kind,
  stage,
}: Pick<Insertable<Responders>, 'page_id' | 'user_id' | 'round' | 'kind' | 'stage'>): string {
  return [page_id, user_id, round, kind, stage ?? ''].join(' ');
}

/** Sets when each contact method last reached its person. */
export async function proveMethods(tx: Tx, organizationId: string): Promise<void> {
  await sql`
    update contact_methods m set proved_at = d.at from (
      select contact_method_id, max(coalesce(receipt_at, accepted_at)) as at from deliveries
      where organization_id = ${organizationId} and state in ('accepted', 'delivered') group by contact_method_id
    ) d where d.contact_method_id = m.id`.execute(tx);
}

function* parts<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += AT_ONCE) yield rows.slice(from, from + AT_ONCE);
}
