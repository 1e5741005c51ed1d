import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Organization, seedOrganization } from '../../testing/organization.ts';
import { databaseClock } from '../db/clock.ts';
import { createDatabase, createPool, type Database, type Tx } from '../db/database.ts';
import { createLog } from '../kit/log.ts';
import { createSealing } from '../kit/sealing.ts';
import { newId } from '../kit/typeid.ts';
import { queuedEnvelope } from '../requests/accept.ts';
import type { Acceptance } from '../requests/acceptance.ts';
import { MOST_NOTIFIED_AT_ONCE, MOST_PAGES, MOST_TEAMS } from './first-steps.ts';
import { applySignals, type PageSignal } from './keyed.ts';
import { newKeyedPage, openPages } from './keyed-store.ts';
import type { Notifier } from './notifier.ts';
import { writePages } from './write-pages.ts';

describe('pages that arrive together', () => {
  let database: TestDatabase;
  let db: Database;
  let acme: Organization;
  let now: Temporal.Instant;
  const teams = Array.from({ length: MOST_TEAMS + 1 }, (_, n) => `team${n}`);

  before(async () => {
    database = await testDatabase();
    const pool = createPool({ connection: { connectionString: database.url }, max: 2, name: 'pages' });
    db = createDatabase(pool);
    now = await databaseClock.now(db);
    acme = await seedOrganization(
      { db, clock: databaseClock, sealing: createSealing(Buffer.alloc(32)) },
      {
        people: { ada: { methods: [{ type: 'webhook', value: 'https://example.com/ada' }] } },
        teams: Object.fromEntries(teams.map((slug) => [slug, { members: ['ada'] }])),
      },
    );
  });
  after(async () => {
    await db.destroy();
    await database.drop();
  });

  function pages(count: number, inTeams = 1): Acceptance[] {
    return Array.from({ length: count }, (_, n) => {
      const requestId = newId('request');
      return {
        ...{ requestId, organizationId: acme.id, kind: 'page.team', credential: 'key', idempotency: null },
        envelope: queuedEnvelope(requestId, 'queued', []),
        row: {
          ...{ id: newId('page'), kind: 'team', team_id: acme.teams[teams[n % inTeams] ?? ''] },
          ...{ title: 'Disk full', text: 'x', urgency: 'low', reply_code: '1234', raised_by: acme.users.ada },
        },
      };
    });
  }

  type Seen = { isConsidered: boolean; isStored: boolean; isLeftToWorkers: boolean };

  /** What writes pages where first steps may run, and what it does; `notified`: how many people each page notifies. */
  function services(notified: number) {
    const seen: Seen = { isConsidered: false, isStored: false, isLeftToWorkers: false };
    const notifier = {
      async prepare(_tx, groups) {
        const userIds = Array.from({ length: notified }, () => acme.users.ada ?? '');
        return {
          runs: groups.map(() => ({ userIds, unreachable: [], canAnswer: true, lastAfterMs: 0 })),
          async storing() {
            seen.isStored = true;
            return { statements: () => [], tail: () => null, read: null, send: () => undefined };
          },
        };
      },
      async cancel() {},
      async quietAllClear() {},
      allClear: async () => ({ send: () => undefined }),
    } as Pick<Notifier, 'prepare' | 'cancel' | 'quietAllClear' | 'allClear'> as Notifier;
    return {
      seen,
      ...{ db, clock: databaseClock, notifier },
      means: { unavailable: new Map(), allowPrivate: true },
      wake() {
        seen.isLeftToWorkers = true;
      },
      firstSteps: {
        log: createLog('silent'),
        mayRun() {
          seen.isConsidered = true;
          return true;
        },
      },
    };
  }

  async function written(items: readonly Acceptance[], notified: number): Promise<Seen> {
    const { seen, ...rest } = services(notified);
    const ids = await db.connection().execute((lent) => writePages(rest)(lent, items, false));
    assert.equal(ids.size, items.length);
    return seen;
  }

  const sent = { isConsidered: true, isStored: true, isLeftToWorkers: false };
  const left = { isConsidered: false, isStored: false, isLeftToWorkers: true };

  it('are sent as they are accepted, up to a number of pages and teams', async () => {
    assert.deepEqual(await written(pages(MOST_PAGES, MOST_TEAMS), 1), sent);
    assert.deepEqual(await written(pages(MOST_PAGES + 1), 1), left);
    assert.deepEqual(await written(pages(MOST_TEAMS + 1, MOST_TEAMS + 1), 1), left);
  });

  it('are sent as they are accepted, up to a number of people', async () => {
    assert.deepEqual(await written(pages(2), MOST_NOTIFIED_AT_ONCE / 2), sent);
    assert.deepEqual(await written(pages(2), MOST_NOTIFIED_AT_ONCE / 2 + 1), { ...left, isConsidered: true });
  });

  let keys = 0;

  /** A trigger of a new key, received so many milliseconds ago. */
  function trigger({ agoMs = 0, team = 0, mayRepeat = false } = {}): PageSignal & { action: 'trigger' } {
    const teamId = acme.teams[teams[team] ?? ''] ?? '';
    const texts = { title: 'Disk full', text: 'x', sourceUrl: null, urgency: 'low' as const, facts: null };
    return {
      ...{ organizationId: acme.id, scope: teamId, dedupKey: `key ${keys++}` },
      ...{ receivedAt: now.subtract({ milliseconds: agoMs }), source: null, userId: acme.users.ada ?? '' },
      ...{ action: 'trigger', reasons: [] },
      page: {
        ...{ requestId: null, credential: 'key', recipient: { teamId }, stage: null, mayRepeat },
        ...texts,
      },
    };
  }

  const resolution = ({ page: _, reasons, ...signal }: PageSignal & { action: 'trigger' }): PageSignal => ({
    ...signal,
    action: 'resolve',
    lineOnly: false,
  });

  async function applied(signals: readonly PageSignal[], notified = 1): Promise<Seen> {
    const { seen, ...rest } = services(notified);
    const work = (tx: Tx) => applySignals(tx, rest, now, signals);
    const { outcomes, leavesSteps } = await db.transaction().execute(work);
    assert.ok(outcomes.every(({ action }) => action !== 'ignored'));
    return { ...seen, isLeftToWorkers: leavesSteps };
  }

  it('are sent as the events that raise them are applied, up to the same numbers', async () => {
    const many = (count: number, inTeams = 1) =>
      Array.from({ length: count }, (_, n) => trigger({ team: n % inTeams }));
    assert.deepEqual(await applied(many(MOST_PAGES, MOST_TEAMS)), sent);
    assert.deepEqual(await applied(many(MOST_PAGES + 1)), left);
    assert.deepEqual(await applied(many(MOST_TEAMS + 1, MOST_TEAMS + 1)), left);
    assert.deepEqual(await applied(many(2), MOST_NOTIFIED_AT_ONCE / 2 + 1), { ...left, isConsidered: true });
  });

  it('are left to workers if a lifeboat may know an answer, or if people may have been notified', async () => {
    assert.deepEqual(await applied([trigger({ agoMs: 2_000 })]), sent);
    assert.deepEqual(await applied([trigger({ agoMs: 2_001 })]), left);
    assert.deepEqual(await applied([trigger({ mayRepeat: true })]), left);
  });

  it('notify nobody if they are resolved by the events that follow', async () => {
    const ended = trigger();
    assert.deepEqual(await applied([ended, resolution(ended)]), left);
    assert.deepEqual(await applied([ended, resolution(ended), trigger()]), {
      ...sent,
      isLeftToWorkers: true,
    });
  });

  it('wake no worker if they only repeat, and wake one if their urgency rises', async () => {
    const first = trigger();
    assert.deepEqual(await applied([first, first]), sent);
    const nothing = { isConsidered: false, isStored: false, isLeftToWorkers: false };
    assert.deepEqual(await applied([first]), nothing);
    const urgent = { ...first, page: { ...first.page, urgency: 'high' as const } };
    assert.deepEqual(await applied([urgent]), { ...nothing, isLeftToWorkers: true });
  });

  it('are decided with the rows that are stored', async () => {
    const { rows } = await sql<{ id: string }>`select id from pages`.execute(db);
    const signal = trigger({ agoMs: 5 });
    await applied([signal]);
    const stored = await db
      .transaction()
      .execute(async (tx) => [...(await openPages(tx, [signal])).values()]);
    const [page] = stored;
    assert.ok(page && stored.length === 1 && !rows.some(({ id }) => id === page.id));
    const { scope, dedupKey, receivedAt, source, userId, reasons } = signal;
    const given = {
      ...{ ...signal.page, requestId: page.requestId, mayRepeat: false, organizationId: acme.id },
      ...{ id: page.id, replyCode: page.replyCode, ownRequest: true },
      ...{ scope, dedupKey, receivedAt, source, userId, reasons },
    };
    assert.deepEqual(newKeyedPage(given, now), page);
  });
});
