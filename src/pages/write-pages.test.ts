import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Organization, seedOrganization } from '../../testing/organization.ts';
import { databaseClock } from '../db/clock.ts';
import { createDatabase, createPool, type Database } from '../db/database.ts';
import { createLog } from '../kit/log.ts';
import { createSealing } from '../kit/sealing.ts';
import { newId } from '../kit/typeid.ts';
import { queuedEnvelope } from '../requests/accept.ts';
import type { Acceptance } from '../requests/acceptance.ts';
import type { Notifier } from './notifier.ts';
import { MOST_NOTIFIED_AT_ONCE } from './steps.ts';
import { MOST_PAGES, MOST_TEAMS, writePages } from './write-pages.ts';

describe('pages that arrive together', () => {
  let database: TestDatabase;
  let db: Database;
  let acme: Organization;
  const teams = Array.from({ length: MOST_TEAMS + 1 }, (_, n) => `team${n}`);

  before(async () => {
    database = await testDatabase();
    const pool = createPool({ connection: { connectionString: database.url }, max: 2, name: 'pages' });
    db = createDatabase(pool);
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

  /** Writes them where first steps may run; `notified`: how many people each of them notifies. */
  async function written(items: readonly Acceptance[], notified: number) {
    const seen = { isConsidered: false, isStored: false, isLeftToWorkers: false };
    const notifier = {
      async prepare(_tx, groups) {
        const userIds = Array.from({ length: notified }, () => acme.users.ada ?? '');
        return {
          runs: groups.map(() => ({ userIds, unreachable: [], lastAfterMs: 0 })),
          async storing() {
            seen.isStored = true;
            return { statements: () => [], tail: () => null, read: null, send: () => undefined };
          },
        };
      },
    } as Pick<Notifier, 'prepare'> as Notifier;
    const write = writePages({
      ...{ db, clock: databaseClock, log: createLog('silent'), notifier },
      means: { unavailable: new Map(), allowPrivate: true },
      wake() {
        seen.isLeftToWorkers = true;
      },
      mayRunSteps() {
        seen.isConsidered = true;
        return true;
      },
    });
    const ids = await db.connection().execute((lent) => write(lent, items, false));
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
});
