import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { endPool } from '../src/db/connection.ts';
import { createDatabase, createPool, type Database, type Tx } from '../src/db/database.ts';
import { createRotation } from '../src/db/turns.ts';
import { recordAccepted } from '../src/notifications/outcome-store.ts';
import { takeDueDeliveries } from '../src/notifications/store.ts';
import { openPages } from '../src/pages/keyed-store.ts';
import { takeDueStep, takeDueSteps } from '../src/pages/step-store.ts';
import { claimCalls } from '../src/webhooks/call-store.ts';
import { pileUpCalls, pileUpDeliveries, pileUpSteps } from '../testing/pile-up.ts';
import { signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/** This many rows wait, while the statistics say none: the state after the first storm of a new installation. */
const WAITING = 4_000;
const TAKEN = 100;
/** Each row that is taken is read a few times by its index; nothing else is read. */
const MOST_READ = 8 * TAKEN;

describe('a backlog', () => {
  let t: Story;
  let pools: Pool[];
  let engine: Database;
  let fresh: Database;
  let request: string;
  let organizationId: string;

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
    const first = t.db.selectFrom('pages').select('organization_id').where('request_id', '=', request);
    organizationId = (await first.executeTakeFirstOrThrow()).organization_id;
    // PostgreSQL settles on a plan for a prepared statement by its sixth execution, here while nothing waits.
    const asked: ((tx: Tx) => Promise<unknown>)[] = [
      ...[takeSteps, takeDeliveries, takeCalls, (tx: Tx) => end(tx, ['delivery_x'])],
      ...[takeFailed, (tx: Tx) => takeNamed(tx, 0), (tx: Tx) => openPages(tx, keysOf(TAKEN))],
    ];
    for (let times = 0; times < 8; times++) for (const ask of asked) await engine.transaction().execute(ask);
  });
  after(async () => {
    await Promise.all(pools.map(endPool));
    await t.end();
  });

  /**
   * Runs it, rolls it back, and returns the number of rows read from these tables: the larger one of a run with the
   * plan made while nothing waited and one with a plan made now.
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

  const takeSteps = (tx: Tx) =>
    takeDueSteps(tx, t.clock, { limit: TAKEN, failedBefore: false, rotation: createRotation() });
  const takeFailed = (tx: Tx) =>
    takeDueSteps(tx, t.clock, { limit: 1, failedBefore: true, rotation: createRotation() });
  /** The keys of the first pages, and as many keys without an open page. */
  const keysOf = (count: number) =>
    Array.from({ length: 2 * count }, (_, index) => ({
      organizationId,
      scope: 'test',
      dedupKey: index < count ? `page_${index + 1}` : `unknown ${index}`,
    }));
  const takeNamed = async (tx: Tx, id: number) => [await takeDueStep(tx, t.clock, id)];
  const takeDeliveries = (tx: Tx) =>
    takeDueDeliveries(tx, t.clock, 1, { limit: TAKEN, dashboardsOnly: false, rotation: createRotation() });
  const takeCalls = async (tx: Tx) => {
    const which = {
      pages: false,
      tried: 'never' as const,
      limit: TAKEN,
      maxBytes: 10_000_000,
      leaseMs: 30_000,
      node: null,
      rotation: createRotation(),
    };
    return claimCalls(tx, await t.clock.now(tx), which);
  };
  const end = (tx: Tx, ids: readonly string[]) => {
    const accepted = ids.map((deliveryId) => ({ deliveryId, attempt: 1, node: 1, providerId: null }));
    return recordAccepted(tx, t.clock, accepted);
  };

  it("of steps is processed without reading the rest, whatever the table's statistics", async () => {
    const pages = await pileUpSteps(t.db, request, WAITING);
    assert.equal(pages.length, WAITING);
    const { result, read } = await reads(['page_steps', 'pages'], takeSteps);
    assert.equal(result.length, TAKEN);
    assert.ok(read <= MOST_READ, `${read} rows were read`);
    const failed = await reads(['page_steps'], takeFailed);
    assert.deepEqual([failed.result, failed.read], [[], 0]);
    const last = await t.db
      .updateTable('page_steps')
      .set({ attempts: 1 })
      .where('page_id', '=', `page_${WAITING}`)
      .where('state', '=', 'due')
      .returning('id')
      .execute();
    for (const take of [takeFailed, (tx: Tx) => takeNamed(tx, last[0]?.id ?? 0)]) {
      const alone = await reads(['page_steps', 'pages'], take);
      assert.equal(alone.result[0]?.id, last[0]?.id);
      assert.ok(alone.read <= MOST_READ, `${alone.read} rows were read`);
    }
  });

  it('of waiting notifications is processed and ended in the same way', async () => {
    await pileUpDeliveries(
      t.db,
      Array.from({ length: WAITING }, (_, index) => `page_${index + 1}`),
    );
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

  it('of received calls is processed in the same way', async () => {
    await t.db.updateTable('team_members').set({ role: 'manager' }).execute();
    const ada = await signIn(t, 'ada');
    const made = await ada.call('POST', '/api/webhooks', { team: 'sre', type: 'custom', name: 'Anything' });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    await pileUpCalls(t.db, made.body.id, WAITING, await t.clock.now(t.db));
    const { result, read } = await reads(['received_notifications'], takeCalls);
    assert.equal(result.length, TAKEN);
    assert.ok(read <= MOST_READ, `${read} rows were read`);
  });

  it('of open pages with dedup keys is looked up by its keys', async () => {
    await sql`
      update pages set dedup_scope = 'test', dedup_key = id, state = 'notifying' where id like 'page\\_%' and length(id) < 12`.execute(
      t.db,
    );
    const { result, read } = await reads(['pages'], (tx) => openPages(tx, keysOf(TAKEN)));
    assert.equal(result.size, TAKEN);
    assert.ok(read <= MOST_READ, `${read} rows were read`);
  });

  async function lease(ids: readonly string[]): Promise<void> {
    await sql`
      with leased as (
        update deliveries set state = 'sending', attempts = 1, lease_owner = 1, lease_until = due_at + interval '1 minute'
        where id = any(${[...ids]}::text[]) returning organization_id, id
      )
      insert into delivery_attempts (delivery_id, attempt, organization_id, node, begun_at)
      select id, 1, organization_id, 1, now() from leased`.execute(t.db);
    // These attempts have ended, wait for nobody, and must not be read either.
    await sql`
      insert into delivery_attempts (delivery_id, attempt, organization_id, node, begun_at, ended_at, outcome)
      select id, 2, organization_id, 1, now(), now(), 'accepted' from deliveries`.execute(t.db);
  }
});
