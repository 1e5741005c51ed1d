import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { type CommandLine, commandLine, freePort, type Ran } from '../../testing/command-line.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { sha256 } from '../kit/sealing.ts';

const example = new URL('../../examples/acme.yaml', import.meta.url).pathname;

let database: TestDatabase;
let tocsin: CommandLine;
let folder: string;

before(async () => {
  database = await testDatabase();
  tocsin = commandLine(database.url);
  folder = mkdtempSync(join(tmpdir(), 'tocsin-files-'));
});

after(async () => {
  tocsin.remove();
  rmSync(folder, { recursive: true });
  await database.drop();
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function rows(statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Refused or failed: nothing on stdout, one sentence on stderr. */
function refused({ code, stdout, stderr }: Ran, sentence: RegExp, exitCode = 1): void {
  assert.equal(stdout, '');
  assert.match(stderr, sentence);
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
  assert.equal(code, exitCode);
}

describe('settings', () => {
  it('that are wrong stop a command with one sentence that names the variable and the fix', async () => {
    refused(
      await tocsin.run(['doctor'], { env: { TOCSIN_PORT: '1' } }),
      /TOCSIN_PORT is not a setting of Tocsin; the name is PORT/,
    );
    refused(
      await tocsin.run(['doctor'], { env: { DATABASE_URL: 'mysql://x' } }),
      /^DATABASE_URL is not a URL that starts with postgres/,
    );
    refused(
      await tocsin.run(['schedules'], { env: { TOCSIN_URL: 'localhost:8080' } }),
      /^TOCSIN_URL is not a URL/,
    );
    refused(
      await tocsin.run(['schedules'], { env: { TOCSIN_KEY: 'a\nb' } }),
      /^TOCSIN_KEY is not an API key/,
    );
    refused(await tocsin.run(['schedules']), /^TOCSIN_KEY is not set; make a key with/);
  });

  it('of a database that is away or refuses us say so', async () => {
    const port = await freePort();
    const away = await tocsin.run(['doctor'], {
      env: { DATABASE_URL: `postgres://u:secret@127.0.0.1:${port}/x` },
    });
    refused(
      away,
      /^The database at 127\.0\.0\.1:\d+ cannot be used \(.*ECONNREFUSED.*\); check DATABASE_URL/,
    );
    const wrong = new URL(database.url);
    wrong.password = 'guess';
    const denied = await tocsin.run(['doctor'], { env: { DATABASE_URL: wrong.href } });
    refused(denied, /cannot be used \(password authentication failed/);
    assert.doesNotMatch(away.stderr + denied.stderr, /secret|guess/);
  });

  it('that hold another secret key than the database was set up with are noticed before anything is sealed', async () => {
    assert.equal((await tocsin.run(['apply', example, '--dry-run'])).code, 0);
    const other = Buffer.alloc(32, 1).toString('base64');
    refused(
      await tocsin.run(['apply', example], { env: { SECRET_KEY: other } }),
      /secret key is not the one/,
    );
  });
});

describe('owner create', () => {
  it('makes the organization and its owner, and prints a link that works once', async () => {
    const ran = await tocsin.run(['owner', 'create', '--email', 'Boss@acme.example', '--name', 'The Boss'], {
      env: { PUBLIC_URL: 'https://tocsin.acme.example/' },
    });
    assert.equal(ran.code, 0);
    const [, token] = /^https:\/\/tocsin\.acme\.example\/sign-in\/([\w-]{43})\n$/.exec(ran.stdout) ?? [];
    assert.ok(token, ran.stdout);
    assert.match(ran.stderr, /^The Boss signs in once with this link, until .*Z:\n$/);
    const [link] = await rows(
      "select token_hash, used_at, expires_at - created_at = interval '24 hours' as day from sign_in_links",
    );
    assert.deepEqual(link?.token_hash, sha256(token));
    assert.deepEqual([link?.used_at, link?.day], [null, true]);
    assert.deepEqual(
      await rows(
        'select o.name as organization, u.email, u.name, u.username, u.role from users u join organizations o on o.id = organization_id',
      ),
      [
        {
          organization: 'acme.example',
          email: 'Boss@acme.example',
          name: 'The Boss',
          username: 'boss',
          role: 'owner',
        },
      ],
    );
    assert.deepEqual(
      await rows('select type, value, verified_at is not null as verified from contact_methods'),
      [{ type: 'email', value: 'Boss@acme.example', verified: true }],
    );
  });

  it('prints a new link for an owner who exists', async () => {
    const ran = await tocsin.run([
      'owner',
      'create',
      '--email',
      'boss@acme.example',
      '--name',
      'Anything',
      '--json',
    ]);
    const made = JSON.parse(ran.stdout) as Record<string, string>;
    assert.equal(made.email, 'Boss@acme.example');
    assert.match(made.url ?? '', /^http:\/\/127\.0\.0\.1:8080\/sign-in\//);
    assert.deepEqual(
      await rows(
        'select count(*)::int as links, (select count(*)::int from users) as users from sign_in_links',
      ),
      [{ links: 2, users: 1 }],
    );
  });

  it('refuses what is no email address', async () => {
    refused(
      await tocsin.run(['owner', 'create', '--email', 'boss', '--name', 'B']),
      /^--email is "boss"; give an email address/,
    );
  });
});

describe('apply', () => {
  it('adopts the organization that only has its owner, and prints what changes', async () => {
    const dry = await tocsin.run(['apply', example, '--dry-run']);
    assert.equal(dry.code, 0);
    assert.match(dry.stdout, /^~ organization Acme\n/);
    assert.match(dry.stdout, /^Acme: 10 to add, 1 to change, 0 to remove\. Dry run: nothing was changed\.$/m);
    const real = await tocsin.run(['apply', example]);
    assert.equal(real.code, 0);
    assert.match(real.stdout, /^\+ user ada@example\.com\n {4}Ada Lovelace, owner\n/m);
    assert.match(real.stdout, /^Acme: 10 added, 1 changed, 0 removed\.$/m);
    assert.equal(real.stdout.match(/whsec_/g)?.length, 4);
    const again = await tocsin.run(['apply', example]);
    assert.deepEqual(again, { code: 0, stdout: 'Nothing changes: Acme is as the file says.\n', stderr: '' });
  });

  it('reads standard input, and prints JSON', async () => {
    const input = 'users: [ { email: ada@example.com, name: Ada King } ]\n';
    const ran = await tocsin.run(['apply', '-', '--dry-run', '--json'], { input });
    const result = JSON.parse(ran.stdout) as {
      ok: boolean;
      summary: unknown;
      changes: { details: string[] }[];
    };
    assert.deepEqual([result.ok, result.summary], [true, { added: 0, changed: 1, removed: 0 }]);
    assert.deepEqual(result.changes[0]?.details, ['name: was Ada Lovelace, is Ada King']);
  });

  it('tells every problem of a file with line and column, and then that nothing was changed', async () => {
    const path = file(
      'broken.yaml',
      'users:\n  - email: ada@example\n    nmae: Ada\n    email_: x\nteams:\n  - { slug: SRE }\n',
    );
    const ran = await tocsin.run(['apply', path]);
    assert.equal(ran.code, 1);
    assert.equal(ran.stdout, '');
    assert.deepEqual(ran.stderr.trimEnd().split('\n'), [
      `${path}:3:5 users[0].nmae is not a key of a user; did you mean name?`,
      `${path}:4:5 users[0].email_ is not a key of a user; did you mean email?`,
      `${path}:6:13 teams[0].slug is "SRE"; give a short name of the letters a–z, digits and -, such as site-reliability`,
      `${path} has 3 problems; nothing was changed.`,
    ]);
    const json = JSON.parse((await tocsin.run(['apply', path, '--json'])).stdout) as { details: unknown[] };
    assert.deepEqual(json.details[0], {
      line: 3,
      column: 5,
      path: 'users[0].nmae',
      message: 'is not a key of a user; did you mean name?',
    });
  });

  it('refuses a file that is not there, no text or far too long', async () => {
    refused(
      await tocsin.run(['apply', join(folder, 'none.yaml')]),
      /none\.yaml cannot be read \(there is no such file\)/,
    );
    refused(await tocsin.run(['apply', folder]), /cannot be read \(it is a directory\)/);
    const binary = join(folder, 'binary.yaml');
    writeFileSync(binary, Buffer.from([0xff, 0xfe, 0x00]));
    refused(await tocsin.run(['apply', binary]), /is not text in UTF-8/);
    refused(
      await tocsin.run(['apply', file('long.yaml', '#'.repeat(11 * 1024 * 1024))]),
      /give a file of at most/,
    );
  });
});

describe('key create', () => {
  it('prints the key alone', async () => {
    const ran = await tocsin.run(['key', 'create', '--user', 'ADA@example.com', '--name', 'laptop']);
    assert.equal(ran.code, 0);
    assert.equal(ran.stderr, '');
    assert.match(ran.stdout, /^tocsin_[\w-]{32}\n$/);
    const [key] = await rows('select key_hash, name, scopes, expires_at from api_keys');
    assert.deepEqual(key, {
      key_hash: sha256(ran.stdout.trim()),
      name: 'laptop',
      scopes: null,
      expires_at: null,
    });
  });

  it('takes scopes and an end', async () => {
    const ran = await tocsin.run([
      'key',
      'create',
      '--user',
      'ada@example.com',
      '--name',
      'ci',
      '--scopes',
      'pages, requests',
      '--expires',
      '2099-01-01T00:00:00Z',
      '--json',
    ]);
    const { id } = JSON.parse(ran.stdout) as { id: string };
    assert.deepEqual(await rows(`select scopes, expires_at::text from api_keys where id = '${id}'`), [
      { scopes: ['pages', 'requests'], expires_at: '2099-01-01 00:00:00+00' },
    ]);
    refused(
      await tocsin.run(['key', 'create', '--user', 'ada@example.com', '--name', 'x', '--scopes', 'all']),
      /"all" is none of pages/,
      2,
    );
    refused(
      await tocsin.run([
        'key',
        'create',
        '--user',
        'ada@example.com',
        '--name',
        'x',
        '--expires',
        '2020-01-01T00:00:00Z',
      ]),
      /--expires is 2020.*past/,
    );
  });

  it('of somebody who does not exist says who might be meant', async () => {
    refused(
      await tocsin.run(['key', 'create', '--user', 'adda@example.com', '--name', 'x']),
      /^No user has the email address adda@example\.com; did you mean ada@example\.com\?$/m,
    );
  });
});

describe('webhook create', () => {
  it('prints the URL alone', async () => {
    const ran = await tocsin.run(
      ['webhook', 'create', '--team', 'sre', '--name', 'Prometheus', '--type', 'alertmanager'],
      {
        env: { PUBLIC_URL: 'https://tocsin.acme.example' },
      },
    );
    assert.equal(ran.stderr, '');
    const [, token] =
      /^https:\/\/tocsin\.acme\.example\/moment\/([\w-]{43})\/alertmanager\n$/.exec(ran.stdout) ?? [];
    assert.ok(token, ran.stdout);
    assert.deepEqual(
      await rows('select w.name, w.type, t.slug, token_hash from webhooks w join teams t on t.id = team_id'),
      [{ name: 'Prometheus', type: 'alertmanager', slug: 'sre', token_hash: sha256(token) }],
    );
  });

  it('refuses in terms of its options', async () => {
    const create = (...args: string[]) => tocsin.run(['webhook', 'create', ...args]);
    refused(
      await create('--team', 'sra', '--name', 'x', '--type', 'custom'),
      /^There is no team "sra"; did you mean sre\?$/m,
    );
    refused(
      await create('--team', 'sre', '--name', 'x', '--type', 'pigeon'),
      /^--type is "pigeon", which is not a known integration/,
    );
    refused(
      await create('--team', 'sre', '--name', 'prometheus', '--type', 'custom'),
      /^--name is taken by another webhook of this team/,
    );
    refused(
      await create('--team', 'sre', '--name', 'x', '--type', 'custom', '--expires', '2020-01-01T00:00:00Z'),
      /^--expires is 2020.*past/,
    );
  });
});

describe('several organizations', () => {
  it('have to be told apart by name', async () => {
    const text =
      'organization: { name: Globex }\nusers: [ { email: hank@globex.example } ]\nteams: [ { slug: sre } ]\n';
    assert.equal((await tocsin.run(['apply', file('globex.yaml', text)])).code, 0);
    const create = ['webhook', 'create', '--team', 'sre', '--name', 'Probe', '--type', 'custom'];
    refused(
      await tocsin.run(create),
      /^The team sre is in several organizations; say which with --organization: Acme, Globex$/m,
    );
    assert.equal((await tocsin.run([...create, '--organization', 'globex'])).code, 0);
    refused(
      await tocsin.run(['owner', 'create', '--email', 'new@x.example', '--name', 'N']),
      /^The database has several organizations/,
    );
    assert.equal(
      (await tocsin.run(['owner', 'create', '--email', 'hank@globex.example', '--name', 'H'])).code,
      0,
    );
    assert.deepEqual(await rows("select role from users where email = 'hank@globex.example'"), [
      { role: 'owner' },
    ]);
  });
});

describe('doctor', () => {
  it('says what to fix, and fails when a page could reach nobody', async () => {
    const ran = await tocsin.run(['doctor']);
    // The database of tests is quick and forgetful: fsync is off.
    assert.equal(ran.code, 1);
    assert.match(ran.stdout, /^x {3}database: fsync is off: .*\n {6}→ set fsync = on/m);
    assert.match(ran.stdout, /^! {3}server: no server runs now/m);
    assert.match(
      ran.stdout,
      /^! {3}providers: Email is not set up: set SMTP_URL and SMTP_FROM; 5 people count on it$/m,
    );
    assert.match(
      ran.stdout,
      /^x {3}people: Grace Hopper \(grace@example\.com\) is .* cannot be reached: .*ALLOW_PRIVATE_WEBHOOKS/m,
    );
    assert.match(ran.stderr, /^There are \d+ problems that could cost a page\.$/m);
  });

  it('prints JSON, and is content with people who can be reached', async () => {
    const ran = await tocsin.run(['doctor', '--json'], { env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
    const { ok, findings } = JSON.parse(ran.stdout) as {
      ok: boolean;
      findings: { level: string; about: string; message: string }[];
    };
    assert.equal(ok, false);
    assert.ok(findings.every(({ about, level }) => level !== 'problem' || about === 'database'));
    assert.match(findings.find(({ about }) => about === 'people')?.message ?? '', /can be reached$/);
  });
});
