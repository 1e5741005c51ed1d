import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandsHere, example, refused } from '../../testing/commands.ts';
import { sha256 } from '../kit/sealing.ts';

const { file, rows, tocsin } = await commandsHere();
await tocsin.run(['owner', 'create', '--email', 'boss@acme.example', '--name', 'The Boss']);
assert.equal((await tocsin.run(['apply', example])).code, 0);

describe('key create', () => {
  it('prints only the key', async () => {
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
      /"all" is not a scope; give some of pages/,
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

  it('for an unknown person suggests the nearest one', async () => {
    refused(
      await tocsin.run(['key', 'create', '--user', 'adda@example.com', '--name', 'x']),
      /^No user has the email address adda@example\.com; did you mean ada@example\.com\?$/m,
    );
  });
});

describe('webhook create', () => {
  it('prints only the URL', async () => {
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

  it('takes settings', async () => {
    const settings = { filter: { types: ['Bug'] }, priorities: { P1: 'high' } };
    const args = ['--team', 'sre', '--name', 'Tickets', '--type', 'jira'];
    const ran = await tocsin.run(['webhook', 'create', ...args, '--settings', JSON.stringify(settings)]);
    assert.equal(ran.code, 0, ran.stderr);
    assert.deepEqual(await rows("select settings from webhooks where name = 'Tickets'"), [{ settings }]);
  });

  it('refuses with the names of its options', async () => {
    const create = (...args: string[]) => tocsin.run(['webhook', 'create', ...args]);
    refused(
      await create('--team', 'sra', '--name', 'x', '--type', 'custom'),
      /^There is no team "sra"; did you mean sre\?$/m,
    );
    refused(
      await create('--team', 'sre', '--name', 'x', '--type', 'pigeon'),
      /^--type is "pigeon", which is not an integration/,
    );
    refused(
      await create('--team', 'sre', '--name', 'prometheus', '--type', 'custom'),
      /^--name is taken by another webhook of this team/,
    );
    refused(
      await create('--team', 'sre', '--name', 'x', '--type', 'custom', '--expires', '2020-01-01T00:00:00Z'),
      /^--expires is 2020.*past/,
    );
    refused(
      await create('--team', 'sre', '--name', 'x', '--type', 'jira', '--settings', '{"filtr": {}}'),
      /^--settings filtr is not a setting; did you mean filter\?/,
    );
    const broken = await create('--team', 'sre', '--name', 'x', '--type', 'jira', '--settings', '[1');
    assert.equal(broken.code, 2);
    assert.match(broken.stderr, /is not a JSON object/);
  });
});

describe('several organizations', () => {
  it('have to be distinguished by name', async () => {
    const text =
      'organization: { name: Globex }\nusers: [ { email: hank@globex.example } ]\nteams: [ { slug: sre } ]\n';
    assert.equal((await tocsin.run(['apply', file('globex.yaml', text)])).code, 0);
    const create = ['webhook', 'create', '--team', 'sre', '--name', 'Probe', '--type', 'custom'];
    refused(
      await tocsin.run(create),
      /^The team sre is in several organizations; choose one with --organization: Acme, Globex$/m,
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
  it('names the fixes, and fails if a page could reach nobody', async () => {
    const ran = await tocsin.run(['doctor']);
    // The database of tests is fast and not durable: fsync is off.
    assert.equal(ran.code, 1);
    assert.match(ran.stdout, /^x {3}database: fsync is off: .*\n {6}→ set fsync = on/m);
    assert.match(ran.stdout, /^! {3}server: no server runs now/m);
    assert.match(
      ran.stdout,
      /^ok {2}clock: time zones are those of \d{4}[a-z]+, which came with Node\.js 26/m,
    );
    assert.match(
      ran.stdout,
      /^! {3}providers: Email is not set up: set it up under Settings, Channels, or set SMTP_URL and SMTP_FROM; 5 people use it$/m,
    );
    assert.match(
      ran.stdout,
      /^x {3}people: Grace Hopper \(grace@example\.com\) is .* cannot be reached: .*ALLOW_PRIVATE_WEBHOOKS/m,
    );
    assert.match(ran.stderr, /^There are \d+ problems because of which pages could be lost\.$/m);
  });

  it('reports a channel that is not set up once, even if the service has recorded it', async () => {
    await rows(`
      insert into problems (subject, code, message, fix, first_at, last_at) values
        ('channel:email', 'not_configured', 'Email is not set up.', 'Set SMTP_URL.', now(), now()),
        ('channel:sms', 'credentials', 'Twilio refuses the token.', 'Correct it.', now(), now())`);
    const providers = async (env = {}): Promise<string[]> =>
      (await tocsin.run(['doctor'], { env })).stdout.match(/(?<=providers: ).*/g) ?? [];
    const told = await providers();
    assert.deepEqual(
      told.filter((line) => line.includes('Email')),
      [
        'Email is not set up: set it up under Settings, Channels, or set SMTP_URL and SMTP_FROM; 5 people use it',
      ],
    );
    assert.ok(told.includes('channel:sms: Twilio refuses the token. (once)'));
    // Here it is set up, because the service runs with different settings.
    assert.ok(
      (await providers({ SMTP_URL: 'smtp://127.0.0.1:9', SMTP_FROM: 'a@example.com' })).includes(
        'channel:email: Email is not set up. (once)',
      ),
    );
    await rows('delete from problems');
  });

  it('prints JSON, and succeeds if everybody can be reached', async () => {
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
