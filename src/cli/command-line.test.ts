import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { commands, example, refused } from '../../testing/commands.ts';
import { freePort } from '../../testing/free-port.ts';
import { sha256 } from '../kit/sealing.ts';

const { databaseUrl, file, folder, rows, tocsin } = await commands();

describe('settings', () => {
  it('that are wrong stop a command with one sentence that names the variable and the fix', async () => {
    for (const command of ['doctor', 'schedules'])
      refused(
        await tocsin.run([command], { env: { TOCSIN_PORT: '1' } }),
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

  it('of a database that is away or refuses us are reported', async () => {
    const port = await freePort();
    const away = await tocsin.run(['doctor'], {
      env: { DATABASE_URL: `postgres://u:secret@127.0.0.1:${port}/x` },
    });
    refused(
      away,
      /^The database at 127\.0\.0\.1:\d+ cannot be used \(.*ECONNREFUSED.*\); check DATABASE_URL/,
    );
    const wrong = new URL(databaseUrl);
    wrong.password = 'guess';
    const denied = await tocsin.run(['doctor'], { env: { DATABASE_URL: wrong.href } });
    refused(denied, /cannot be used \(password authentication failed/);
    assert.doesNotMatch(away.stderr + denied.stderr, /secret|guess/);
  });

  it("with a different secret key than the database's are detected before anything is encrypted", async () => {
    assert.equal((await tocsin.run(['apply', example, '--dry-run'])).code, 0);
    const other = Buffer.alloc(32, 1).toString('base64');
    refused(
      await tocsin.run(['apply', example], { env: { SECRET_KEY: other } }),
      /secret key is not the one/,
    );
  });
});

describe('owner create', () => {
  it('creates the organization and its owner, and prints a link that works once', async () => {
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

  it('prints a new link for an existing owner', async () => {
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

  it('refuses what is not an email address', async () => {
    refused(
      await tocsin.run(['owner', 'create', '--email', 'boss', '--name', 'B']),
      /^--email is "boss"; give an email address/,
    );
  });
});

describe('apply', () => {
  it('adopts an organization that has only its owner, and prints the changes', async () => {
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

  it('prints every problem of a file with line and column, and that nothing was changed', async () => {
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
      `${path} has 3 errors; nothing was changed.`,
    ]);
    const json = JSON.parse((await tocsin.run(['apply', path, '--json'])).stdout) as { details: unknown[] };
    assert.deepEqual(json.details[0], {
      line: 3,
      column: 5,
      path: 'users[0].nmae',
      message: 'is not a key of a user; did you mean name?',
    });
  });

  it('refuses a file that does not exist, is not text or is far too long', async () => {
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
