import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { endPool } from '../src/db/connection.ts';
import { createDatabase, createPool, type Database, type Tx } from '../src/db/database.ts';
import { rolledBack as rolledBackIn } from '../src/db/rolled-back.ts';
import { createRotation } from '../src/db/turns.ts';
import { takeDueDeliveries } from '../src/notifications/store.ts';
import { lateSteps, takeDueSteps } from '../src/pages/step-store.ts';
import { MOST_LATE } from '../src/requests/pace.ts';
import { claimCalls, claimCallsOfOthers, earlierCalls } from '../src/webhooks/call-store.ts';
import { pileUpCalls, pileUpDeliveries, pileUpSteps } from '../testing/pile-up.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

const FLOOD = 3_000;
const TAKEN = 100;

describe('while one team floods', () => {
  let t: Story;
  let pool: Pool;
  /** The connections of workers, which are set to read by index. */
  let engine: Database;
  const quiet = { urgent: 'page_quiet_high_1', ordinary: 'page_quiet_low_1' };
  const urgentOfLoud = 'page_loud_high_1';
  let pages: string[];

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada', 'grace'),
        teams: {
          loud: { members: ['ada'], schedules: [{ stages: [['ada']] }] },
          quiet: { members: ['grace'], schedules: [{ stages: [['grace']] }] },
        },
      }),
    });
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(t.db);
    const url = new URL(process.env.TEST_DATABASE_URL ?? '');
    url.pathname = rows[0]?.name ?? '';
    pool = createPool({ connection: { connectionString: url.href }, max: 4, name: 'engine', byIndex: true });
    engine = createDatabase(pool);
    const original = async (team: string, person: string, urgency: string) => {
      const request = await t.page('team', team, { urgency });
      await t.notified(person);
      return { request, name: `${team}_${urgency}_` };
    };
    // PostgreSQL settles on a plan for a prepared statement by its sixth execution, here while nothing waits.
    for (let times = 0; times < 8; times++)
      for (const take of [takeSteps, takeDeliveries, takeCalls]) await rolledBack<unknown>(take);
    const loud = await original('loud', 'ada', 'low');
    // The others are raised after the whole flood.
    t.clock.advance({ seconds: 1 });
    const later = [
      await original('loud', 'ada', 'high'),
      await original('quiet', 'grace', 'low'),
      await original('quiet', 'grace', 'high'),
    ];
    // No worker runs from here on; otherwise the copies would be sent.
    const flood = await pileUpSteps(t.db, loud.request, FLOOD, loud.name);
    for (const { request, name } of later) await pileUpSteps(t.db, request, 1, name);
    pages = [...flood, urgentOfLoud, quiet.ordinary, quiet.urgent];
  });
  after(async () => {
    await endPool(pool);
    await t.end();
  });

  const rolledBack = <Result>(work: (tx: Tx) => Promise<Result>) => rolledBackIn(engine, work);

  const takeSteps = (tx: Tx) =>
    takeDueSteps(tx, t.clock, { limit: TAKEN, failedBefore: false, rotation: createRotation() });

  const takeDeliveries = (tx: Tx) =>
    takeDueDeliveries(tx, t.clock, 1, { limit: TAKEN, dashboardsOnly: false, rotation: createRotation() });
  /** As a worker does, which also checks for earlier calls of the same senders. */
  const takeCalls = async (tx: Tx) => {
    const taken = await claimCalls(tx, await t.clock.now(tx), {
      ...{ pages: true, tried: 'never', limit: TAKEN, maxBytes: 1_000_000, leaseMs: 30_000, node: null },
      rotation: createRotation(),
    });
    assert.deepEqual(await earlierCalls(tx, taken), [], 'nobody else has claimed any');
    return taken;
  };

  /** Rolls back, and fails if the work read more rows of the table than a few times what it took. */
  async function reading<Result>(table: string, work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return rolledBack(async (tx) => {
      const count = async () => {
        const { rows } = await sql<{ read: number }>`
          select seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_xact_user_tables
          where relname = ${table}`.execute(tx);
        return Number(rows[0]?.read);
      };
      const before = await count();
      const result = await work(tx);
      const read = (await count()) - before;
      assert.ok(read <= 8 * TAKEN, `${read} rows of ${table} were read`);
      return result;
    });
  }

  it('acceptance learns which teams have steps that no worker has begun in time', async () => {
    const late = () => lateSteps(engine, t.clock);
    assert.deepEqual(
      (await late()).map(({ rank, rows }) => ({ rank, rows })),
      [{ rank: 2, rows: MOST_LATE }],
      'only the oldest are counted, which are of the flood',
    );
    await rolledBack(async (tx) => {
      const all = { limit: 2 * (FLOOD + 3), failedBefore: false, rotation: createRotation() };
      const begun = await takeDueSteps(tx, t.clock, all);
      assert.equal(begun.length, FLOOD + 3);
      assert.deepEqual(await late(), [], 'a worker has begun all of them');
    });
  });

  it('the first steps that a worker takes are from all teams, including the urgent ones', async () => {
    const taken = (await reading('page_steps', takeSteps)).map(({ page }) => page.id);
    assert.equal(taken.length, TAKEN);
    assert.equal(new Set(taken).size, TAKEN);
    for (const page of [quiet.urgent, quiet.ordinary, urgentOfLoud])
      assert.ok(taken.includes(page), `${page} is not among the first`);
    assert.ok(taken.includes('page_loud_low_1'), 'the oldest of the flood goes on');
  });

  it('workers that claim simultaneously take different steps', async () => {
    await rolledBack(async (one) => {
      const first = await takeSteps(one);
      const second = await rolledBack(takeSteps);
      const ids = new Set([...first, ...second].map(({ id }) => id));
      assert.equal(ids.size, first.length + second.length);
      // The first transaction holds three rows, which are the whole share of their teams, so the second gets three
      // fewer.
      assert.deepEqual([first.length, second.length], [TAKEN, TAKEN - 3]);
    });
  });

  it('if more teams wait than one claim looks at, the next claim continues after them', async () => {
    const taken = await rolledBack(async (tx) => {
      await sql`update page_steps set turn_of = 'team ' || (1000 + id % 300) where state = 'due' and turn_rank = 2`.execute(
        tx,
      );
      const rotation = createRotation();
      const turns: string[] = [];
      for (let claim = 0; claim < 4; claim++) {
        await takeDueSteps(tx, t.clock, { limit: TAKEN, failedBefore: false, rotation });
        turns.push(rotation.after.turnOf);
      }
      return turns;
    });
    const [first = '', second = '', third = '', fourth = ''] = taken;
    assert.ok(first > '', 'the first claim ends in the middle');
    assert.equal(second, '', 'the second comes to the end');
    assert.deepEqual([third, fourth], [first, second]);
  });

  it('workers claim by age alone until the index of the turns is built', async () => {
    const taken = await rolledBackIn(t.db, async (tx) => {
      await sql`drop index page_steps_in_turn`.execute(tx);
      return takeSteps(tx);
    });
    assert.equal(taken.length, TAKEN / 2);
    assert.equal(taken[0]?.page.id.startsWith('page_loud_low_'), true);
  });

  it('its notifications do not delay those of another team', async () => {
    await pileUpDeliveries(t.db, pages);
    const taken = await reading('deliveries', takeDeliveries);
    assert.equal(taken.length, TAKEN);
    const of = new Set(taken.map(({ pageId }) => pageId));
    assert.equal(of.size, TAKEN);
    for (const page of [quiet.urgent, quiet.ordinary, urgentOfLoud])
      assert.ok(of.has(page), `the notification of ${page} is not among the first`);
  });

  it('a claim reads no more people who were notified than it takes steps, whatever the statistics of the flood say', async () => {
    await sql`analyze page_steps, pages, responders`.execute(t.db);
    assert.equal((await reading('responders', takeSteps)).length, TAKEN);
  });

  it('the calls of a busy webhook do not delay those of another', async () => {
    const [loud, other] = [await t.source({ team: 'loud' }), await t.source({ team: 'quiet' })];
    const at = await t.clock.now(t.db);
    await pileUpCalls(t.db, loud.id, FLOOD, at.subtract({ seconds: 1 }));
    await pileUpCalls(t.db, other.id, 1, at);
    const taken = await reading('received_notifications', takeCalls);
    assert.equal(taken.length, TAKEN);
    assert.equal(taken.filter(({ webhookId }) => webhookId === other.id).length, 1);
    const ofLoud = taken
      .filter(({ webhookId }) => webhookId === loud.id)
      .map(({ receivedAt }) => receivedAt.epochMilliseconds);
    assert.deepEqual(
      ofLoud,
      ofLoud.toSorted((a, b) => a - b),
      'each webhook keeps its order',
    );
  });

  it('beside a batch of busy webhooks, a claim takes a few calls of each other one', async () => {
    const sources = await Promise.all(['loud', 'quiet', 'quiet', 'quiet'].map((team) => t.source({ team })));
    const [loud, one, ...many] = sources.map(({ id }) => id);
    const at = await t.clock.now(t.db);
    await pileUpCalls(t.db, loud ?? '', FLOOD, at.subtract({ seconds: 2 }));
    for (const id of many) await pileUpCalls(t.db, id, TAKEN, at.subtract({ seconds: 1 }));
    await pileUpCalls(t.db, one ?? '', 1, at);
    const { rows: waiting } = await sql<{ id: string }>`
      select distinct webhook_id as id from received_notifications where state = 'queued'`.execute(t.db);
    // What the tests before have left waits, too, and is part of the batch.
    const busy = new Set(waiting.map(({ id }) => id).filter((id) => id !== one && !many.includes(id)));
    const taken = await reading('received_notifications', async (tx) =>
      claimCallsOfOthers(
        tx,
        await t.clock.now(tx),
        { limit: 20, maxBytes: 1_000_000, leaseMs: 30_000, node: null, rotation: createRotation() },
        busy,
      ),
    );
    const of = Map.groupBy(taken, ({ webhookId }) => webhookId);
    assert.deepEqual(new Set(of.keys()), new Set([one, ...many]));
    assert.equal(of.get(one ?? '')?.length, 1);
    assert.ok(taken.length <= 20, `${taken.length} calls were claimed`);
  });
});
