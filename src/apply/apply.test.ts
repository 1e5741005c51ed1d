import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { applying, example, headlines, twoPeople } from '../../testing/applying.ts';
import { eventually } from '../../testing/eventually.ts';
import { lockSchedules } from '../covers/roster-store.ts';
import { appliedText } from './present.ts';

const { apply, count, db, problemsOf } = applying();

describe('the example', () => {
  it('creates an organization in an empty database, and plans without gaps', async () => {
    const applied = await apply(example);
    assert.deepEqual(headlines(applied), [
      '+ organization Acme',
      '+ user ada@example.com',
      '+ user grace@example.com',
      '+ user alan@example.com',
      '+ user katherine@example.com',
      '+ team sre',
      '+ team payments',
      '+ schedule SRE',
      '+ schedule Payments',
      '+ availability alan@example.com',
      '+ availability ada@example.com',
    ]);
    assert.deepEqual(applied.notes, []);
    assert.deepEqual(
      applied.plans.map(({ gaps }) => gaps),
      [[], []],
    );
    assert.equal(applied.secrets.length, 4);
    assert.ok((await count('shifts')) > 50);
  });

  it('changes nothing the second time, and reports that', async () => {
    await apply(example);
    const again = await apply(example);
    assert.deepEqual(again.changes, []);
    assert.deepEqual(again.secrets, []);
    assert.match(
      appliedText(again, { dryRun: false, prune: false }),
      /^Nothing changes: Acme is as the file says\.$/,
    );
    assert.ok(again.plans.every(({ added, changed, removed }) => added + changed + removed === 0));
    assert.deepEqual((await apply(example, { prune: true })).changes, []);
  });

  it('can be previewed: a dry run reports the same and saves nothing', async () => {
    const dry = await apply(example, { dryRun: true });
    assert.equal(await count('organizations'), 0);
    assert.equal(await count('audit_log'), 0);
    const real = await apply(example);
    assert.deepEqual(headlines(dry), headlines(real));
    assert.doesNotMatch(appliedText(dry, { dryRun: true, prune: false }), /whsec_/);
    assert.match(appliedText(dry, { dryRun: true, prune: false }), /nothing was changed/);
  });
});

describe('everything that the file does not mention stays', () => {
  it('other people, teams and schedules, and other keys of those that it mentions', async () => {
    await apply(twoPeople);
    const applied = await apply(`
users:
  - { email: ada@example.com, name: Ada Lovelace }
schedules:
  - { name: SRE, description: Round the clock }
`);
    assert.deepEqual(headlines(applied), ['~ user ada@example.com', '~ schedule SRE']);
    assert.deepEqual(applied.changes[0]?.details, ['name: was Ada, is Ada Lovelace']);
    const ada = await db()
      .selectFrom('users')
      .selectAll()
      .where('email', '=', 'ada@example.com')
      .executeTakeFirstOrThrow();
    assert.equal(ada.role, 'owner');
    assert.equal(await count('users'), 2);
    const methods = await db()
      .selectFrom('contact_methods')
      .select('value')
      .where('user_id', '=', ada.id)
      .execute();
    assert.deepEqual(methods, [{ value: 'ada@example.com' }]);
  });

  it('lists in the file replace the existing ones', async () => {
    await apply(twoPeople);
    const applied = await apply(`
users:
  - { email: ada@example.com, contact_methods: [{ type: phone, value: "+15005550006" }] }
teams:
  - { slug: sre, members: [ada@example.com] }
`);
    assert.deepEqual(
      applied.changes.map(({ details }) => details),
      [['contact methods: was email ada@example.com, is phone +15005550006'], ['members: - bob@example.com']],
    );
  });

  it('null removes the existing value', async () => {
    await apply(twoPeople);
    const applied = await apply('schedules:\n  - { name: SRE, backstop: null, description: ~ }\n');
    assert.deepEqual(
      applied.changes.map(({ details }) => details),
      [['backstop: was Ada, is nobody']],
    );
  });
});

