import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { applying, headlines, twoPeople } from '../../testing/applying.ts';
import { followRecords, insertSource } from '../availability/sources-store.ts';
import { databaseClock } from '../db/clock.ts';
import { newKey } from '../keys/key.ts';
import { insertKey } from '../keys/store.ts';
import { newId } from '../kit/typeid.ts';

const { apply, db } = applying();

describe('--prune', () => {
  const onlyAda = `
organization: { name: Acme }
users: [ { email: ada@example.com, name: Ada } ]
teams: [ { slug: web, members: [ada@example.com] } ]
`;

  it('removes everything that the file does not mention', async () => {
    await apply(twoPeople);
    await sql`delete from shifts`.execute(db());
    const applied = await apply(onlyAda, { prune: true });
    assert.deepEqual(headlines(applied), [
      '+ team web',
      '- schedule SRE',
      '- availability bob@example.com',
      '- team sre',
      '- user bob@example.com',
    ]);
    assert.deepEqual((await apply(onlyAda, { prune: true })).changes, []);
  });

  it('disables people with a history, and ends their access', async () => {
    await apply(twoPeople);
    const bob = await db()
      .selectFrom('users')
      .selectAll()
      .where('email', '=', 'bob@example.com')
      .executeTakeFirstOrThrow();
    const { hash, hint } = newKey();
    await insertKey(db(), databaseClock, {
      id: newId('api_key'),
      organizationId: bob.organization_id,
      userId: bob.id,
      name: 'laptop',
      hash,
      hint,
      scopes: null,
      expiresAt: null,
    });
    const applied = await apply(onlyAda, { prune: true });
    assert.deepEqual(
      headlines(applied).filter((line) => line.includes('user')),
      ['~ user bob@example.com'],
    );
    const { disabled_at } = await db()
      .selectFrom('users')
      .select('disabled_at')
      .where('id', '=', bob.id)
      .executeTakeFirstOrThrow();
    assert.notEqual(disabled_at, null);
    const keys = await db().selectFrom('api_keys').select('revoked_at').execute();
    assert.ok(keys.every(({ revoked_at }) => revoked_at !== null));
    assert.deepEqual((await apply(onlyAda, { prune: true })).changes, []);
    const back = await apply(twoPeople);
    assert.match(
      back.changes.find(({ name }) => name === 'bob@example.com')?.details.join() ?? '',
      /is enabled again/,
    );
  });

  it('leaves an owner, whatever the file says', async () => {
    await apply(twoPeople);
    const applied = await apply('organization: { name: Acme }\nusers: [ { email: bob@example.com } ]\n', {
      prune: true,
    });
    assert.match(applied.notes.join('\n'), /user ada@example\.com stays: the file names no owner/);
    const owners = await db()
      .selectFrom('users')
      .select('email')
      .where('role', '=', 'owner')
      .where('disabled_at', 'is', null)
      .execute();
    assert.deepEqual(owners, [{ email: 'ada@example.com' }]);
  });

  it('keeps a team with moments or pages, without its members', async () => {
    await apply(twoPeople);
    await sql`insert into moments (id, organization_id, team_id, name, type, priority, occurred_at, state, last_event_at, created_at, updated_at)
      select ${newId('moment')}, organization_id, id, 'x', 'alert', 'high', now(), 'open', now(), now(), now() from teams`.execute(
      db(),
    );
    const applied = await apply(onlyAda, { prune: true });
    assert.match(applied.notes.join('\n'), /team sre stays, without members/);
    assert.ok(headlines(applied).includes('~ team sre'));
  });

  it('keeps past absences', async () => {
    await apply(
      `${twoPeople}  - { user: ada@example.com, type: requested, start: 2020-01-01T00:00:00Z, end: 2020-01-02T00:00:00Z }\n`,
    );
    await apply(onlyAda, { prune: true });
    const left = await db().selectFrom('availabilities').select('type').execute();
    assert.deepEqual(left, [{ type: 'requested' }]);
  });

  it('keeps absences that follow a calendar or repeat, because the file cannot mention either', async () => {
    await apply(twoPeople);
    const ada = await db()
      .selectFrom('users')
      .select(['id', 'organization_id'])
      .where('email', '=', 'ada@example.com')
      .executeTakeFirstOrThrow();
    await db()
      .transaction()
      .execute(async (tx) => {
        const at = await databaseClock.now(tx);
        const source = {
          id: newId('availability_source'),
          organization_id: ada.organization_id,
          user_id: ada.id,
        };
        const values = { ...source, type: 'hard_unavailable' as const, private: false };
        await insertSource(tx, at, {
          ...{ ...values, created_by: ada.id, name: 'Calendar', url_sealed: null, host: null, content: '' },
          ...{ events: 'all', words: [], etag: null },
        });
        const [startsAt, endsAt] = [at.add({ hours: 24 }), at.add({ hours: 48 })];
        await followRecords(tx, at, values, [{ event: '1', name: 'Crete', startsAt, endsAt }]);
      });
    const applied = await apply(onlyAda, { prune: true });
    assert.deepEqual(
      headlines(applied).filter((line) => line.includes('availability')),
      ['- availability bob@example.com'],
    );
    const left = await db().selectFrom('availabilities').select('name').execute();
    assert.deepEqual(left, [{ name: 'Crete' }]);
  });

  it('lets a new address take over the name of an old one', async () => {
    await apply(
      'organization: { name: Acme }\nusers: [ { email: old@example.com, username: ada, role: owner }, { email: o@example.com, role: owner } ]\n',
    );
    const text =
      'organization: { name: Acme }\nusers: [ { email: new@example.com, username: ada }, { email: o@example.com } ]\n';
    const applied = await apply(text, { prune: true });
    assert.deepEqual(headlines(applied), ['+ user new@example.com', '- user old@example.com']);
  });
});
