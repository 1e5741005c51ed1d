import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import pino from 'pino';
import { type LifeboatDatabases, lifeboatDatabases } from '../../testing/lifeboat-databases.ts';
import { type Organization, seedOrganization } from '../../testing/organization.ts';
import { seedSource } from '../../testing/seeded-source.ts';
import { databaseClock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { claimInstallation } from '../installation/store.ts';
import { createSealing, sha256 } from '../kit/sealing.ts';
import { newId } from '../kit/typeid.ts';
import type { PageSignal } from '../pages/keyed.ts';
import { anyAboard, openAboard, readAboard } from './aboard-store.ts';
import { board, land } from './land.ts';
import { commonColumns } from './land-store.ts';

/** Requests in the lifeboat, of which a landing reads a few at a time. */
const STORM = 10_000;

/** Two databases: the main one, and that of a lifeboat. */
describe('the copy and the landing of a lifeboat', { timeout: 120_000 }, () => {
  let databases: LifeboatDatabases;
  let main: Database;
  let local: Database;
  let acme: Organization;
  const stranded: string[] = [];
  const applied: PageSignal[] = [];

  const copy = (mostBytes?: number) => databases.copy(mostBytes);
  const standBy = { node: 'api-1', copiedAt: Temporal.Instant.from('2026-01-01T10:00:00Z') };
  const landAll = (
    wake: () => void = () => undefined,
    openLanded: () => Promise<void> = async () => undefined,
  ) =>
    land({
      ...{ main, local, log: pino({ level: 'silent' }), wake, openLanded },
      standBy,
      acknowledge: async () => undefined,
      keeps: () => true,
      async applySignals(_, signals) {
        applied.push(...signals);
        return { outcomes: [], leavesSteps: false, afterCommit: () => undefined };
      },
      strand: async (id) => void stranded.push(id),
    });

  /**
   * The number of rows that `work` reads in the lifeboat, and its result. The counters also contain what the connection read
   * before and has not reported yet, so they are compared.
   */
  const reading = <Result>(work: (tx: Tx) => Promise<Result>): Promise<[number, Result]> =>
    local.transaction().execute(async (tx) => {
      const rowsRead = async () => {
        const { rows } = await sql<{ read: number }>`
          select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::float8 as read from pg_stat_xact_user_tables`.execute(
          tx,
        );
        return rows[0]?.read ?? Number.NaN;
      };
      const before = await rowsRead();
      const result = await work(tx);
      return [(await rowsRead()) - before, result];
    });

  /** Written as the lifeboat writes it when it accepts a request. */
  async function take(
    team: string,
    more: { dedup_key?: string; last_trigger_at?: Temporal.Instant } = {},
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
        ...(more.dedup_key ? { dedup_scope: teamId, last_trigger_at: at, ...more } : {}),
      })
      .execute();
    await local
      .insertInto('page_steps')
      .values({ ...own, page_id: page, round: 1, kind: 'stage', due_at: at })
      .execute();
    return { page, request };
  }

  /** A page that has landed. `bring` lands it once more with a newer trigger, and returns the applied changes. */
  async function landedPage(key: string, at: Temporal.Instant) {
    const { page, request } = await take('sre', { dedup_key: key, last_trigger_at: at });
    const aboard = await local.selectFrom('pages').selectAll().where('id', '=', page).execute();
    const taken = await local.selectFrom('requests').selectAll().where('id', '=', request).execute();
    await landAll();
    const bring = async (trigger: Temporal.Instant) => {
      await local
        .insertInto('requests')
        .values(taken.map((row) => ({ ...row, errors: JSON.stringify(row.errors) })))
        .execute();
      await local
        .insertInto('pages')
        .values(aboard.map((row) => ({ ...row, facts: null, last_trigger_at: trigger })))
        .execute();
      applied.length = 0;
      await landAll();
      return applied.map(({ action, dedupKey }) => [action, dedupKey]);
    };
    return { page, bring };
  }

  before(async () => {
    databases = await lifeboatDatabases();
    ({ main, local } = databases);
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
    await databases?.drop();
  });

  it('copies the configuration, follows its changes, and keeps the former copy if it is too large', async () => {
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

  it('moves a page once, however often the landing is interrupted', async () => {
    const { page, request } = await take('sre');
    const raised = () =>
      local
        .insertInto('page_events')
        .values({ organization_id: acme.id, page_id: page, at: Temporal.Now.instant(), kind: 'raised' })
        .execute();
    await raised();
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
    await raised();
    assert.equal(await landAll(), 1);
    const pages = await main.selectFrom('pages').select(['id', 'state']).execute();
    assert.deepEqual(pages, [{ id: page, state: 'acknowledged' }]);
    const steps = await main.selectFrom('page_steps').select(['state', 'may_repeat']).execute();
    assert.deepEqual(steps, [{ state: 'cancelled', may_repeat: false }]);
    const events = main.selectFrom('page_events').select('kind').where('page_id', '=', page);
    const kinds = await events.orderBy('kind').execute();
    assert.deepEqual(kinds, [{ kind: 'raised' }, { kind: 'stand_by' }]);
  });

  it('lands pages that still notify before all others', async () => {
    const old = await take('sre');
    const at = Temporal.Now.instant();
    await local
      .updateTable('pages')
      .set({ state: 'resolved', resolved_at: at })
      .where('id', '=', old.page)
      .execute();
    const later = await take('sre');
    const soon = await take('sre');
    await local
      .updateTable('page_steps')
      .set({ due_at: at.subtract({ minutes: 1 }) })
      .where('page_id', '=', soon.page)
      .execute();
    assert.deepEqual(await openAboard(local), [[soon.request], [later.request]]);
    const landed = async () => {
      const all = [old.page, later.page, soon.page];
      const rows = await main.selectFrom('pages').select('id').where('id', 'in', all).orderBy('id').execute();
      return rows.map(({ id }) => id);
    };
    const interrupted = new Error('interrupted after the first commit');
    await assert.rejects(
      landAll(() => {
        throw interrupted;
      }),
      interrupted,
    );
    assert.deepEqual(await landed(), [later.page, soon.page]);
    // One of them is acknowledged before the landing continues: the main database must no longer notify of it.
    await local
      .updateTable('pages')
      .set({ state: 'acknowledged', acknowledged_at: at })
      .where('id', '=', later.page)
      .execute();
    const open = () =>
      main
        .selectFrom('pages')
        .select('id')
        .where('state', '=', 'notifying')
        .where('id', 'in', [old.page, later.page, soon.page])
        .execute();
    let running: { id: string }[] = [];
    const moved = await landAll(undefined, async () => {
      running = await open();
      assert.deepEqual(await landed(), [later.page, soon.page]);
      const marked = main
        .selectFrom('page_steps')
        .select('id')
        .where('may_repeat', '=', true)
        .where('state', '=', 'due');
      assert.deepEqual(await marked.execute(), []);
    });
    assert.deepEqual([moved, running], [3, [{ id: soon.page }]]);
    assert.deepEqual(await landed(), [old.page, later.page, soon.page]);
  });

  it('reads the rows of some requests by their keys, right after a storm of which the statistics know nothing', async () => {
    const id = (kind: string) => sql`${`${kind}_`}::text || lpad(n::text, 26, '0')`;
    const all = sql`generate_series(1, ${STORM}::integer) n`;
    const at = sql`${Temporal.Now.instant()}::timestamptz + n * interval '1 millisecond'`;
    await sql`
      insert into requests (id, organization_id, kind, status, message, credential, created_at, updated_at)
      select ${id('request')}, ${acme.id}, 'page.team', 'queued', 'queued', 'api_key_1', ${at}, ${at} from ${all}`.execute(
      local,
    );
    await sql`
      insert into idempotency_keys (credential, key, fingerprint, organization_id, status, answer, created_at)
      select 'api_key_1', n, decode(repeat('00', 32), 'hex'), ${acme.id}, 200,
        convert_to(json_build_object('service_request_id', ${id('request')})::text, 'UTF8'), ${at} from ${all}`.execute(
      local,
    );
    await sql`
      insert into pages (id, organization_id, request_id, kind, team_id, title, text, urgency, state, reply_code, created_at)
      select ${id('page')}, ${acme.id}, ${id('request')}, 'team', ${acme.teams.sre}, 'x', 'x', 'high', 'notifying', '1234', ${at}
      from ${all}`.execute(local);
    await sql`
      insert into page_steps (organization_id, page_id, round, kind, due_at)
      select ${acme.id}, ${id('page')}, 1, 'stage', ${at} from ${all}`.execute(local);
    await sql`
      insert into request_pages (request_id, position, organization_id, page_id, action)
      select ${id('request')}, 0, ${acme.id}, ${id('page')}, 'raised' from ${all}`.execute(local);
    const some = Array.from({ length: 100 }, (_, n) => `request_${String(n + 1).padStart(26, '0')}`);
    const [ofSome, aboard] = await reading((tx) => readAboard(tx, some));
    assert.deepEqual(
      [aboard.requests, aboard.idempotency_keys, aboard.pages, aboard.page_steps].map((rows) => rows.length),
      [100, 100, 100, 100],
    );
    // Each table is searched by the ids of the requests and pages. Reading all rows of each table would be 70,000.
    assert.ok(ofSome < 400 * some.length, `${ofSome} rows were read for ${some.length} requests`);
    const [ofOpen, open] = await reading(openAboard);
    assert.equal(open.length, STORM);
    assert.ok(ofOpen < 4 * STORM, `${ofOpen} rows were read for ${STORM} open pages`);
    await local.deleteFrom('requests').execute();
    await local.deleteFrom('idempotency_keys').execute();
  });

  it('ends a duplicate page of a dedup key, and names each page in the timeline of the other', async () => {
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

  const resolution = (dedupKey: string, receivedAt: Temporal.Instant) => ({
    ...{ organization_id: acme.id, dedup_scope: acme.teams.sre ?? '', dedup_key: dedupKey },
    ...{ action: 'resolve' as const, received_at: receivedAt },
  });

  it('lands a page whose sender had used its idempotency key for another request before', async () => {
    const accepted = async (db: Database, request: string, body: string) => {
      const row = await local.selectFrom('requests').select('created_at').where('id', '=', request);
      const answer = JSON.stringify({ service_request_id: request });
      await db
        .insertInto('idempotency_keys')
        .values({
          ...{ credential: 'api_key_1', key: 'used twice', organization_id: acme.id, status: 200 },
          ...{ fingerprint: sha256(body), answer: Buffer.from(answer) },
          ...(await row.executeTakeFirstOrThrow()),
        })
        .execute();
    };
    const stateOf = async (page: string) =>
      (await main.selectFrom('pages').select('state').where('id', '=', page).executeTakeFirst())?.state;
    const former = await take('sre');
    await accepted(local, former.request, 'Disk full');
    await landAll();
    await local.deleteFrom('idempotency_keys').execute();

    const other = await take('sre');
    await accepted(local, other.request, 'Database down');
    await landAll();
    assert.equal(await stateOf(other.page), 'notifying');
    await local.deleteFrom('idempotency_keys').execute();

    const repeated = await take('sre');
    await accepted(local, repeated.request, 'Disk full');
    await landAll();
    assert.equal(await stateOf(repeated.page), 'resolved');
    assert.deepEqual(stranded, []);
  });

  it('applies a resolution to an open page that the lifeboat did not know, unless it was triggered later', async () => {
    const at = Temporal.Now.instant();
    for (const key of ['before', 'later']) {
      await take('sre', { dedup_key: key, last_trigger_at: at });
      await landAll();
    }
    await local
      .insertInto('lifeboat_answers')
      .values([
        resolution('before', at.add({ seconds: 1 })),
        resolution('later', at.subtract({ seconds: 1 })),
        resolution('nothing', at),
      ])
      .execute();
    applied.length = 0;
    await landAll();
    assert.deepEqual(
      applied.map(({ action, dedupKey }) => [action, dedupKey]),
      [['resolve', 'before']],
    );
    assert.equal(await anyAboard(local), false);
    const kept = await main.selectFrom('lifeboat_answers').select('dedup_key').orderBy('dedup_key').execute();
    assert.deepEqual(
      kept.map(({ dedup_key }) => dedup_key),
      ['before', 'later', 'nothing'],
    );
    // A page of this key that another lifeboat lands later, but that was triggered before.
    await take('sre', { dedup_key: 'nothing', last_trigger_at: at.subtract({ seconds: 1 }) });
    applied.length = 0;
    await landAll();
    // This test applies nothing, so the page is still open when everything lands after the open pages.
    assert.deepEqual(new Set(applied.map(({ dedupKey }) => dedupKey)), new Set(['nothing']));
  });

  it('reopens a page that another lifeboat resolved before its newest trigger', async () => {
    const at = Temporal.Now.instant();
    const { page, bring } = await landedPage('again', at);
    await main
      .updateTable('pages')
      .set({ state: 'resolved', resolved_at: at.add({ seconds: 5 }) })
      .where('id', '=', page)
      .execute();
    await main
      .insertInto('lifeboat_answers')
      .values(resolution('again', at.add({ seconds: 1 })))
      .execute();
    assert.deepEqual(await bring(at.add({ milliseconds: 500 })), []);
    assert.deepEqual(await bring(at.add({ seconds: 2 })), [['trigger', 'again']]);
    // The landing is interrupted and starts again.
    assert.deepEqual(await bring(at.add({ seconds: 2 })), []);
    // A page that was resolved in the main database before it was away.
    assert.deepEqual(await bring(at.add({ seconds: 6 })), [['trigger', 'again']]);
  });

  it('reopens a page that its source resolved before its newest trigger, but that was processed later', async () => {
    const at = Temporal.Now.instant();
    const { page, bring } = await landedPage('read later', at);
    const [request, read] = [newId('request'), at.add({ seconds: 5 })];
    const own = { organization_id: acme.id };
    await main
      .insertInto('requests')
      .values({
        ...own,
        ...{ id: request, kind: 'source', status: 'succeeded', message: '', credential: 'webhook_1' },
        ...{ created_at: at.add({ seconds: 1 }), updated_at: read, finished_at: read },
      })
      .execute();
    await main
      .insertInto('request_pages')
      .values({ ...own, request_id: request, position: 0, page_id: page, action: 'resolved' })
      .execute();
    const resolvedBy = (source: string | null) =>
      main
        .updateTable('pages')
        .set({ state: 'resolved', resolved_at: read, resolved_by_source: source })
        .where('id', '=', page)
        .execute();
    await resolvedBy(null);
    assert.deepEqual(await bring(at.add({ seconds: 2 })), [], 'a person resolved it after that trigger');
    await main.updateTable('pages').set({ last_trigger_at: at }).where('id', '=', page).execute();
    await resolvedBy('webhook_1');
    assert.deepEqual(await bring(at.add({ milliseconds: 500 })), []);
    assert.deepEqual(await bring(at.add({ seconds: 2 })), [['trigger', 'read later']]);
  });

  it('lands the calls of page sources once, with their moments and waiting pages', async () => {
    const seeding = { db: main, clock: databaseClock, sealing: createSealing(randomBytes(32)) };
    const { id: source } = await seedSource(seeding, acme, { team: 'sre', name: 'Alerts' });
    await copy();
    const found = await local.selectFrom('page_sources').select('id').execute();
    assert.deepEqual(found, [{ id: source }]);
    const [at, own] = [Temporal.Now.instant(), { organization_id: acme.id }];
    const { page, request: raised } = await take('sre', { dedup_key: 'disk' });
    const [request, held] = [newId('request'), newId('request')];
    const calls = [
      { id: newId('notification'), request_id: request, state: 'success' as const, processed_at: at },
      { id: newId('notification'), request_id: held, state: 'queued' as const, processed_at: null },
    ];
    const takeCalls = async () => {
      await local
        .insertInto('requests')
        .values(
          [request, held].map((id) => ({
            ...{ ...own, id, kind: 'source', status: 'queued' as const, message: 'queued' },
            ...{ credential: source, created_at: at, updated_at: at },
          })),
        )
        .execute();
      await local
        .insertInto('received_notifications')
        .values(
          calls.map((call) => ({
            ...{ ...own, ...call, webhook_id: source, integration: 'custom', pages: true, claimed_by: 7 },
            ...{ headers: JSON.stringify({ 'content-type': 'application/json' }) },
            ...{ body: Buffer.from(JSON.stringify({ title: 'Disk full', dedup_key: 'disk' })) },
            ...{ due_at: at.add({ hours: 1 }), received_at: at },
          })),
        )
        .execute();
      await local
        .insertInto('request_pages')
        .values({ ...own, request_id: request, position: 0, page_id: page, action: 'raised' })
        .execute();
      await local
        .insertInto('waiting_pages')
        .values({
          ...{ ...own, source_id: source, dedup_key: 'later', request_id: held, position: 1, event: '{}' },
          ...{ reason: 'rule', due_at: at, created_at: at, triggered_at: at },
        })
        .execute();
    };
    await takeCalls();
    assert.equal(await landAll(), 3);
    assert.deepEqual(stranded, []);
    const landed = await main
      .selectFrom('received_notifications')
      .select(['id', 'state', 'claimed_by'])
      .orderBy('id')
      .execute();
    assert.deepEqual(
      landed,
      calls.map(({ id, state }) => ({ id, state, claimed_by: null })),
    );
    const due = await main
      .selectFrom('received_notifications')
      .select(['due_at', 'received_at'])
      .where('state', '=', 'queued')
      .execute();
    assert.ok(due.every(({ due_at, received_at }) => due_at.equals(received_at)));
    const moments = () => main.selectFrom('moments').select(['id', 'dedup_key', 'state']).execute();
    const [moment, ...none] = await moments();
    assert.deepEqual([none, moment?.dedup_key, moment?.state], [[], 'disk', 'open']);
    const links = await main.selectFrom('moment_pages').select(['moment_id', 'page_id']).execute();
    assert.deepEqual(links, [{ moment_id: moment?.id, page_id: page }]);
    const waiting = () => main.selectFrom('waiting_pages').select('dedup_key').execute();
    assert.deepEqual(await waiting(), [{ dedup_key: 'later' }]);
    assert.equal(
      (await main.selectFrom('requests').select('id').where('id', '=', raised).execute()).length,
      1,
    );
    for (const table of ['received_notifications', 'waiting_pages', 'requests'] as const)
      assert.deepEqual(await local.selectFrom(table).selectAll().execute(), [], table);
    // The waiting page has paged meanwhile, and the landing is interrupted and starts again.
    await main.deleteFrom('waiting_pages').execute();
    await main
      .insertInto('request_pages')
      .values({ ...own, request_id: held, position: 1, page_id: page, action: 'updated' })
      .execute();
    await local
      .insertInto('requests')
      .values(
        (await main.selectFrom('requests').selectAll().where('id', '=', raised).execute()).map((row) => ({
          ...row,
          errors: '[]',
        })),
      )
      .execute();
    await local
      .insertInto('pages')
      .values(
        (await main.selectFrom('pages').selectAll().where('id', '=', page).execute()).map((row) => ({
          ...row,
          facts: null,
        })),
      )
      .execute();
    await takeCalls();
    await landAll();
    assert.deepEqual(await waiting(), []);
    assert.equal((await moments()).length, 1);
    assert.deepEqual(stranded, []);
  });

  it('leaves a page to the main database whose team is newer than the copy', async () => {
    const sre = await main
      .selectFrom('teams')
      .selectAll()
      .where('id', '=', acme.teams.sre ?? '')
      .executeTakeFirstOrThrow();
    const newer = { ...sre, id: newId('team'), slug: 'newer', name: 'Newer' };
    await main.insertInto('teams').values(newer).execute();
    const { page, request } = await take('sre');
    const all = await readAboard(local, [request]);
    await landAll();
    await main.updateTable('pages').set({ team_id: newer.id }).where('id', '=', page).execute();
    const columns = await commonColumns(main, local);
    const aboard = { ...all, pages: all.pages.map((row) => ({ ...row, team_id: newer.id })) };
    await board({ columns, local, log: pino({ level: 'silent' }), standBy }, aboard);
    await landAll();
    const row = await main
      .selectFrom('requests')
      .select(['status', 'message'])
      .where('id', '=', request)
      .executeTakeFirst();
    assert.deepEqual(row, { status: 'queued', message: 'queued' });
    const refused = await main.selectFrom('refused_pages').select('id').where('id', '=', `refused_${page}`);
    assert.deepEqual(await refused.execute(), []);
  });

  it('lists a page whose team was deleted among the refused ones', async () => {
    const { request } = await take('gone');
    await main.updateTable('users').set({ role: 'owner' }).execute();
    await main.deleteFrom('teams').where('slug', '=', 'gone').execute();
    assert.equal(await landAll(), 1);
    const [refused] = await main.selectFrom('refused_pages').selectAll().execute();
    assert.match(
      JSON.stringify(refused?.details),
      /was deleted before the lifeboat of api-1 landed this page; 0 people were notified/,
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
