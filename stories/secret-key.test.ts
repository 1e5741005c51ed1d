/** The secret key is rotated, leaks, or is lost: nothing is replaced silently, and each can be recovered from. */
import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { sealingOf } from '../src/installation/secrets.ts';
import { readSavedList, writeSavedList } from '../src/schedules/saved/file.ts';
import { type CommandLine, commandLine } from '../testing/command-line.ts';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { runOn } from '../testing/postgres.ts';

const ORGANIZATION = `
organization: { name: Acme, time_zone: UTC }
users:
  - email: ada@example.com
    name: Ada Lovelace
    role: owner
    contact_methods: [ { type: webhook, value: "https://example.com/ada" } ]
teams: [ { name: Site Reliability, slug: sre, members: [ada@example.com] } ]
`;
/** Keys are stored in DATA_DIR, as they are when none is set. */
const env = { SECRET_KEY: '' };

let database: TestDatabase;
let tocsin: CommandLine;
let keyFile = '';
let apiKey = '';
const urls: Record<string, string> = {};

before(async () => {
  database = await testDatabase();
  tocsin = commandLine(database.url);
  keyFile = join(tocsin.env.DATA_DIR ?? '', 'secret.key');
  const file = join(tocsin.env.DATA_DIR ?? '', 'acme.yaml');
  writeFileSync(file, ORGANIZATION);
  await done('apply', file);
  apiKey = await done('key', 'create', '--user', 'ada@example.com', '--name', 'laptop');
  const webhook = ['webhook', 'create', '--team', 'sre', '--type', 'custom', '--name'];
  urls.open = await done(...webhook, 'Open');
  urls.signed = await done(
    ...webhook,
    'Signed',
    '--signing-secret',
    `whsec_${Buffer.alloc(32, 5).toString('base64')}`,
  );
  const sealing = sealingOf(readFileSync(keyFile, 'utf8'));
  const sealed = sealing.seal('JBSWY3DPEHPK3PXP').toString('hex');
  const provider = sealing.seal('{"bot_token":"xoxb-1","signing_secret":"x"}').toString('hex');
  await runOn(
    database.url,
    `insert into providers (name, sealed, changed_at) values ('slack', '\\x${provider}', now())`,
  );
  await runOn(
    database.url,
    `insert into one_time_codes (user_id, organization_id, secret, last_step, created_at)
      select id, organization_id, '\\x${sealed}', 0, now() from users where email = 'ada@example.com'`,
  );
});
after(async () => {
  tocsin.remove();
  await database.drop();
});

async function run(...args: string[]) {
  return tocsin.run(args, { env });
}

async function done(...args: string[]): Promise<string> {
  const ran = await run(...args);
  assert.equal(ran.code, 0, ran.stderr);
  return ran.stdout.trim();
}

async function refused(sentence: RegExp, ...args: string[]): Promise<void> {
  const ran = await run(...args);
  assert.deepEqual([ran.code, ran.stdout], [1, ''], ran.stderr);
  assert.match(ran.stderr, sentence);
  assert.equal(ran.stderr.trim().split('\n').length, 1, ran.stderr);
}

/** What the key seals, opened with the key from this file. */
async function opened(): Promise<string[]> {
  const sealing = sealingOf(readFileSync(keyFile, 'utf8'));
  const { rows } = await runOn(
    database.url,
    `select token_sealed as sealed from webhooks union all select signing_secret_sealed from webhooks
      where signing_secret_sealed is not null union all select signing_secret from contact_methods
      where signing_secret is not null union all select secret from one_time_codes
      union all select sealed from providers`,
  );
  return rows.map(({ sealed }) => sealing.open(sealed)).sort();
}

async function send(url: string, server: string): Promise<number> {
  const { pathname } = new URL(url);
  const body = JSON.stringify({ name: 'Nightly backup failed', type: 'incident' });
  const headers = { 'content-type': 'application/json' };
  return (await fetch(server + pathname, { method: 'POST', headers, body })).status;
}

test('a missing key stops the start with the fix, and is not replaced', { timeout: 120_000 }, async () => {
  renameSync(keyFile, `${keyFile}.kept`);
  const missing =
    /^the secret key of this database is missing: .* restore it from a backup .* run: tocsin secret forget\n$/;
  await refused(missing, 'serve');
  await refused(missing, 'webhook', 'create', '--team', 'sre', '--type', 'custom', '--name', 'More');
  assert.equal(existsSync(keyFile), false);
  renameSync(`${keyFile}.kept`, keyFile);
  assert.equal(await done('secret', 'forget'), 'Nothing is lost: the secret key opens everything.');
});

