import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { MovableClock } from '../db/clock.ts';
import { createDatabase, createPool, type Database } from '../db/database.ts';
import { createLog } from '../kit/log.ts';
import { createClockSteps } from './clock-step.ts';
import { insertNode, signOfLife } from './store.ts';

describe('a changed clock', () => {
  let database: TestDatabase;
  let db: Database;
  let node: number;
  const clock = new MovableClock();
  let steadyMs = 0;

  before(async () => {
    database = await testDatabase();
    db = createDatabase(createPool({ connection: { connectionString: database.url }, max: 4, name: 'test' }));
    node = await insertNode(db, clock, {
      role: 'worker',
      public_url: null,
      host: 'here',
      pid: 1,
      version: '0.0.0',
    });
  });
  after(async () => {
    await db.destroy();
    await database.drop();
  });

  const steps = () =>
    createClockSteps({ db, clock, log: createLog('silent'), nodeId: () => node }, () => steadyMs);
  const look = async (one: ReturnType<typeof steps>) => one.follow(await clock.now(db), steadyMs);
  /** Time passes for everybody. */
  const pass = (ms: number) => {
    clock.step({ milliseconds: ms });
    steadyMs += ms;
  };

  it('is followed by only one of several nodes', async () => {
    const nodes = [steps(), steps(), steps()];
    for (const one of nodes) assert.equal(await look(one), false);
    pass(250);
    for (const one of nodes) assert.equal(await look(one), false);
    clock.step({ hours: -1 });
    const followed = await Promise.all(nodes.map(look));
    assert.equal(followed.filter(Boolean).length, 1);
    pass(250);
    for (const one of nodes) assert.equal(await look(one), false);
  });

  it('is noticed by a node that starts afterwards', async () => {
    await signOfLife(db, clock, node);
    clock.step({ minutes: -10 });
    assert.equal(await look(steps()), true);
    assert.equal(await look(steps()), false);
  });

  it('is followed even if it had been set forward only a moment before', async () => {
    const one = steps();
    await look(one);
    clock.step({ hours: 1 });
    await look(one);
    pass(250);
    clock.step({ hours: -1 });
    assert.equal(await look(one), true);
  });

  it('makes leases count for nothing for a while only if it jumped', async () => {
    const one = steps();
    await look(one);
    pass(60_000);
    await look(one);
    assert.equal(one.leasesCount(), true);
    clock.advance({ hours: 1 });
    await look(one);
    assert.equal(one.leasesCount(), true, 'a story moved it');
    clock.step({ hours: 1 });
    await look(one);
    assert.equal(one.leasesCount(), false);
    pass(14_000);
    await look(one);
    assert.equal(one.leasesCount(), false);
    pass(2_000);
    assert.equal(one.leasesCount(), true);
  });
});
