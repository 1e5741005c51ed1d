import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import pino from 'pino';
import { type LifeboatDatabases, lifeboatDatabases } from '../../testing/lifeboat-databases.ts';
import { type Organization, seedOrganization } from '../../testing/organization.ts';
import { seedSource } from '../../testing/seeded-source.ts';
import { databaseClock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { claimInstallation } from '../installation/store.ts';
import { createSealing } from '../kit/sealing.ts';
import { newId } from '../kit/typeid.ts';
import { takeWaiting } from '../sources/store.ts';
import { claimedWaiting, claimWaiting, releaseWaiting } from './aboard-store.ts';
import { land } from './land.ts';
import { noteLifeboat } from './land-store.ts';
import { createWaitingPages } from './waiting.ts';

/** Two databases: the main one, and that of a lifeboat. */
describe('waiting pages in a lifeboat', { timeout: 120_000 }, () => {
  let databases: LifeboatDatabases;
  let main: Database;
  let local: Database;
  let acme: Organization;
  let source: string;
  /** A source that is not in the copy. */
  let unknown: string;
  const stranded: string[] = [];
  const log = pino({ level: 'silent' });
  const standBy = { node: 'api-1', copiedAt: Temporal.Instant.from('2026-01-01T10:00:00Z') };
  let own: string;
  const minutes = (count: number) => Temporal.Now.instant().add({ minutes: count });

  const landAll = () =>
    land({
      ...{ main, local, log, standBy, wake: () => undefined },
      openLanded: async () => undefined,
      acknowledge: async () => undefined,
      keeps: () => true,
      applySignals: async () => ({ outcomes: [], leavesSteps: false, afterCommit: () => undefined }),
      strand: async (id) => void stranded.push(id),
    });
  const board = (pages = createWaitingPages(), recovered = new Set<string>()) =>
    pages.board({ local, log, standBy }, recovered);
  const rows = async (db: Database) =>
    (
      await db
        .selectFrom('waiting_pages')
        .select(['dedup_key', 'may_repeat', 'event', 'lifeboat'])
        .orderBy('due_at')
        .execute()
    ).map((row) => ({ ...row, title: (row.event as { title?: string }).title }));
  const keys = async (db: Database) => (await rows(db)).map(({ dedup_key }) => dedup_key);
  const marks = async (db: Database) =>
    (await rows(db)).map(({ dedup_key, may_repeat }) => `${dedup_key}${may_repeat ? ' marked' : ''}`);
  const outcome = async (request: string) =>
    (await main.selectFrom('request_pages').select('action').where('request_id', '=', request).execute()).map(
      ({ action }) => action,
    );
  const seen = (id: string, state = 'ashore') =>
    noteLifeboat(main, { id, host: 'api-1', state, copiedAt: standBy.copiedAt });

  /** As a source's call leaves it in the main database. */
  async function waits(key: string | null, dueAt: Temporal.Instant, of = source): Promise<string> {
    const [request, at, mine] = [newId('request'), Temporal.Now.instant(), { organization_id: acme.id }];
    await main
      .insertInto('requests')
      .values({
        ...{ ...mine, id: request, kind: 'source', status: 'succeeded', message: 'done', credential: of },
        ...{ created_at: at, updated_at: at, finished_at: at },
      })
      .execute();
    await main
      .insertInto('request_pages')
      .values({ ...mine, request_id: request, position: 0, page_id: null, action: 'waiting', reason: 'rule' })
      .execute();
    const event = { title: `First ${key}`, occurredAt: at, at, padding: randomBytes(2_000).toString('hex') };
    await main
      .insertInto('waiting_pages')
      .values({
        ...{ ...mine, source_id: of, dedup_key: key, request_id: request, position: 0 },
        event: JSON.stringify(event),
        ...{ reason: 'rule', due_at: dueAt, created_at: at, triggered_at: at },
      })
      .execute();
    return request;
  }

  /** As the engine does when a wait has ended. Returns the page. */
  async function raised(db: Database, request: string): Promise<string> {
    const [page, its, at] = [newId('page'), newId('request'), Temporal.Now.instant()];
    const mine = { organization_id: acme.id };
    await db.deleteFrom('waiting_pages').where('request_id', '=', request).execute();
    await db
      .insertInto('requests')
      .values({
        ...{ ...mine, id: its, kind: 'page.team', status: 'queued', message: 'queued', credential: source },
        ...{ created_at: at, updated_at: at },
      })
      .execute();
    await db
      .insertInto('pages')
      .values({
        ...{ ...mine, id: page, request_id: its, kind: 'team', team_id: acme.teams.sre ?? '' },
        ...{
          title: 'Slow',
          text: 'x',
          urgency: 'high',
          state: 'notifying',
          reply_code: '1234',
          created_at: at,
        },
      })
      .execute();
    await db
      .insertInto('request_pages')
      .values({ ...mine, request_id: request, position: 0, page_id: page, action: 'raised', reason: null })
      .onConflict((conflict) =>
        conflict.columns(['request_id', 'position']).doUpdateSet({ page_id: page, action: 'raised' }),
      )
      .execute();
    return page;
  }

  before(async () => {
    databases = await lifeboatDatabases();
    ({ main, local } = databases);
    own = databases.id;
    const seeding = { db: main, clock: databaseClock, sealing: createSealing(randomBytes(32)) };
    await claimInstallation(main, databaseClock, 'key');
    acme = await seedOrganization(seeding, { people: { ada: {} }, teams: { sre: { members: ['ada'] } } });
    source = (await seedSource(seeding, acme, { team: 'sre', name: 'Alerts' })).id;
    await databases.copy();
    unknown = (await seedSource(seeding, acme, { team: 'sre', name: 'Made since' })).id;
  });
  beforeEach(async () => {
    for (const db of [main, local]) {
      await db.deleteFrom('requests').execute();
      await sql`delete from waiting_pages`.execute(db);
    }
    await local.deleteFrom('lifeboat_waiting').execute();
    await main.deleteFrom('lifeboats').execute();
    await seen(own);
  });
  after(async () => {
    await databases?.drop();
    assert.deepEqual(stranded, []);
  });

  it('are taken by one lifeboat each, and by another if that one is gone', async () => {
    const other = newId('lifeboat');
    await seen(other);
    await waits('first', minutes(1));
    await claimWaiting(main, own);
    await waits('second', minutes(2));
    await claimWaiting(main, other);
    await claimWaiting(main, own);
    const count = async (id: string) => (await claimedWaiting(main, id)).size;
    assert.deepEqual([await count(own), await count(other)], [1, 1]);
    await sql`update lifeboats set seen_at = now() - interval '31 seconds' where id = ${other}`.execute(main);
    await claimWaiting(main, own);
    assert.deepEqual([await count(own), await count(other)], [2, 0]);
    assert.deepEqual(await marks(main), ['first', 'second marked']);
    await releaseWaiting(main, own);
    await claimWaiting(main, other);
    assert.deepEqual(await marks(main), ['first', 'second marked']);
    assert.equal(await count(other), 2);
  });

  it('are limited in number: those that are due first are taken', async () => {
    for (const [key, at] of [
      ['late', 3],
      ['soon', 1],
      ['next', 2],
    ] as const)
      await waits(key, minutes(at));
    const claimed = async () =>
      (await rows(main)).flatMap(({ dedup_key, lifeboat }) => (lifeboat === null ? [] : [dedup_key]));
    await claimWaiting(main, own, { mostRows: 1 });
    assert.deepEqual(await claimed(), ['soon']);
    await claimWaiting(main, own, { mostBytes: 9_000 });
    assert.deepEqual(await claimed(), ['soon', 'next']);
    assert.equal((await claimedWaiting(main, own, { mostBytes: 3_000 })).size, 0);
    await claimWaiting(main, own);
    assert.deepEqual(await claimed(), ['soon', 'next', 'late']);
  });

  it('wait in the lifeboat, marked if they may have paged, and only while it is afloat', async () => {
    const read = createWaitingPages();
    await waits('due', minutes(-1));
    await waits('later', minutes(5));
    const keyless = await waits(null, minutes(6));
    await waits('gone', minutes(7));
    await waits('of a new source', minutes(8), unknown);
    await read.look(main, local, own);
    await main.deleteFrom('waiting_pages').where('dedup_key', '=', 'gone').execute();
    await main
      .updateTable('waiting_pages')
      .set({ event: JSON.stringify({ title: 'Changed' }) })
      .where('dedup_key', '=', 'later')
      .execute();
    await read.look(main, local, own);
    assert.deepEqual(await keys(local), []);
    await board(read, new Set([keyless]));
    assert.deepEqual(await marks(local), ['due marked', 'later']);
    assert.equal((await rows(local))[1]?.title, 'Changed');
    const aboard = await local
      .selectFrom('lifeboat_waiting')
      .select('waiting_id')
      .where('aboard', '=', true)
      .execute();
    assert.equal(aboard.length, 2);
    await landAll();
    assert.deepEqual(await keys(main), ['due', 'later', null, 'of a new source'], 'nothing paged');
  });

  it('are all marked if another process read them', async () => {
    await waits('later', minutes(5));
    await createWaitingPages().look(main, local, own);
    await board();
    assert.deepEqual(await marks(local), ['later marked']);
  });

  it('leave the main database only when they have paged or were answered', async () => {
    const read = createWaitingPages();
    const paged = await waits('paged', minutes(-1));
    const again = await waits('triggered again', minutes(-1));
    const answered = await waits('answered', minutes(1));
    const still = await waits('still', minutes(2));
    const newer = await waits('newer', minutes(3));
    await read.look(main, local, own);
    await board(read);
    for (const request of [paged, again]) await raised(local, request);
    await local.deleteFrom('waiting_pages').where('request_id', '=', answered).execute();
    await local
      .updateTable('waiting_pages')
      .set({ event: JSON.stringify({ title: 'Newer' }), triggered_at: minutes(1) })
      .where('request_id', '=', newer)
      .execute();
    await main
      .updateTable('waiting_pages')
      .set({ triggered_at: minutes(1) })
      .where('request_id', '=', again)
      .execute();
    await landAll();
    assert.deepEqual(await keys(main), ['triggered again', 'still', 'newer']);
    assert.equal((await rows(main)).at(-1)?.title, 'Newer');
    assert.deepEqual(
      [await outcome(paged), await outcome(answered), await outcome(still)],
      [['raised'], ['waiting'], ['waiting']],
    );
    for (const table of ['lifeboat_waiting', 'waiting_pages', 'requests'] as const)
      assert.deepEqual(await local.selectFrom(table).selectAll().execute(), [], table);
  });

  it('stay in the main database if the landing is interrupted after the lifeboat dropped them', async () => {
    const read = createWaitingPages();
    await waits('still', minutes(1));
    await read.look(main, local, own);
    await board(read);
    await local.deleteFrom('lifeboat_waiting').execute();
    await local.deleteFrom('waiting_pages').execute();
    await landAll();
    assert.deepEqual(await keys(main), ['still']);
  });

  it('that the lifeboat received stay there until it has landed', async () => {
    const request = await waits('moved', minutes(1));
    await createWaitingPages().look(main, local, own);
    await board();
    await local.deleteFrom('lifeboat_waiting').execute();
    await main.deleteFrom('requests').where('id', '=', request).execute();
    await main.deleteFrom('waiting_pages').execute();
    await landAll();
    assert.deepEqual(
      (await rows(main)).map(({ dedup_key, lifeboat }) => [dedup_key, lifeboat]),
      [['moved', own]],
    );
  });

  it('become one page if both databases paged them', async () => {
    const read = createWaitingPages();
    const request = await waits(null, minutes(-1));
    await read.look(main, local, own);
    await board(read);
    const [there, here] = [await raised(main, request), await raised(local, request)];
    await main.deleteFrom('waiting_pages').execute();
    await landAll();
    const states = await main.selectFrom('pages').select(['id', 'state']).orderBy('id').execute();
    assert.deepEqual(states, [
      { id: there, state: 'notifying' },
      { id: here, state: 'resolved' },
    ]);
    const named = await main
      .selectFrom('page_events')
      .select('page_id')
      .where('kind', '=', 'duplicate')
      .orderBy('page_id')
      .execute();
    assert.deepEqual(
      named.map(({ page_id }) => page_id),
      [there, here],
    );
    const outcomes = await main.selectFrom('request_pages').select(['page_id']).execute();
    assert.deepEqual(outcomes, [{ page_id: there }]);
    assert.deepEqual(await keys(main), []);
  });

  it('are marked by the main database while their lifeboat may page them', async () => {
    const marked = async () => {
      await waits(null, minutes(-1));
      await claimWaiting(main, own);
      const ids = (await main.selectFrom('waiting_pages').select('id').execute()).map(({ id }) => id);
      return main
        .transaction()
        .execute(async (tx) =>
          (await takeWaiting(tx, Temporal.Now.instant(), ids)).map(({ mayRepeat }) => mayRepeat),
        );
    };
    assert.deepEqual(await marked(), [false]);
    await seen(own, 'afloat');
    assert.deepEqual(await marked(), [true]);
    await seen(own);
    await sql`update lifeboats set seen_at = now() - interval '3 seconds'`.execute(main);
    assert.deepEqual(await marked(), [true]);
  });
});
