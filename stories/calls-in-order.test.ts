/** Several workers process the calls of one source or webhook in any order. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { createRotation } from '../src/db/turns.ts';
import { createLog } from '../src/kit/log.ts';
import { createNotifier } from '../src/notifications/notifier.ts';
import { createPaging } from '../src/sources/paging.ts';
import { windowsFor } from '../src/sources/windows.ts';
import { createWebhook } from '../src/webhooks/actions.ts';
import { momentPath } from '../src/webhooks/contract.ts';
import { createWebhookHealth } from '../src/webhooks/health.ts';
import { type Batch, type CallWorker, claimBatch, processBatch } from '../src/webhooks/process.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

type Call = { key: string; action: 'trigger' | 'acknowledge' | 'resolve'; urgency: 'low' | 'high' };

const KEYS = ['disk', 'network'];
const call = fc.record<Call>({
  key: fc.constantFrom(...KEYS),
  action: fc.constantFrom('trigger', 'trigger', 'acknowledge', 'resolve'),
  urgency: fc.constantFrom('low', 'high'),
});

/** Calls, and how workers process them. */
const course = fc.record({
  /** These are processed one at a time before the others arrive. */
  earlier: fc.array(call, { maxLength: 3 }),
  /** A person acknowledges the pages raised by the earlier calls. */
  isAnswered: fc.boolean(),
  calls: fc.array(call, { minLength: 2, maxLength: 8 }),
  /** How many calls each claim takes, when they are processed, and whether the worker fails or dies before that. */
  claims: fc.array(
    fc.record({
      limit: fc.integer({ min: 1, max: 4 }),
      rank: fc.nat(),
      fate: fc.constantFrom('works', 'works', 'works', 'dies', 'fails'),
    }),
    { minLength: 8, maxLength: 8 },
  ),
  atOnce: fc.boolean(),
});
type Course = typeof course extends fc.Arbitrary<infer One> ? One : never;

function fail(): never {
  throw new Error('This worker cannot record anything.');
}

