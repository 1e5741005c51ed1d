import { sql } from 'kysely';
import { LOCK } from '../../db/advisory-locks.ts';
import type { Clock } from '../../db/clock.ts';
import type { Handle, Tx } from '../../db/database.ts';
import { newId } from '../../kit/typeid.ts';
import { insertContactMethods } from '../../people/contact-store.ts';
import { insertOrganization, insertUser } from '../../people/store.ts';

/** Whether this node sends the synthetic page until the transaction ends; false if another one does. */
export async function holdSyntheticLock(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{
    held: boolean;
  }>`select pg_try_advisory_xact_lock(${LOCK.syntheticPage}) as held`.execute(tx);
  return rows[0]?.held ?? false;
}

export type Sitter = { organizationId: string; userId: string };

/** The person of the hidden organization; null before it is set up. */
export async function findSitter(db: Handle): Promise<Sitter | null> {
  const { rows } = await sql<Sitter>`
    select u.organization_id as "organizationId", u.id as "userId"
    from users u join organizations o on o.id = u.organization_id where o.hidden`.execute(db);
  return rows[0] ?? null;
}

/** The only person of the hidden organization, with `address` as their contact method. */
export async function insertSitter(
  tx: Tx,
  clock: Clock,
  person: { email: string; address: string; signingSecret: Buffer },
): Promise<Sitter> {
  const at = await clock.now(tx);
  const organizationId = newId('organization');
  const userId = newId('organization_user');
  await insertOrganization(tx, at, { id: organizationId, name: 'Tocsin itself', timeZone: 'UTC' });
  await sql`update organizations set hidden = true where id = ${organizationId}`.execute(tx);
  await insertUser(tx, at, organizationId, {
    id: userId,
    email: person.email,
    name: 'Tocsin',
    username: 'tocsin',
    role: 'member',
    timeZone: 'UTC',
  });
  await insertContactMethods(tx, at, organizationId, [
    {
      id: newId('contact_method'),
      userId,
      type: 'webhook',
      value: person.address,
      chatUserId: null,
      signingSecret: person.signingSecret,
      verifiedAt: at,
      position: 0,
      events: [],
    },
  ]);
  return { organizationId, userId };
}

export type SyntheticState = {
  /** Age of the newest page; null when there is none, or none since the database's clock was set back. */
  newestSeconds: number | null;
  /** Age of the oldest page that was not received; 0 when all were. */
  missingSeconds: number;
  /** How long the last received page took, from acceptance to receipt. */
  lastTookSeconds: number | null;
};

/** How the synthetic pages have arrived, in seconds. */
export async function readSyntheticState(db: Handle, clock: Clock): Promise<SyntheticState> {
  const { rows } = await sql<SyntheticState>`
    with synthetic as (
      select p.created_at, (select min(d.accepted_at) from deliveries d where d.page_id = p.id) as accepted_at
      from pages p join organizations o on o.id = p.organization_id where o.hidden
    )
    select extract(epoch from ${clock.sql} - max(created_at) filter (where created_at <= ${clock.sql}))::double precision as "newestSeconds",
      coalesce(extract(epoch from ${clock.sql} - min(created_at) filter (where accepted_at is null)), 0)::double precision as "missingSeconds",
      extract(epoch from (array_agg(accepted_at - created_at order by created_at desc) filter (where accepted_at is not null))[1])::double precision as "lastTookSeconds"
    from synthetic`.execute(db);
  return rows[0] ?? { newestSeconds: null, missingSeconds: 0, lastTookSeconds: null };
}

/** Removes received pages except the newest, and those that will never arrive. */
export async function removeSynthetic(db: Handle, clock: Clock, organizationId: string): Promise<void> {
  await sql`
    delete from requests r using pages p
    where p.request_id = r.id and p.organization_id = ${organizationId}
      and p.id < (select max(id) from pages where organization_id = ${organizationId})
      and (p.created_at < ${clock.sql} - interval '10 minutes'
        or exists (select from deliveries d where d.page_id = p.id and d.accepted_at is not null))`.execute(
    db,
  );
}
