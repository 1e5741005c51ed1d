import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { applying } from '../../testing/applying.ts';
import { eventually } from '../../testing/eventually.ts';
import { databaseClock } from '../db/clock.ts';
import { newId } from '../kit/typeid.ts';
import { lockPerson } from '../people/store.ts';
import { createSolver } from '../planning/threads/solver.ts';
import { applyFile } from './apply.ts';

const { apply, db, problemsOf, sealing } = applying();

/** A file with these people. */
const people = (...users: string[]) =>
  `organization: { name: Acme }\nusers:\n${users.map((user) => `  - { ${user} }\n`).join('')}`;

describe('contact methods', () => {
  const withMethods = (methods: string) =>
    `organization: { name: Acme }\nusers:\n  - { email: ada@example.com, contact_methods: [${methods}] }\n`;
  const stored = () =>
    db()
      .selectFrom('contact_methods')
      .select(['id', 'type', 'value', 'signing_secret', 'verified_at'])
      .orderBy('position')
      .execute();

  it('keep their identity and their secret if their order changes', async () => {
    const hook = '{ type: webhook, value: "https://example.com/ada" }';
    const mail = '{ type: email, value: ada@example.com }';
    const first = await apply(withMethods(`${hook}, ${mail}`));
    const before = await stored();
    const [secret] = first.secrets;
    assert.match(secret?.signingSecret ?? '', /^whsec_[A-Za-z0-9+/]{43}=$/);
    const second = await apply(withMethods(`${mail}, ${hook}`));
    assert.deepEqual(second.secrets, []);
    assert.deepEqual(
      (await stored()).map(({ id }) => id),
      before.map(({ id }) => id).toReversed(),
    );
    const sealed = (await stored())[1]?.signing_secret;
    assert.equal(sealed && sealing.open(sealed), secret?.signingSecret);
    assert.ok((await stored()).every(({ verified_at }) => verified_at !== null));
  });

  it('use the secret in the file, and never show it', async () => {
    const given = `whsec_${randomBytes(32).toString('base64')}`;
    const hook = (secret: string) =>
      `{ type: webhook, value: "https://example.com/ada", signing_secret: "${secret}" }`;
    const first = await apply(withMethods(hook(given)));
    assert.deepEqual(first.secrets, []);
    const other = `whsec_${randomBytes(32).toString('base64')}`;
    const changed = await apply(withMethods(hook(other)));
    assert.deepEqual(changed.changes[0]?.details, [
      'webhook https://example.com/ada has a new signing secret',
    ]);
    const sealed = (await stored())[0]?.signing_secret;
    assert.equal(sealed && sealing.open(sealed), other);
    const audit = JSON.stringify(await db().selectFrom('audit_log').selectAll().execute());
    assert.doesNotMatch(audit, /whsec_/);
  });

  it("use a webhook's events in the file, and keep them if it leaves them out", async () => {
    const hook = (more: string) => `{ type: webhook, value: "https://example.com/ada"${more} }`;
    const events = () => db().selectFrom('contact_methods').select('events').execute();
    await apply(withMethods(hook('')));
    const chosen = await apply(withMethods(hook(', events: [shifts, moments]')));
    assert.deepEqual(chosen.changes[0]?.details, [
      'events of webhook https://example.com/ada: was none, is moments, shifts',
    ]);
    assert.deepEqual((await apply(withMethods(hook(', events: [moments, shifts]')))).changes, []);
    assert.deepEqual((await apply(withMethods(hook('')))).changes, []);
    assert.deepEqual((await events())[0]?.events.toSorted(), ['moments', 'shifts']);
    await apply(withMethods(hook(', events: []')));
    assert.deepEqual(await events(), [{ events: [] }]);
    assert.match(
      (await problemsOf(withMethods('{ type: email, value: ada@example.com, events: [shifts] }'))).join(),
      /contact_methods\[0\]\.events belongs to a contact method of type webhook, and this one is email; leave it out/,
    );
    assert.match(
      (await problemsOf(withMethods(hook(', events: [pages]')))).join(),
      /contact_methods\[0\]\.events\[0\] is "pages"/,
    );
  });

  it('that a browser created do not change', async () => {
    await apply(withMethods('{ type: email, value: ada@example.com }'));
    await sql`insert into contact_methods (id, organization_id, user_id, position, type, value, push_keys, created_at, updated_at)
      select ${newId('contact_method')}, organization_id, id, 0, 'push', 'https://push.example.com/1', '{}', now(), now() from users`.execute(
      db(),
    );
    const applied = await apply(withMethods('{ type: phone, value: "+15005550006" }'));
    assert.equal(applied.changes.length, 1);
    assert.deepEqual((await stored()).map(({ type }) => type).toSorted(), ['phone', 'push']);
  });

  it('may be shared by two people', async () => {
    const methods = 'contact_methods: [{ type: phone, value: "+15005550006" }]';
    const text = `organization: { name: Acme }\nusers:\n  - { email: a@example.com, ${methods} }\n  - { email: b@example.com, ${methods} }\n`;
    await apply(text);
    assert.equal((await stored()).length, 2);
  });
});

