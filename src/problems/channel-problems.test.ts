import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { testDatabase } from '../../testing/database.ts';
import { MovableClock } from '../db/clock.ts';
import { createDatabase, createPool, type Database } from '../db/database.ts';
import { createLog } from '../kit/log.ts';
import { type ChannelProblems, createChannelProblems } from './channel-problems.ts';
import { openProblems } from './store.ts';

describe('failures of a provider', () => {
  let test: Awaited<ReturnType<typeof testDatabase>>;
  let db: Database;
  const clock = new MovableClock();
  let one: ChannelProblems;
  let other: ChannelProblems;

  before(async () => {
    test = await testDatabase();
    db = createDatabase(createPool({ connection: { connectionString: test.url }, max: 2, name: 'problems' }));
    [one, other] = [
      createChannelProblems(db, clock, createLog('silent')),
      createChannelProblems(db, clock, createLog('silent')),
    ];
  });
  after(async () => {
    await db.destroy();
    await test.drop();
  });

  const open = async () =>
    (await openProblems(db, 'organization_x')).map(({ subject, code, count }) => [subject, code, count]);
  const refused = { code: 'credentials', fix: 'Correct SMTP_URL.' };

  it('are one problem, with a count and its first and last time', async () => {
    one.failed('email', refused, 'The server refuses the password.');
    one.failed('email', refused, 'The server refuses the password.');
    await one.flush();
    clock.advance({ minutes: 5 });
    other.failed('email', refused, 'The server refuses it still.');
    await other.flush();
    const [problem] = await openProblems(db, 'organization_x');
    assert.deepEqual([problem?.subject, problem?.count, problem?.webhook], ['channel:email', 3, null]);
    assert.equal(problem?.message, 'The server refuses it still.');
    const between = problem ? problem.lastAt.since(problem.firstAt).total('minutes') : 0;
    assert.ok(between >= 5 && between < 6, String(between));
  });

  it('close it when the channel works again, on any node, and open a new one later', async () => {
    other.worked('sms');
    await other.flush();
    assert.deepEqual(await open(), [['channel:email', 'credentials', 3]]);
    other.worked('email');
    await other.flush();
    assert.deepEqual(await open(), []);
    one.worked('email');
    one.failed('email', refused, 'Again.');
    await one.flush();
    assert.deepEqual(await open(), [['channel:email', 'credentials', 1]]);
    one.worked('email');
    await one.flush();
    assert.deepEqual(await open(), []);
  });
});
