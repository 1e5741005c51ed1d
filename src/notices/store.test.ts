import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { testDatabase } from '../../testing/database.ts';
import { type Organization, seedOrganization } from '../../testing/organization.ts';
import { MovableClock } from '../db/clock.ts';
import { createDatabase, createPool, type Database } from '../db/database.ts';
import { createSealing } from '../kit/sealing.ts';
import type { Notice } from './contract.ts';
import { queueMessage, queueNotices } from './store.ts';

describe('notices', () => {
  let test: Awaited<ReturnType<typeof testDatabase>>;
  let db: Database;
  let acme: Organization;
  const clock = new MovableClock();

  before(async () => {
    test = await testDatabase();
    db = createDatabase(createPool({ connection: { connectionString: test.url }, max: 2, name: 'notices' }));
    acme = await seedOrganization(
      { db, clock, sealing: createSealing(randomBytes(32)) },
      {
        people: {
          ada: {
            methods: [
              { type: 'phone', value: '+15005550006' },
              { type: 'email', value: 'ada@example.com' },
              { type: 'chat', value: 'ada', chatUserId: 'U1', verified: false },
              { type: 'webhook', value: 'http://127.0.0.1:1/ada' },
            ],
          },
          grace: {},
        },
      },
    );
  });
  after(async () => {
    await db.destroy();
    await test.drop();
  });

  const notice = (person: string, more: Partial<Notice> = {}): Notice => ({
    organizationId: acme.id,
    userId: acme.users[person] ?? '',
    kind: 'shift.changed',
    subject: 'Your shift moved',
    text: 'Monday is yours now.',
    path: null,
    dedupKey: null,
    ...more,
  });
  const queue = (...notices: Notice[]) =>
    db.transaction().execute(async (tx) => queueNotices(tx, await clock.now(tx), () => notices));
  const inserted = () => db.selectFrom('notices').select(['user_id', 'subject']).orderBy('id').execute();
  const messages = () => db.selectFrom('messages').select(['channel', 'address']).orderBy('id').execute();

  it('is shown in the dashboard and sent to verified quiet methods with notices enabled', async () => {
    await queue(notice('ada'), notice('grace'));
    assert.deepEqual(
      (await inserted()).map((row) => row.user_id),
      [acme.users.ada, acme.users.grace],
    );
    assert.deepEqual(await messages(), [{ channel: 'email', address: 'ada@example.com' }]);
  });

  it('queues a dedup key only once, in one call or several', async () => {
    const before = (await inserted()).length;
    const gap = notice('ada', { dedupKey: 'gap 1', subject: 'x'.repeat(1_000) });
    await queue(gap, gap, notice('grace', { dedupKey: 'gap 1' }));
    await queue(gap);
    assert.equal((await inserted()).length, before + 2);
    assert.equal((await messages()).length, 2);
  });

  it('skips people of another organization and people who are disabled', async () => {
    const before = (await inserted()).length;
    await db
      .updateTable('users')
      .set({ disabled_at: await clock.now(db) })
      .where('id', '=', acme.users.grace ?? '')
      .execute();
    await queue(
      notice('grace'),
      notice('ada', { organizationId: 'organization_01jd0000000000000000000000' }),
    );
    assert.equal((await inserted()).length, before);
  });

  it('goes to an address that does not belong to anybody yet, once for each key', async () => {
    const send = () =>
      db.transaction().execute(async (tx) => {
        const at = await clock.now(tx);
        await queueMessage(tx, at, {
          organizationId: acme.id,
          channel: 'email',
          address: 'new@example.com',
          readerId: null,
          words: () => ({ subject: 'Join Acme', text: 'Ada invites you.' }),
          url: 'https://tocsin.example.com/invitation',
          dedupKey: 'invitation 1',
          expiresAt: at.add({ hours: 24 }),
        });
      });
    await send();
    await send();
    assert.equal((await messages()).filter(({ address }) => address === 'new@example.com').length, 1);
  });
});
