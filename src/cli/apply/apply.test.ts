import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { databaseClock } from '../../db/clock.ts';
import { createDatabase, createPool, type Database } from '../../db/database.ts';
import { newKey } from '../../keys/key.ts';
import { insertKey } from '../../keys/store.ts';
import { createSealing } from '../../kit/sealing.ts';
import { newId } from '../../kit/typeid.ts';
import { type Applied, type ApplyOptions, applyFile, FileRefused } from './apply.ts';
import { appliedText } from './present.ts';

const example = readFileSync(new URL('../../../examples/acme.yaml', import.meta.url), 'utf8');
const sealing = createSealing(randomBytes(32));

let database: TestDatabase;
let db: Database;
const opened: { db: Database; database: TestDatabase }[] = [];

beforeEach(async () => {
  database = await testDatabase();
  db = createDatabase(createPool({ connection: { connectionString: database.url }, max: 4, name: 'test' }));
  opened.push({ db, database });
});

after(async () => {
  for (const one of opened) {
    await one.db.destroy();
    await one.database.drop();
  }
});

function apply(text: string, options: Partial<ApplyOptions> = {}): Promise<Applied> {
  const services = { db, clock: databaseClock, sealing, tell: () => undefined };
  return applyFile(services, text, { dryRun: false, prune: false, ...options });
}

/** `+ user ada@example.com`, without the details. */
function headlines({ changes }: Applied): string[] {
  const signs = { add: '+', change: '~', remove: '-' };
  return changes.map(({ action, kind, name }) => `${signs[action]} ${kind} ${name}`);
}

async function problemsOf(text: string, options: Partial<ApplyOptions> = {}): Promise<string[]> {
  const refused = await apply(text, options).then(
    () => assert.fail('the file was applied'),
    (error: unknown) => error,
  );
  assert.ok(refused instanceof FileRefused, String(refused));
  return refused.problems.map(({ line, column, path, message }) => `${line}:${column} ${path} ${message}`);
}

async function count(
  table: 'users' | 'organizations' | 'shifts' | 'audit_log' | 'schedules',
): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(db);
  return rows[0]?.n ?? 0;
}

const twoPeople = `
organization: { name: Acme }
users:
  - { email: ada@example.com, name: Ada, role: owner, contact_methods: [{ type: email, value: ada@example.com }] }
  - { email: bob@example.com, name: Bob }
teams:
  - { slug: sre, members: [ada@example.com, bob@example.com] }
schedules:
  - name: SRE
    team: sre
    backstop: ada@example.com
    shifts: { every: day, handoff: "09:00" }
    stages: [ { stage: 1, members: [ada@example.com, bob@example.com] } ]
availabilities:
  - { user: bob@example.com, type: hard_unavailable, name: Away, start: 2030-01-01T00:00:00Z, end: 2030-01-02T00:00:00Z }
`;