describe('the organization of a file', () => {
  it('is the only one, which gets a new name with the same people', async () => {
    await apply(twoPeople);
    const applied = await apply('organization: { name: Acme GmbH }\nusers: [ { email: ada@example.com } ]\n');
    assert.deepEqual(headlines(applied), ['~ organization Acme GmbH']);
    assert.equal(await count('organizations'), 1);
  });

  it('is a new one if none of its people is known and the existing one is in use', async () => {
    await apply(twoPeople);
    await apply('organization: { name: Globex }\nusers: [ { email: hank@example.org } ]\n');
    assert.equal(await count('organizations'), 2);
    const applied = await apply('organization: { name: acme }\nusers: [ { email: zoe@example.com } ]\n');
    assert.deepEqual(headlines(applied), ['~ organization acme', '+ user zoe@example.com']);
    assert.deepEqual(await problemsOf('users: [ { email: hank@example.org } ]\n'), [
      '1:1 organization.name is missing, and the database has several organizations; give one of acme, Globex',
    ]);
  });

  it('must be named for the first one', async () => {
    assert.deepEqual(await problemsOf('users: [ { email: hank@example.org } ]\n'), [
      '1:1 organization.name is missing; give the name of your organization, such as Acme',
    ]);
  });
});

describe('an interruption', () => {
  it('an error at any time rolls back everything', async () => {
    for (const moment of ['Planning Payments …', 'Planning SRE …', 'Saving …']) {
      const interrupt = (sentence: string) => {
        if (sentence === moment) throw new Error('interrupted');
      };
      await assert.rejects(apply(example, {}, interrupt), /interrupted/);
      assert.equal(await count('organizations'), 0, moment);
    }
  });
});

describe('two files at the same time', () => {
  it('are applied one after the other', async () => {
    await Promise.all([apply(twoPeople), apply(twoPeople), apply(example)]);
    assert.equal(await count('organizations'), 1);
    assert.equal(await count('schedules'), 2);
  });
});

it('a file locks its schedules in the same order as a swap, whatever their order in it', async () => {
  const schedule = (name: string) => `
  - name: ${name}
    team: sre
    shifts: { every: day, handoff: "09:00" }
    stages: [ { stage: 1, members: [ada@example.com, bob@example.com] } ]`;
  const file = (...names: string[]) =>
    twoPeople.replace(
      /schedules:[\s\S]*(?=availabilities:)/,
      () => `schedules:${names.map(schedule).join('')}\n`,
    );
  await apply(file('One', 'Two'));
  const [lower, higher] = await db().selectFrom('schedules').select(['id', 'name']).orderBy('id').execute();
  assert.ok(lower && higher);
  let applied: ReturnType<typeof apply> | undefined;
  await db()
    .transaction()
    .execute(async (swap) => {
      await lockSchedules(swap, [lower.id]);
      applied = apply(file(higher.name, lower.name));
      await eventually(isWaiting, true);
      await sql`set local lock_timeout = '1s'`.execute(swap);
      await lockSchedules(swap, [higher.id]);
    });
  assert.deepEqual((await applied)?.changes, []);
});

/** Whether a statement waits for a lock. */
async function isWaiting(): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`
    select exists (select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock') as waits`.execute(db());
  return rows[0]?.waits ?? false;
}

describe('the audit log', () => {
  it('records the changes without a person, because the operator made them', async () => {
    await apply(twoPeople);
    await apply('users: [ { email: ada@example.com, name: Ada Lovelace } ]\n');
    const last = await db()
      .selectFrom('audit_log')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    assert.equal(last.action, 'apply.user.change');
    assert.equal(last.user_id, null);
    assert.deepEqual(last.data, { name: 'ada@example.com', details: ['name: was Ada, is Ada Lovelace'] });
  });
});