describe('calls that several workers have claimed', () => {
  let t: Story;
  let worker: CallWorker;
  before(async () => {
    // This process claims calls and never processes them.
    t = await story({
      role: 'api',
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada'),
        teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']] }] } },
      }),
    });
    await t.clock.stop(t.db);
    const { db, clock } = t;
    const notifier = createNotifier({
      ...{ clock, node: () => 0 },
      ...{ dispatch() {}, wakeAllClears() {}, fullFor: () => false, room: async () => true },
    });
    const means = { unavailable: new Map(), allowPrivate: true };
    const services = { db, clock, notifier, means, windowsFor, wake() {}, tooManyWaiting() {} };
    const fetchText = async () => ({ error: 'no call of this test needs the internet' });
    worker = {
      ...{ db, clock, log: createLog('silent'), health: createWebhookHealth(db, clock), keeps: () => true },
      ...{ paging: createPaging(services), node: () => 0, rotation: createRotation(), busy: null },
      ...{ fetchText, fetchCertificate: fetchText },
    };
  });
  after(() => t.end());

  /** A receiver of calls, by `kind`, and everything that resulted from them. Times count from now. */
  async function receiver(kind: 'source' | 'webhook') {
    const begun = await t.clock.now(t.db);
    const { id, path } = kind === 'source' ? await t.source({ team: 'sre' }) : await webhook();
    const since = (at: Temporal.Instant | null) => at?.since(begun).total('milliseconds');
    let sent = 0;
    return {
      async send({ key, action, urgency }: Call) {
        t.clock.advance({ milliseconds: 1 });
        const priority = urgency === 'high' ? 'high' : 'low';
        const state = { trigger: 'open', acknowledge: 'acknowledged', resolve: 'resolved' }[action];
        const name = `call ${++sent}`;
        const response = await fetch(t.url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            dedup_key: key,
            ...(kind === 'source'
              ? { title: name, action, urgency }
              : { name, type: 'alert', state, priority }),
          }),
        });
        assert.equal(response.status, 200, await response.text());
      },
      async acknowledge() {
        const pages = await t.db.selectFrom('pages').select('id').where('source_id', '=', id).execute();
        for (const page of pages) await t.post(`/api/pages/${page.id}/acknowledge`, {});
      },
      async found() {
        const moments = await t.db
          .selectFrom('moments')
          .selectAll()
          .where('webhook_id', '=', id)
          .orderBy('id')
          .execute();
        const pages = await t.db
          .selectFrom('pages')
          .selectAll()
          .where('source_id', '=', id)
          .orderBy('id')
          .execute();
        return {
          moments: moments
            .map((one) => ({
              ...{ key: one.dedup_key, name: one.name, state: one.state, priority: one.priority },
              ...{ occurred: since(one.occurred_at), last: since(one.last_event_at) },
              ...{ acknowledged: since(one.acknowledged_at), resolved: since(one.resolved_at) },
            }))
            .sort((a, b) => (a.occurred ?? 0) - (b.occurred ?? 0)),
          pages: pages
            .map(({ dedup_key, title, state, urgency, acknowledged_by }) => ({
              ...{ key: dedup_key, title, state, urgency, isByPerson: acknowledged_by !== null },
            }))
            .sort((a, b) => Number(a.title.slice(5)) - Number(b.title.slice(5))),
        };
      },
    };
  }

  async function webhook() {
    const { db, clock, sealing, acme } = t;
    const definition = {
      ...{ organizationId: acme.id, teamId: acme.teams.sre ?? '', name: `Webhook ${++webhooks}` },
      ...{ type: 'custom', expiresAt: null, signingSecret: null, createdBy: null },
    };
    const { id, token } = await db
      .transaction()
      .execute(async (tx) => createWebhook(tx, await clock.now(tx), sealing, definition));
    return { id, path: momentPath(token, definition.type) };
  }
  let webhooks = 0;

  /** Processes the remaining calls, one at a time. */
  async function finish(): Promise<void> {
    for (;;) {
      const batch = await claimBatch(worker, 1, 0);
      if (batch.claimed.length > 0) {
        await processBatch(worker, batch);
        continue;
      }
      const waiting = await t.db
        .selectFrom('received_notifications')
        .select('id')
        .where('state', '=', 'queued')
        .execute();
      if (waiting.length === 0) return;
      // Until a call that waits for others is looked at again, a retry is due, or the lease of a dead worker ends.
      t.clock.advance({ seconds: 5 });
    }
  }

  async function begin(kind: 'source' | 'webhook', { earlier, isAnswered }: Course) {
    const made = await receiver(kind);
    for (const one of earlier) {
      await made.send(one);
      await finish();
    }
    if (isAnswered) await made.acknowledge();
    return made;
  }

  async function oneByOne(kind: 'source' | 'webhook', how: Course) {
    const made = await begin(kind, how);
    for (const one of how.calls) {
      await made.send(one);
      await finish();
    }
    return made.found();
  }

  async function bySeveral(kind: 'source' | 'webhook', how: Course) {
    const made = await begin(kind, how);
    for (const one of how.calls) await made.send(one);
    const batches: { batch: Batch; rank: number; by: CallWorker }[] = [];
    for (const { limit, rank, fate } of how.claims) {
      const batch = await claimBatch({ ...worker, rotation: createRotation() }, limit, 0);
      const by = fate === 'fails' ? { ...worker, keeps: fail } : worker;
      if (batch.claimed.length > 0 && fate !== 'dies') batches.push({ batch, rank, by });
    }
    const inTurn = batches.sort((a, b) => a.rank - b.rank);
    if (how.atOnce) await Promise.all(inTurn.map(({ batch, by }) => processBatch(by, batch)));
    else for (const { batch, by } of inTurn) await processBatch(by, batch);
    await finish();
    return made.found();
  }

  it('open the next moment even if a slower worker claimed the end of an acknowledged one', async () => {
    const { send, found } = await receiver('webhook');
    for (const action of ['trigger', 'acknowledge'] as const) {
      await send({ key: 'disk', action, urgency: 'low' });
      await finish();
    }
    for (const action of ['resolve', 'trigger'] as const) await send({ key: 'disk', action, urgency: 'low' });
    const [slow, fast] = [await claimBatch(worker, 1, 0), await claimBatch(worker, 1, 0)];
    assert.deepEqual([slow.claimed.length, fast.claimed.length], [1, 1]);
    await processBatch(worker, fast);
    const states = async () => (await found()).moments.map(({ state }) => state);
    assert.deepEqual(await states(), ['resolved', 'open']);
    await processBatch(worker, slow);
    assert.deepEqual(await states(), ['resolved', 'open']);
  });

  for (const kind of ['source', 'webhook'] as const)
    it(`of a ${kind} have the same effect as one by one in the order of their receipt`, () =>
      fc.assert(
        fc.asyncProperty(course, async (how) => {
          assert.deepEqual(await bySeveral(kind, how), await oneByOne(kind, how));
        }),
        { numRuns: 30 },
      ));
});