describe('the example', () => {
  it('makes an organization of an empty database, and plans without gaps', async () => {
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

  it('changes nothing the second time, and says so', async () => {
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

  it('can be looked at first: a dry run tells the same and keeps nothing', async () => {
    const dry = await apply(example, { dryRun: true });
    assert.equal(await count('organizations'), 0);
    assert.equal(await count('audit_log'), 0);
    const real = await apply(example);
    assert.deepEqual(headlines(dry), headlines(real));
    assert.doesNotMatch(appliedText(dry, { dryRun: true, prune: false }), /whsec_/);
    assert.match(appliedText(dry, { dryRun: true, prune: false }), /nothing was changed/);
  });
});

describe('what the file does not mention stays', () => {
  it('other people, teams and schedules, and the other keys of those that it mentions', async () => {
    await apply(twoPeople);
    const applied = await apply(`
users:
  - { email: ada@example.com, name: Ada Lovelace }
schedules:
  - { name: SRE, description: Round the clock }
`);
    assert.deepEqual(headlines(applied), ['~ user ada@example.com', '~ schedule SRE']);
    assert.deepEqual(applied.changes[0]?.details, ['name: was Ada, is Ada Lovelace']);
    const ada = await db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', 'ada@example.com')
      .executeTakeFirstOrThrow();
    assert.equal(ada.role, 'owner');
    assert.equal(await count('users'), 2);
    const methods = await db
      .selectFrom('contact_methods')
      .select('value')
      .where('user_id', '=', ada.id)
      .execute();
    assert.deepEqual(methods, [{ value: 'ada@example.com' }]);
  });

  it('lists that it does mention are taken as they are', async () => {
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

  it('null takes away what there was', async () => {
    await apply(twoPeople);
    const applied = await apply('schedules:\n  - { name: SRE, backstop: null, description: ~ }\n');
    assert.deepEqual(
      applied.changes.map(({ details }) => details),
      [['backstop: was Ada, is nobody']],
    );
  });
});

describe('contact methods', () => {
  const withMethods = (methods: string) =>
    `organization: { name: Acme }\nusers:\n  - { email: ada@example.com, contact_methods: [${methods}] }\n`;
  const stored = () =>
    db
      .selectFrom('contact_methods')
      .select(['id', 'type', 'value', 'signing_secret', 'verified_at'])
      .orderBy('position')
      .execute();

  it('keep their identity and their secret when their order changes', async () => {
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

  it('take the secret that the file gives, and never tell it', async () => {
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
    const audit = JSON.stringify(await db.selectFrom('audit_log').selectAll().execute());
    assert.doesNotMatch(audit, /whsec_/);
  });

  it('that a browser made are not touched', async () => {
    await apply(withMethods('{ type: email, value: ada@example.com }'));
    await sql`insert into contact_methods (id, organization_id, user_id, position, type, value, push_keys, created_at, updated_at)
      select ${newId('contact_method')}, organization_id, id, 0, 'push', 'https://push.example.com/1', '{}', now(), now() from users`.execute(
      db,
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
  const people = (...users: string[]) =>
    `organization: { name: Acme }\nusers:\n${users.map((user) => `  - { ${user} }\n`).join('')}`;
  const usernames = async () =>
    Object.fromEntries(
      (await db.selectFrom('users').select(['email', 'username']).orderBy('email').execute()).map((user) => [
        user.email,
        user.username,
      ]),
    );

  it('are the part before the @ until somebody chooses one, with a number where that is taken', async () => {
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

  it('that somebody else keeps are refused, at their place', async () => {
    await apply(people('email: a@example.com, username: x'));
    assert.deepEqual(await problemsOf(people('email: b@example.com, username: X')), [
      '3:39 users[0].username is X, which a@example.com has; give another one',
    ]);
  });
});

describe('references', () => {
  it('must lead somewhere; each that does not is named with its line', async () => {
    await apply(twoPeople);
    const text = `users:
  - { email: cleo@example.com }
teams:
  - { slug: web, members: [cleo@example.com, adda@example.com] }
schedules:
  - name: SRE
    team: srre
    backstop: nobody@example.org
    overrides:
      - { stage: 3, user: bob@example.com, start: 2030-01-01T00:00:00Z, end: 2030-01-02T00:00:00Z }
  - name: New
availabilities:
  - { user: cloe@example.com, type: requested, start: 2030-01-01T00:00:00Z, end: 2030-01-02T00:00:00Z }
`;
    assert.deepEqual(await problemsOf(text), [
      '4:46 teams[0].members[1] is adda@example.com, who is neither in this file nor in the organization; did you mean ada@example.com?',
      '7:11 schedules[0].team is srre, a team that is neither in this file nor in the organization; did you mean sre?',
      '8:15 schedules[0].backstop is nobody@example.org, who is neither in this file nor in the organization; add them under users',
      '10:18 schedules[0].overrides[0].stage is 3, but the schedule has 1; give one of its stages',
      '11:11 schedules[1].team is missing; give the slug of the team that it belongs to',
      '11:11 schedules[1].shifts is missing; give when shifts change, such as { every: week, handoff: "Monday 09:00" }',
      '11:11 schedules[1].stages is missing; give at least one stage with its members',
      '13:13 availabilities[0].user is cloe@example.com, who is neither in this file nor in the organization; did you mean cleo@example.com?',
    ]);
  });

  it('are told together with what is wrong in the file itself', async () => {
    const text =
      'organization: { name: Acme }\nusers:\n  - { email: a@example.com, rolle: owner }\nteams:\n  - { slug: x, members: [b@example.com] }\n';
    assert.deepEqual(
      (await problemsOf(text)).map((line) => line.split(' ').slice(0, 2).join(' ')),
      ['3:29 users[0].rolle', '5:26 teams[0].members[0]'],
    );
  });

  it('what could not be read is not called missing as well', async () => {
    const text = `organization: { name: Acme }
users: [ { email: a@example.com } ]
teams: [ { slug: x } ]
schedules:
  - { name: S, team: x, shifts: { every: wek }, stages: [ { stage: 1, members: [a@example.com] } ] }
`;
    const problems = await problemsOf(text);
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems[0] ?? '', /^5:\d+ schedules\[0\]\.shifts\.every is "wek"; give day, week/);
  });

  it('a file with problems changes nothing at all', async () => {
    await apply(twoPeople);
    await problemsOf('users:\n  - { email: ada@example.com, name: Changed }\n  - { email: nonsense }\n');
    const { name } = await db
      .selectFrom('users')
      .select('name')
      .where('email', '=', 'ada@example.com')
      .executeTakeFirstOrThrow();
    assert.equal(name, 'Ada');
  });
});

describe('--prune', () => {
  const onlyAda = `
organization: { name: Acme }
users: [ { email: ada@example.com, name: Ada } ]
teams: [ { slug: web, members: [ada@example.com] } ]
`;

  it('removes what the file does not mention', async () => {
    await apply(twoPeople);
    await sql`delete from shifts`.execute(db);
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

  it('disables people whom something has happened with, and ends what they could do', async () => {
    await apply(twoPeople);
    const bob = await db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', 'bob@example.com')
      .executeTakeFirstOrThrow();
    const { hash, hint } = newKey();
    await insertKey(db, databaseClock, {
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
    const { disabled_at } = await db
      .selectFrom('users')
      .select('disabled_at')
      .where('id', '=', bob.id)
      .executeTakeFirstOrThrow();
    assert.notEqual(disabled_at, null);
    const keys = await db.selectFrom('api_keys').select('revoked_at').execute();
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
    assert.match(applied.notes.join('\n'), /user ada@example\.com stays: an organization needs an owner/);
    const owners = await db
      .selectFrom('users')
      .select('email')
      .where('role', '=', 'owner')
      .where('disabled_at', 'is', null)
      .execute();
    assert.deepEqual(owners, [{ email: 'ada@example.com' }]);
  });

  it('keeps a team that moments or pages belong to, without its members', async () => {
    await apply(twoPeople);
    await sql`insert into moments (id, organization_id, team_id, name, type, priority, occurred_at, state, last_event_at, created_at, updated_at)
      select ${newId('moment')}, organization_id, id, 'x', 'alert', 'high', now(), 'open', now(), now(), now() from teams`.execute(
      db,
    );
    const applied = await apply(onlyAda, { prune: true });
    assert.match(applied.notes.join('\n'), /team sre stays, without members/);
    assert.ok(headlines(applied).includes('~ team sre'));
  });

  it('keeps absences that are over', async () => {
    await apply(
      `${twoPeople}  - { user: ada@example.com, type: requested, start: 2020-01-01T00:00:00Z, end: 2020-01-02T00:00:00Z }\n`,
    );
    await apply(onlyAda, { prune: true });
    const left = await db.selectFrom('availabilities').select('type').execute();
    assert.deepEqual(left, [{ type: 'requested' }]);
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

describe('which organization is meant', () => {
  it('the only one, which takes a new name with the same people', async () => {
    await apply(twoPeople);
    const applied = await apply('organization: { name: Acme GmbH }\nusers: [ { email: ada@example.com } ]\n');
    assert.deepEqual(headlines(applied), ['~ organization Acme GmbH']);
    assert.equal(await count('organizations'), 1);
  });

  it('another one, when none of its people is known and the first is in use', async () => {
    await apply(twoPeople);
    await apply('organization: { name: Globex }\nusers: [ { email: hank@example.org } ]\n');
    assert.equal(await count('organizations'), 2);
    const applied = await apply('organization: { name: acme }\nusers: [ { email: zoe@example.com } ]\n');
    assert.deepEqual(headlines(applied), ['~ organization acme', '+ user zoe@example.com']);
    assert.deepEqual(await problemsOf('users: [ { email: hank@example.org } ]\n'), [
      '1:1 organization.name is missing, and the database has several organizations; give one of acme, Globex',
    ]);
  });

  it('must be said for the first one', async () => {
    assert.deepEqual(await problemsOf('users: [ { email: hank@example.org } ]\n'), [
      '1:1 organization.name is missing; give the name of your organization, such as Acme',
    ]);
  });
});

describe('two files at once', () => {
  it('are applied one after the other', async () => {
    await Promise.all([apply(twoPeople), apply(twoPeople), apply(example)]);
    assert.equal(await count('organizations'), 1);
    assert.equal(await count('schedules'), 2);
  });
});

describe('the audit log', () => {
  it('has what was changed, by nobody in particular: the operator', async () => {
    await apply(twoPeople);
    await apply('users: [ { email: ada@example.com, name: Ada Lovelace } ]\n');
    const last = await db
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
