import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import pino from 'pino';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Organization, seedOrganization } from '../../testing/organization.ts';
import { databaseClock } from '../db/clock.ts';
import { createDatabase, createPool, type Database } from '../db/database.ts';
import { claimInstallation } from '../installation/store.ts';
import { createSealing } from '../kit/sealing.ts';
import { newId } from '../kit/typeid.ts';
import type { PageSignal } from '../pages/keyed.ts';
import { anyAboard } from './aboard-store.ts';
import { copyConfiguration } from './copy-store.ts';
import { land } from './land.ts';

/** Two databases: the main one, and that of a lifeboat. */
describe('the copy and the landing of a lifeboat', { timeout: 120_000 }, () => {
  let databases: TestDatabase[];
  let main: Database;
  let local: Database;
  let acme: Organization;
  const stranded: string[] = [];
  const applied: PageSignal[] = [];

  const copy = (mostBytes?: number) =>
    copyConfiguration(
      { connectionString: databases[0]?.url },
      { connection: { connectionString: databases[1]?.url }, id: newId('lifeboat'), host: 'api-1' },
      mostBytes,
    );
  const landAll = () =>
    land({
      ...{ main, local, log: pino({ level: 'silent' }), wake: () => undefined },
      standBy: { node: 'api-1', copiedAt: Temporal.Instant.from('2026-01-01T10:00:00Z') },
      acknowledge: async () => undefined,
      keeps: () => true,
      async applySignals(_, signals) {
        applied.push(...signals);
        return { outcomes: [], afterCommit: () => undefined };
      },
      strand: async (id) => void stranded.push(id),
    });

  /** As the acceptor of the lifeboat writes it. */
  async function take(
    team: string,
    more: { dedup_key?: string } = {},
  ): Promise<{ page: string; request: string }> {
    const [page, request] = [newId('page'), newId('request')];
    const [at, own] = [Temporal.Now.instant(), { organization_id: acme.id }];
    const teamId = acme.teams[team] ?? '';
    await local
      .insertInto('requests')
      .values({
        ...own,
        ...{ id: request, kind: 'page.team', status: 'queued', message: 'queued', credential: 'api_key_1' },
        ...{ created_at: at, updated_at: at },
      })
      .execute();
    await local
      .insertInto('pages')
      .values({
        ...own,
        ...{ id: page, request_id: request, kind: 'team', team_id: teamId, title: 'Disk full', text: 'x' },
        ...{ urgency: 'high', state: 'notifying', reply_code: '1234', created_at: at },
        ...(more.dedup_key ? { dedup_scope: teamId, dedup_key: more.dedup_key } : {}),
      })
      .execute();
    await local
      .insertInto('page_steps')
      .values({ ...own, page_id: page, round: 1, kind: 'stage', due_at: at })
      .execute();
    return { page, request };
  }

  before(async () => {
    databases = await Promise.all([testDatabase(), testDatabase()]);
    const open = (place: TestDatabase | undefined) =>
      createDatabase(createPool({ connection: { connectionString: place?.url }, max: 2, name: 'test' }));
    [main, local] = [open(databases[0]), open(databases[1])];
    const seeding = { db: main, clock: databaseClock, sealing: createSealing(randomBytes(32)) };
    await assert.rejects(copy(), /the main database is empty or a standby/);
    await claimInstallation(main, databaseClock, 'key');
    acme = await seedOrganization(seeding, {
      people: { ada: { methods: [{ type: 'phone', value: '+4915155500001' }] } },
      teams: {
        sre: { members: ['ada'], schedules: [{ stages: [['ada']], backstop: 'ada' }] },
        gone: { members: ['ada'] },
      },
    });
  });
  after(async () => {
    await Promise.all([main?.destroy(), local?.destroy()]);
    await Promise.all(databases.map((database) => database.drop()));
  });

  it('copies the configuration, follows its changes, and keeps the former copy when it is too large', async () => {
    await copy();
    const rows = async (db: Database) => ({
      users: await db.selectFrom('users').selectAll().orderBy('id').execute(),
      teams: await db.selectFrom('teams').selectAll().orderBy('id').execute(),
      shifts: await db.selectFrom('shifts').selectAll().orderBy('id').execute(),
      methods: await db.selectFrom('contact_methods').selectAll().orderBy('id').execute(),
    });
    assert.deepEqual(await rows(local), await rows(main));
    assert.ok((await rows(local)).shifts.length > 0);
    const former = await rows(local);
    await main.updateTable('users').set({ name: 'Ada L.' }).execute();
    await main.deleteFrom('contact_methods').execute();
    await assert.rejects(copy(100), /the configuration is larger than 100 bytes/);
    assert.deepEqual(await rows(local), former);
    await copy();
    assert.deepEqual(await rows(local), await rows(main));
    assert.deepEqual(await local.selectFrom('cover_checks').selectAll().execute(), []);
  });

  it('moves a page once, however often it is cut off', async () => {
    const { page, request } = await take('sre');
    const before = await local.selectFrom('pages').selectAll().execute();
    assert.equal(await landAll(), 1);
    assert.equal(await anyAboard(local), false);
    // As if it had been killed after the commit of the main database, and the page was acknowledged meanwhile.
    await main
      .updateTable('pages')
      .set({ state: 'acknowledged', acknowledged_at: Temporal.Now.instant() })
      .where('id', '=', page)
      .execute();
    await main
      .updateTable('page_steps')
      .set({ state: 'cancelled', done_at: Temporal.Now.instant() })
      .execute();
    const row = await main
      .selectFrom('requests')
      .selectAll()
      .where('id', '=', request)
      .executeTakeFirstOrThrow();
    await local
      .insertInto('requests')
      .values({ ...row, errors: JSON.stringify(row.errors) })
      .execute();
    await local
      .insertInto('pages')
      .values(before.map((one) => ({ ...one, facts: null })))
      .execute();
    const step = { organization_id: acme.id, page_id: page, round: 1, kind: 'stage' as const };
    await local
      .insertInto('page_steps')
      .values({ ...step, due_at: Temporal.Now.instant() })
      .execute();
    assert.equal(await landAll(), 1);
    const pages = await main.selectFrom('pages').select(['id', 'state']).execute();
    assert.deepEqual(pages, [{ id: page, state: 'acknowledged' }]);
    const steps = await main.selectFrom('page_steps').select(['state', 'may_repeat']).execute();
    assert.deepEqual(steps, [{ state: 'cancelled', may_repeat: false }]);
    const kinds = await main.selectFrom('page_events').select('kind').where('page_id', '=', page).execute();
    assert.deepEqual(kinds, [{ kind: 'stand_by' }]);
  });

  it('ends a page of a dedup key that is open, and names each in the timeline of the other', async () => {
    const first = await take('sre', { dedup_key: 'disk' });
    await landAll();
    const second = await take('sre', { dedup_key: 'disk' });
    await landAll();
    const states = await main
      .selectFrom('pages')
      .select(['id', 'state'])
      .where('dedup_key', '=', 'disk')
      .orderBy('id')
      .execute();
    assert.deepEqual(states, [
      { id: first.page, state: 'notifying' },
      { id: second.page, state: 'resolved' },
    ]);
    const links = await main
      .selectFrom('page_events')
      .select(['page_id', 'data'])
      .where('kind', '=', 'duplicate')
      .orderBy('id')
      .execute();
    assert.deepEqual(links, [
      { page_id: second.page, data: { node: 'api-1', kept: false, page_id: first.page } },
      { page_id: first.page, data: { node: 'api-1', kept: true, page_id: second.page } },
    ]);
  });

  it('lists a page whose team is gone among the refused ones', async () => {
    const { request } = await take('gone');
    await main.updateTable('users').set({ role: 'owner' }).execute();
    await main.deleteFrom('teams').where('slug', '=', 'gone').execute();
    assert.equal(await landAll(), 1);
    const [refused] = await main.selectFrom('refused_pages').selectAll().execute();
    assert.match(
      JSON.stringify(refused?.details),
      /was deleted before the lifeboat of api-1 brought this page back; 0 people were notified/,
    );
    const ended = await main
      .selectFrom('requests')
      .select('status')
      .where('id', '=', request)
      .executeTakeFirst();
    assert.equal(ended?.status, 'failed');
    assert.deepEqual(stranded, []);
    assert.equal(await anyAboard(local), false);
  });
});
