import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Organization, seedOrganization } from '../../testing/organization.ts';
import { MovableClock } from '../db/clock.ts';
import { createDatabase, createPool, type Database } from '../db/database.ts';
import { createLog } from '../kit/log.ts';
import { createSealing } from '../kit/sealing.ts';
import { newId } from '../kit/typeid.ts';
import { createAcceptor, inOneStatement, queuedEnvelope, type WriteRequests } from './accept.ts';
import type { Acceptance } from './acceptance.ts';
import { createRecovery } from './recovery.ts';

describe('a request whose outcome one node does not know', () => {
  const clock = new MovableClock();
  let database: TestDatabase;
  let db: Database;
  let acme: Organization;
  before(async () => {
    database = await testDatabase();
    db = createDatabase(createPool({ connection: { connectionString: database.url }, max: 2, name: 'test' }));
    acme = await seedOrganization(
      { db, clock, sealing: createSealing(Buffer.alloc(32)) },
      { people: { ada: {} } },
    );
  });
  after(async () => {
    await db.destroy();
    await database.drop();
  });

  const write = inOneStatement(clock, () => sql`others as (select 1)`);
  /** The connection breaks before the commit. */
  const broken: WriteRequests = async () => {
    throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
  };
  const request = (key: string): Acceptance => {
    const requestId = newId('request');
    return {
      ...{ requestId, organizationId: acme.id, kind: 'page.team', credential: 'key', row: {} },
      idempotency: { key, fingerprint: Buffer.alloc(32) },
      envelope: queuedEnvelope(requestId, 'queued', []),
    };
  };
  const stored = async () => (await db.selectFrom('requests').select('id').execute()).map(({ id }) => id);

  it('is written again if its sender had used its key more than a day before', async () => {
    const recovery = createRecovery(createLog('silent'));
    const here = createAcceptor(
      db,
      (handle, items, again) => (again ? write : broken)(handle, items, again),
      { recovery },
    );
    await createAcceptor(db, write).write(request('every day'));
    await sql`
      update idempotency_keys set created_at = created_at - interval '24 hours 1 minute' where key = 'every day'`.execute(
      db,
    );
    const today = request('every day');
    await assert.rejects(here.write(today));
    recovery.promoted();
    assert.equal(await recovery.recover(db), 1);
    assert.ok((await stored()).includes(today.requestId));
  });

  for (const [when, hours] of [
    ['at once', 0],
    ['days later', 49],
  ] as const)
    it(`is not written again ${when} if the sender repeated it at another node`, async () => {
      const recovery = createRecovery(createLog('silent'));
      const here = createAcceptor(
        db,
        (handle, items, again) => (again ? write : broken)(handle, items, again),
        { recovery },
      );
      const elsewhere = createAcceptor(db, write);
      const [first, repeated] = [request(when), request(when)];
      await assert.rejects(here.write(first));
      await elsewhere.write(repeated);
      clock.advance({ hours });
      recovery.promoted();
      assert.equal(await recovery.recover(db), 0);
      assert.ok((await stored()).includes(repeated.requestId));
      assert.ok(!(await stored()).includes(first.requestId));
    });

  it('is written again if nobody repeated it', async () => {
    const recovery = createRecovery(createLog('silent'));
    const here = createAcceptor(
      db,
      (handle, items, again) => (again ? write : broken)(handle, items, again),
      { recovery },
    );
    const only = request('never repeated');
    await assert.rejects(here.write(only));
    recovery.promoted();
    assert.equal(await recovery.recover(db), 1);
    assert.ok((await stored()).includes(only.requestId));
  });
});
