import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { endPool } from '../src/db/connection.ts';
import { createDatabase, createPool, type Database, type Tx } from '../src/db/database.ts';
import { takeDueDeliveries } from '../src/notifications/due-store.ts';
import { recordAccepted } from '../src/notifications/outcome-store.ts';
import { anyFailedBefore, takeDueSteps } from '../src/pages/step-store.ts';
import { claimCalls } from '../src/webhooks/call-store.ts';
import { signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/** So many wait, and statistics know of none: as after the first storm of a new installation. */
const WAITING = 4_000;
const TAKEN = 100;
/** Each row that is taken is read some times, by its index; nothing else is read. */
const MOST_READ = 8 * TAKEN;

describe('what has piled up', () => {
  let t: Story;
  let pools: Pool[];
  let engine: Database;
  let fresh: Database;
  let request: string;

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada'),
        teams: { sre: { members: ['ada'] } },
      }),
    });
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(t.db);
    const url = new URL(process.env.TEST_DATABASE_URL ?? '');
    url.pathname = rows[0]?.name ?? '';
    const connection = { connectionString: url.href };
    pools = [1, 2].map(() => createPool({ connection, max: 1, name: 'engine', byIndex: true }));
    [engine, fresh] = pools.map(createDatabase) as [Database, Database];
    request = await t.page('person', 'ada@example.com', { title: 'First', text: 'Of many' });
    await t.notified('ada');
    // How a statement is carried out is settled by the sixth time that it is asked: here while nothing waits.
    const asked: ((tx: Tx) => Promise<unknown>)[] = [
      ...[takeSteps, takeDeliveries, takeCalls, (tx: Tx) => end(tx, ['delivery_x'])],
      ...[takeFailed, (tx: Tx) => takeNamed(tx, 0), (tx: Tx) => anyFailedBefore(tx, t.clock)],
    ];
    for (let times = 0; times < 8; times++) for (const ask of asked) await engine.transaction().execute(ask);
  });
  after(async () => {
    await Promise.all(pools.map(endPool));
    await t.end();
  });

  /**
   * Runs it, gives all of it back, and tells how many rows of these tables it has read: the most of two, one as it was
   * planned while nothing waited, one planned now.
   */
  async function reads<Result>(
    tables: string[],
    work: (tx: Tx) => Promise<Result>,
  ): Promise<{ result: Result; read: number }> {
    const early = await counted(engine, tables, work);
    const late = await counted(fresh, tables, work);
    return early.read > late.read ? early : late;
  }

  async function counted<Result>(db: Database, tables: string[], work: (tx: Tx) => Promise<Result>) {
    const tx = await db.startTransaction().execute();
    const count = async () => {
      const { rows } = await sql<{ read: number }>`
        select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as read from pg_stat_xact_user_tables
        where relname = any(${tables}::text[])`.execute(tx);
      return rows[0]?.read ?? Number.NaN;
    };
    const before = await count();
    const result = await work(tx);
    const read = (await count()) - before;
    await tx.rollback().execute();
    return { result, read };
  }

  const takeSteps = (tx: Tx) => takeDueSteps(tx, t.clock, { limit: TAKEN, failedBefore: false });
  const takeFailed = (tx: Tx) => takeDueSteps(tx, t.clock, { limit: 1, failedBefore: true });
  const takeNamed = (tx: Tx, id: number) => takeDueSteps(tx, t.clock, { limit: 1, id });
  const takeDeliveries = (tx: Tx) =>
    takeDueDeliveries(tx, t.clock, 1, { limit: TAKEN, dashboardsOnly: false });
  const takeCalls = async (tx: Tx) => {
    const which = {
      pages: false,
      tried: 'never' as const,
      limit: TAKEN,
      maxBytes: 10_000_000,
      leaseMs: 30_000,
      node: null,
    };
    return claimCalls(tx, await t.clock.now(tx), which);
  };
  const end = (tx: Tx, ids: readonly string[]) => {
    const accepted = ids.map((deliveryId) => ({ deliveryId, attempt: 1, node: 1, providerId: null }));
    return recordAccepted(tx, t.clock, accepted);
  };

  it('of steps is taken without reading the rest, whatever the database believes of the table', async () => {
    await pileUp();
    const { result, read } = await reads(['page_steps', 'pages'], takeSteps);
    assert.equal(result.length, TAKEN);
    assert.ok(read <= MOST_READ, `${read} rows were read`);
    const failed = await reads(['page_steps'], (tx) => anyFailedBefore(tx, t.clock));
    assert.deepEqual([failed.result, failed.read], [false, 0]);
    const last = await t.db
      .updateTable('page_steps')
      .set({ attempts: 1 })
      .where('page_id', '=', `page_${WAITING}`)
      .where('state', '=', 'due')
      .returning('id')
      .execute();
    assert.equal(await anyFailedBefore(t.db, t.clock), true);
    for (const take of [takeFailed, (tx: Tx) => takeNamed(tx, last[0]?.id ?? 0)]) {
      const alone = await reads(['page_steps', 'pages'], take);
      assert.equal(alone.result[0]?.id, last[0]?.id);
      assert.ok(alone.read <= MOST_READ, `${alone.read} rows were read`);
    }
  });

  it('of notifications that wait to leave is taken and ended the same way', async () => {
    await pileUpDeliveries();
    const tables = ['deliveries', 'pages', 'requests', 'delivery_attempts'];
    const taken = await reads(tables, takeDeliveries);
    assert.equal(taken.result.length, TAKEN);
    assert.ok(taken.read <= MOST_READ, `${taken.read} rows were read`);
    const ids = taken.result.map(({ id }) => id);
    await lease(ids);
    const ended = await reads(tables, (tx) => end(tx, ids));
    assert.equal(ended.result.size, TAKEN);
    assert.ok(ended.read <= 2 * MOST_READ, `${ended.read} rows were read`);
  });

  it('of calls that came in is taken the same way', async () => {
    await t.db.updateTable('team_members').set({ role: 'manager' }).execute();
    const ada = await signIn(t, 'ada');
    const made = await ada.call('POST', '/api/webhooks', { team: 'sre', type: 'custom', name: 'Anything' });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    await t.post(new URL(made.body.url).pathname, { name: 'Disk full' });
    await sql`
      insert into received_notifications (id, organization_id, webhook_id, integration, headers, body, state, due_at, received_at)
      select 'notification_' || n, organization_id, webhook_id, integration, headers, body, 'queued', due_at, received_at
      from received_notifications, generate_series(1, ${WAITING}::integer) as n`.execute(t.db);
    const { result, read } = await reads(['received_notifications'], takeCalls);
    assert.equal(result.length, TAKEN);
    assert.ok(read <= MOST_READ, `${read} rows were read`);
  });

  async function pileUp(): Promise<void> {
    await sql`
      with n as (select * from generate_series(1, ${WAITING}::integer) as n), request as (
        insert into requests (id, organization_id, kind, status, message, credential, created_at, updated_at)
        select 'request_' || n, organization_id, kind, 'queued', message, credential, created_at, updated_at from requests, n where requests.id = ${request}
        returning id
      ), page as (
        insert into pages (id, organization_id, request_id, kind, user_id, title, text, urgency, state, reply_code, created_at)
        select 'page_' || n, organization_id, 'request_' || n, kind, user_id, title, text, urgency, state, reply_code, created_at
        from pages, n where request_id = ${request}
      )
      insert into page_steps (organization_id, page_id, round, kind, due_at)
      select organization_id, 'page_' || n, round, kind, due_at from page_steps, n
      where page_id = (select id from pages where request_id = ${request})`.execute(t.db);
  }

  async function pileUpDeliveries(): Promise<void> {
    await sql`
      with responder as (
        insert into responders (organization_id, page_id, user_id, round, kind, why, started_at)
        select organization_id, id, user_id, 1, 'person', '{}', created_at from pages where id in (select 'page_' || n from generate_series(1, ${WAITING}::integer) as n)
        returning *
      )
      insert into deliveries (id, organization_id, page_id, responder_id, user_id, type, channel, address, rule, state, due_at, created_at)
      select 'delivery_' || id, organization_id, page_id, id, user_id, 'page.notification', 'webhook', 'https://example.com', 0,
        'waiting', started_at, started_at from responder`.execute(t.db);
  }

  async function lease(ids: readonly string[]): Promise<void> {
    await sql`
      with leased as (
        update deliveries set state = 'sending', attempts = 1, lease_owner = 1, lease_until = due_at + interval '1 minute'
        where id = any(${[...ids]}::text[]) returning organization_id, id
      )
      insert into delivery_attempts (delivery_id, attempt, organization_id, node, begun_at)
      select id, 1, organization_id, 1, now() from leased`.execute(t.db);
    // Others have ended; they wait for nobody, and must not be read either.
    await sql`
      insert into delivery_attempts (delivery_id, attempt, organization_id, node, begun_at, ended_at, outcome)
      select id, 2, organization_id, 1, now(), now(), 'accepted' from deliveries`.execute(t.db);
  }
});
