/** Other people may be able to write to a backup file. That must not let them run programs or become an owner. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type CommandLine, commandLineHere } from '../testing/command-line.ts';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { runOn } from '../testing/postgres.ts';

const SKIP = '--dangerously-skip-verification';

let database: TestDatabase;
let tocsin: CommandLine;
let folder = '';
let genuine = '';

before(async () => {
  database = await testDatabase();
  tocsin = commandLineHere(database.url);
  folder = tocsin.env.DATA_DIR ?? '';
  const owner = ['--name', 'Ada', '--organization', 'Acme'];
  await done('owner', 'create', '--email', 'ada@example.com', ...owner);
  // A server has bound the database to its key.
  await (await tocsin.serve()).stop();
  const file = join(folder, 'genuine.backup');
  await done('backup', file);
  genuine = gunzipSync(readFileSync(file)).toString('utf8');
});
after(async () => {
  tocsin.remove();
  await database.drop();
});

async function done(...args: string[]): Promise<string> {
  const ran = await tocsin.run(args);
  assert.equal(ran.code, 0, ran.stderr);
  return ran.stdout;
}

/** A backup forged by somebody who has read the source, but does not know the secret key. */
function forged(change: (text: string) => string, trailer: Record<string, unknown> = {}): string {
  const body = change(genuine.slice(0, genuine.lastIndexOf('-- end ')));
  const last = JSON.parse(genuine.slice(genuine.lastIndexOf('-- end ')).replace('-- end ', ''));
  const sha256 = createHash('sha256').update(body).digest('hex');
  const path = join(folder, 'forged.backup');
  writeFileSync(path, gzipSync(`${body}-- end ${JSON.stringify({ ...last, sha256, ...trailer })}\n`));
  return path;
}

async function refused(sentence: RegExp, path: string, ...more: string[]): Promise<void> {
  const ran = await tocsin.run(['restore', path, '--replace', ...more]);
  assert.deepEqual([ran.code, ran.stdout], [1, ''], ran.stderr);
  assert.match(ran.stderr, sentence);
  assert.equal(ran.stderr.trim().split('\n').length, 1, ran.stderr);
  const { rows } = await runOn(database.url, 'select email, role from users where role is not null');
  assert.deepEqual(rows, [{ email: 'ada@example.com', role: 'owner' }]);
}

test('a statement in it never runs, verified or not', { timeout: 120_000 }, async () => {
  const trace = join(folder, 'trace');
  const statements = [
    `copy (select 1) to program 'touch ${trace}';`,
    `copy "users" ("id") from program 'touch ${trace}; true';`,
    `copy "users" ("id") from stdin; copy (select 1) to program 'touch ${trace}';`,
  ];
  for (const statement of statements) {
    const path = forged((text) => text.replace(/^copy "users" .*$/m, statement));
    await refused(/is damaged: a table in it has an invalid beginning/, path, SKIP);
    await refused(/is damaged|was changed/, path);
  }
  assert.equal(existsSync(trace), false);
});

test('names outside the schema reach no statement', { timeout: 120_000 }, async () => {
  const named = (line: string) => forged((text) => text.replace(/^copy "users" .*$/m, line));
  await refused(/has rows for table "pg_authid"/, named('copy "pg_authid" ("rolname") from stdin;'), SKIP);
  const column = 'copy "users" ("id", "id"") from program \'true\' --") from stdin;';
  await refused(/has rows for column "id\\"\) from program 'true' --" of table "users"/, named(column), SKIP);
});

test('a backup that was changed after it was written is not restored', { timeout: 120_000 }, async () => {
  const promoted = (text: string) => text.replaceAll('ada@example.com', 'eve@example.com');
  await refused(/was changed after it was written/, forged(promoted));
  await refused(/was changed after it was written/, forged(promoted, { hmac: undefined }));
  const unsigned = (text: string) => promoted(text).replace(/,"signedBy":"[^"]*"/, '');
  const path = forged(unsigned, { hmac: undefined });
  await refused(/carries no proof that Tocsin wrote it: .* --dangerously-skip-verification\.\n$/, path);
});

test('another installation’s backup is refused with our key', { timeout: 120_000 }, async () => {
  const path = join(folder, 'genuine.backup');
  const other = { SECRET_KEY: Buffer.alloc(32, 9).toString('base64') };
  const ran = await tocsin.run(['restore', path, '--replace'], { env: other });
  assert.match(ran.stderr, /^SECRET_KEY is not the key of this backup, so nothing was restored/);
  const written = await tocsin.run(['backup', join(folder, 'other.backup')], { env: other });
  assert.match(written.stderr, /The secret key is not the one of this database, so no backup was written/);
});

test('a header is external text, and none of it reaches the terminal', {
  timeout: 120_000,
}, async () => {
  const painted = forged((text) => text.replace(/"version":"[^"]*"/, '"version":"\\u001b[2J"'));
  await refused(/is not a backup of Tocsin/, painted, SKIP);
});

test('without a key it is written with a warning, and its restoration also warns', {
  timeout: 120_000,
}, async () => {
  const path = join(folder, 'unsigned.backup');
  const none = { SECRET_KEY: '', DATA_DIR: join(folder, 'elsewhere') };
  const written = await tocsin.run(['backup', path], { env: none });
  assert.equal(written.code, 0, written.stderr);
  assert.match(written.stderr, /^It is not authenticated, because the secret key was not found/m);
  await refused(/carries no proof/, path);
  const restored = await tocsin.run(['restore', path, '--replace', SKIP]);
  assert.equal(restored.code, 0, restored.stderr);
  assert.match(restored.stderr, /^The origin of this backup could not be verified/m);
});
