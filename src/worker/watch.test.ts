import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { seedOrganization } from '../../testing/organization.ts';
import { MovableClock } from '../db/clock.ts';
import { createDatabase, createPool, type Database } from '../db/database.ts';
import { createWrites } from '../db/writes.ts';
import { createLog } from '../kit/log.ts';
import { createSealing } from '../kit/sealing.ts';
import type { Shortage } from './room.ts';
import { createWatch, type Watch } from './watch.ts';

describe('two machines, of which one has a disk that is nearly full', () => {
  const clock = new MovableClock();
  let database: TestDatabase;
  let db: Database;
  let shortages: Shortage[] = [{ of: 'disk', message: 'Full.', effect: 'Uploads stop.', fix: 'free space' }];
  let full: Watch;
  let roomy: Watch;

  const watch = (node: number, of: () => readonly Shortage[]): Watch =>
    createWatch({
      ...{ db, clock, writes: createWrites(), log: createLog('silent'), node: () => node },
      ...{ alarmSeconds: 30, synthetic: null, hasLifeboats: false },
      room: {
        look: async () => undefined,
        ...{ isLow: () => false, isDiskLow: () => of().length > 0, shortages: of, sentence: () => '' },
      },
      holdsBack: () => false,
      onAlarm: () => undefined,
    });

  /** Both look as often as in the service. */
  async function look(times: number): Promise<void> {
    for (let time = 0; time < times; time++) {
      await full.look();
      await roomy.look();
      clock.advance({ seconds: 5 });
    }
  }

  const alarms = () =>
    db
      .selectFrom('problems')
      .select(({ fn }) => fn.countAll<number>().as('all'))
      .select(({ fn, eb }) =>
        fn
          .countAll<number>()
          .filterWhere(eb('closed_at', 'is', null))
          .as('open'),
      )
      .where('code', '=', 'little_room')
      .executeTakeFirstOrThrow();
  const notices = async () => (await db.selectFrom('notices').select('id').execute()).length;

  before(async () => {
    database = await testDatabase();
    db = createDatabase(createPool({ connection: { connectionString: database.url }, max: 2, name: 'test' }));
    await seedOrganization({ db, clock, sealing: createSealing(Buffer.alloc(32)) }, { people: { ada: {} } });
    await db.updateTable('users').set({ role: 'owner' }).execute();
    full = watch(1, () => shortages);
    roomy = watch(2, () => []);
  });
  after(async () => {
    await db.destroy();
    await database.drop();
  });

  it('send the owners one notice, and close the problem when there is room again', async () => {
    await look(5);
    assert.deepEqual(await alarms(), { all: 1, open: 1 });
    assert.equal(await notices(), 1);
    shortages = [];
    await look(5);
    assert.deepEqual(await alarms(), { all: 1, open: 0 });
  });
});