describe('usernames', () => {
  const usernames = async () =>
    Object.fromEntries(
      (await db().selectFrom('users').select(['email', 'username']).orderBy('email').execute()).map(
        (user) => [user.email, user.username],
      ),
    );

  it('are the part before the @ until somebody chooses one, with a number if that is taken', async () => {
    await apply(
      people('email: ada@example.com', 'email: Ada@example.org', 'email: bob@example.com, username: Ada-3'),
    );
    assert.deepEqual(await usernames(), {
      'Ada@example.org': 'ada-2',
      'ada@example.com': 'ada',
      'bob@example.com': 'Ada-3',
    });
  });

  it('can be exchanged', async () => {
    await apply(people('email: a@example.com, username: x', 'email: b@example.com, username: y'));
    await apply(people('email: a@example.com, username: y', 'email: b@example.com, username: x'));
    assert.deepEqual(await usernames(), { 'a@example.com': 'y', 'b@example.com': 'x' });
  });

  it('that somebody else keeps are refused at their place', async () => {
    await apply(people('email: a@example.com, username: x'));
    assert.deepEqual(await problemsOf(people('email: b@example.com, username: X')), [
      '3:39 users[0].username is X, which a@example.com has; give another one',
    ]);
  });
});

/** Whether a transaction waits for a lock. */
async function isWaiting(): Promise<boolean | undefined> {
  const { rows } = await sql<{ waits: boolean }>`
    select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`.execute(
    db(),
  );
  return rows[0]?.waits;
}

describe('a person whom the dashboard changes while a file is applied', () => {
  const file = (name: string) =>
    `organization: { name: Acme }\nusers:\n  - { email: ada@example.com, role: owner }\n  - { email: bob@example.com, name: ${name} }\n`;
  const bob = () =>
    db()
      .selectFrom('users')
      .select(['name', 'role', 'disabled_at'])
      .where('email', '=', 'bob@example.com')
      .executeTakeFirstOrThrow();

  it('stays demoted or disabled, because the file changes only what it says', async () => {
    await apply(file('Bob'));
    await db().updateTable('users').set({ role: 'admin' }).where('email', '=', 'bob@example.com').execute();
    const at = Temporal.Instant.from('2026-11-29T12:00:00Z');
    const release = Promise.withResolvers<void>();
    const changed = Promise.withResolvers<void>();
    const changing = db()
      .transaction()
      .execute(async (tx) => {
        await tx
          .updateTable('users')
          .set({ role: 'member', disabled_at: at })
          .where('email', '=', 'bob@example.com')
          .execute();
        changed.resolve();
        await release.promise;
      });
    await changed.promise;
    const applied = apply(file('Robert'));
    await eventually(isWaiting, true);
    release.resolve();
    await Promise.all([changing, applied]);
    assert.deepEqual(await bob(), { name: 'Robert', role: 'member', disabled_at: at });
  });
});

describe('owners who change while a file is applied', () => {
  const owners = async () =>
    (
      await db()
        .selectFrom('users')
        .select('email')
        .where('role', '=', 'owner')
        .where('disabled_at', 'is', null)
        .execute()
    ).map(({ email }) => email);
  const two = people('email: ada@example.com, role: owner', 'email: bob@example.com, role: owner');

  it('leave an owner, if the last one in the file is demoted while the others are removed', async () => {
    await apply(two);
    const { id, organization_id } = await db()
      .selectFrom('users')
      .select(['id', 'organization_id'])
      .where('email', '=', 'bob@example.com')
      .executeTakeFirstOrThrow();
    const locked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const demoting = db()
      .transaction()
      .execute(async (tx) => {
        const found = await lockPerson(tx, organization_id, id);
        assert.equal(found?.otherOwners, 1);
        await tx.updateTable('users').set({ role: 'member' }).where('id', '=', id).execute();
        locked.resolve();
        await release.promise;
      });
    await locked.promise;
    const applied = apply(people('email: bob@example.com'), { prune: true }).catch(String);
    await eventually(isWaiting, true);
    release.resolve();
    await demoting;
    assert.match(String(await applied), /would leave the organization without an owner/);
    assert.deepEqual(await owners(), ['ada@example.com']);
  });

  it('cannot apply it any more', async () => {
    await apply(two);
    const bob = await db()
      .selectFrom('users')
      .select(['id', 'organization_id'])
      .where('email', '=', 'bob@example.com')
      .executeTakeFirstOrThrow();
    const by = { organizationId: bob.organization_id, userId: bob.id, name: 'Bob', byKey: false };
    await db().updateTable('users').set({ role: 'member' }).where('id', '=', bob.id).execute();
    const services = { db: db(), clock: databaseClock, solver: createSolver(), sealing, report: () => {} };
    await assert.rejects(
      applyFile({ ...services, by }, two, { dryRun: false, prune: false }),
      /can only be applied by owners/,
    );
    assert.deepEqual(await owners(), ['ada@example.com']);
  });

  it('do not demote the last of themselves', async () => {
    await apply(people('email: ada@example.com, role: owner'));
    const ada = await db().selectFrom('users').select(['id', 'organization_id']).executeTakeFirstOrThrow();
    const by = { organizationId: ada.organization_id, userId: ada.id, name: 'Ada', byKey: false };
    const services = { db: db(), clock: databaseClock, solver: createSolver(), sealing, report: () => {} };
    const file = people('email: ada@example.com, role: member');
    await assert.rejects(
      applyFile({ ...services, by }, file, { dryRun: false, prune: false }),
      /would leave the organization without an owner/,
    );
    assert.deepEqual(await owners(), ['ada@example.com']);
  });
});