test('a rotation encrypts everything again, and ends everything that depended on the old key', {
  timeout: 120_000,
}, async () => {
  const before = await opened();
  assert.equal(before.length, 6);
  const old = readFileSync(keyFile, 'utf8');
  await done('sign-in-link', 'ada@example.com');
  const server = await tocsin.serve(env);
  await refused(
    /A server runs on this database with the old key; stop every server first/,
    'secret',
    'rotate',
  );
  assert.equal(readFileSync(keyFile, 'utf8'), old);
  await server.stop();

  const list = { version: 1, saved_at: '2028-02-29T08:41:00Z', until: '2028-03-14T08:41:00Z' } as const;
  const session = {
    hash: 'x',
    organizationId: 'x',
    userId: 'x',
    role: 'member',
    endsAt: list.until,
  } as const;
  const saved = { ...list, shortened: false, organizations: [], sessions: [session] };
  await writeSavedList(dirname(keyFile), sealingOf(old), saved);

  assert.match(await done('secret', 'rotate'), /^6 values are sealed with the new key in /);
  const resealed = await readSavedList(dirname(keyFile), sealingOf(readFileSync(keyFile, 'utf8')));
  assert.deepEqual(resealed, { ...saved, sessions: [] });
  assert.notEqual(readFileSync(keyFile, 'utf8'), old);
  assert.equal(existsSync(`${keyFile}.next`), false);
  assert.deepEqual(await opened(), before);
  const { rows } = await runOn(database.url, 'select from sign_in_links');
  assert.equal(rows.length, 0);
  const ran = await tocsin.run(['serve'], { env: { SECRET_KEY: old } });
  assert.match(ran.stderr, /^the secret key is not the one that this database was set up with/m);

  const again = await tocsin.serve(env);
  assert.equal(await send(urls.open ?? '', again.url), 200);
  const answer = await fetch(`${again.url}/schedules`, { headers: { authorization: `Bearer ${apiKey}` } });
  assert.equal(answer.status, 200);
  await again.stop();
});

test('a rotation that was interrupted before the key was in its place is finished by the next start', {
  timeout: 120_000,
}, async () => {
  const key = readFileSync(keyFile, 'utf8');
  renameSync(keyFile, `${keyFile}.next`);
  writeFileSync(keyFile, Buffer.alloc(32, 3).toString('base64'), { mode: 0o600 });
  await (await tocsin.serve(env)).stop();
  assert.equal(readFileSync(keyFile, 'utf8'), key);
  // A rotation that failed leaves a key that nothing uses.
  writeFileSync(`${keyFile}.next`, Buffer.alloc(32, 4).toString('base64'), { mode: 0o600 });
  await (await tocsin.serve(env)).stop();
  assert.equal(readFileSync(keyFile, 'utf8'), key);
});

test('if SECRET_KEY is set, the new key is written to a file', { timeout: 120_000 }, async () => {
  const key = readFileSync(keyFile, 'utf8');
  const outside = { SECRET_KEY: key };
  const file = join(tocsin.env.DATA_DIR ?? '', 'new.key');
  const plain = await tocsin.run(['secret', 'rotate'], { env: outside });
  assert.match(plain.stderr, /^SECRET_KEY is set from outside.* add --new-key-file FILE/);
  const ran = await tocsin.run(['secret', 'rotate', '--new-key-file', file], { env: outside });
  assert.equal(ran.code, 0, ran.stderr);
  assert.match(ran.stderr, /^Now set SECRET_KEY on every node to the content of /m);
  renameSync(file, keyFile);
  assert.equal((await opened()).length, 6);
});

test('secrets of a lost key are listed, deleted, and can be entered again', {
  timeout: 120_000,
}, async () => {
  const [link] = (await done('sign-in-link', 'ada@example.com')).split('\n');
  assert.ok(link);
  rmSync(keyFile);
  const listed = await run('secret', 'forget');
  assert.equal(listed.code, 0, listed.stderr);
  assert.match(listed.stdout, /^6 values cannot be opened\. .* tocsin secret forget --clear\n$/);
  assert.match(listed.stderr, /^URL of webhook +Signed +still works/m);
  assert.match(listed.stderr, /^provider +slack +is no longer set up; enter its values again/m);
  assert.match(listed.stderr, /^authenticator app of +ada@example\.com +/m);
  assert.equal(existsSync(keyFile), false);

  assert.equal(await done('secret', 'forget', '--clear'), '6 values were given up.');
  const server = await tocsin.serve(env);
  try {
    assert.equal(await send(urls.open ?? '', server.url), 200);
    assert.equal(await send(urls.signed ?? '', server.url), 401);
    const { rows } = await runOn(
      database.url,
      'select (select count(*) from one_time_codes)::int as codes, (select count(*) from contact_methods)::int as methods',
    );
    assert.deepEqual(rows, [{ codes: 0, methods: 1 }]);
  } finally {
    await server.stop();
  }
  assert.equal(await done('secret', 'forget'), 'Nothing is lost: the secret key opens everything.');
});
