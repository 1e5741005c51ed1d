/** The packages that a process loads before it is used: they cost memory and time in every process. */
import '../../testing/own-process.ts';
import assert from 'node:assert/strict';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Served } from '../../testing/command-line.ts';
import { commands, example } from '../../testing/commands.ts';
import { type WebhookReceiver, webhookReceiver } from '../../testing/fakes/webhook-receiver.ts';

const { tocsin, file } = await commands(fileURLToPath(new URL('../..', import.meta.url)));

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  dependencies: Record<string, string>;
};
const notes = file('loaded', '');
// A server started by root continues as another user, who reads and writes here as well.
chmodSync(dirname(notes), 0o755);
chmodSync(notes, 0o666);
/** Records each file that is loaded as a module, and the process that loaded it. */
const noting = file(
  'note-loaded.mjs',
  `import { appendFileSync } from 'node:fs';
   import { registerHooks } from 'node:module';
   import { isMainThread } from 'node:worker_threads';
   import { basename } from 'node:path';
   const reader = isMainThread ? basename(process.argv[1]) : 'thread';
   registerHooks({
     load(url, context, next) {
       appendFileSync(${JSON.stringify(notes)}, reader + ' ' + url + '\\n');
       return next(url, context);
     },
   });`,
);
const env = { NODE_OPTIONS: `--import=${pathToFileURL(noting)}` };

/** The packages of a server on an external database with nothing set up, by purpose. */
const SERVER = [
  ...['commander', 'pino', 'prom-client', 'secure-json-parse'],
  ...['@fastify/cookie', '@fastify/static', '@fastify/swagger', 'fastify'],
  ...['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'],
  ...['ajv', 'intl-messageformat', 'ipaddr.js', 'libphonenumber-js', 'typebox', 'typeid-js'],
  ...['kysely', 'pg'],
  ...['csv-parse', 'helmet', 'ical.js', 're2js', 'rrule-temporal'],
  'web-push',
  // For the description of the API as YAML, which nobody requests; it is part of @fastify/swagger.
  'yaml',
].sort();

describe('a server', () => {
  it('starts with the packages that it pages with, and reads no large text', async () => {
    const server = await served({});
    await server.stop();
    assert.deepEqual(packagesOf(server.loaded()), SERVER);
    const large = server.loaded().filter((path) => statSync(path).size > 300_000);
    assert.deepEqual(large, []);
    assert.doesNotMatch(readFileSync(notes, 'utf8'), /date-holidays/, 'not in a thread either');
  });

  it('starts with the libraries of the providers that are set up', async () => {
    const server = await served({
      SMTP_URL: 'smtp://127.0.0.1:1',
      SMTP_FROM: 'Tocsin <tocsin@example.com>',
      SLACK_BOT_TOKEN: 'xoxb-1',
      SLACK_SIGNING_SECRET: 'secret',
      TWILIO_ACCOUNT_SID: `AC${'1'.repeat(32)}`,
      TWILIO_AUTH_TOKEN: 'token',
      TWILIO_FROM: '+15005550006',
    });
    await server.stop();
    assert.deepEqual(
      packagesOf(server.loaded()),
      [...SERVER, '@slack/web-api', 'nodemailer', 'twilio'].sort(),
    );
    // Twilio's client loads these when it first sends.
    for (const part of ['message.js', 'call.js'])
      assert.ok(
        server.loaded().some((path) => path.endsWith(`twilio/lib/rest/api/v2010/account/${part}`)),
        part,
      );
  });

  it('builds the reference of the API in a separate process, when somebody reads it', async (t) => {
    const server = await served({});
    t.after(() => server.stop());
    const isReference = (path: string) => path.includes('/@scalar/');
    const readForIt = () => filesReadBy('make-reference.ts').filter(isReference);
    assert.deepEqual(readForIt(), []);
    const answers = await Promise.all(
      ['/docs', '/docs/js/scalar.js'].map((path) => fetch(server.url + path)),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    assert.equal(
      readForIt().filter((path) => path.endsWith('/fastify-api-reference/dist/index.js')).length,
      1,
    );
    assert.deepEqual(server.loaded().filter(isReference), []);
  });
});

/** The configuration reads the settings of each channel, whose code checks addresses, signs, and has texts. */
const SETTINGS = ['intl-messageformat', 'ipaddr.js', 'libphonenumber-js', 'typebox'];

describe('a command on the database', () => {
  /** Name, arguments, packages, and the exit code: `doctor` reports problems in an empty installation. */
  const each: [string, readonly string[], readonly string[], number?][] = [
    ['--help', ['--help'], []],
    ['doctor', ['doctor'], ['kysely', 'pg', ...SETTINGS], 1],
    [
      'owner',
      ['owner', 'create', '--email', 'x@example.com', '--name', 'x'],
      ['kysely', 'pg', 'typeid-js', ...SETTINGS],
    ],
    [
      'key',
      ['key', 'create', '--user', 'x@example.com', '--name', 'x'],
      ['kysely', 'pg', 'typeid-js', ...SETTINGS],
    ],
    [
      'apply',
      ['apply', example, '--dry-run'],
      ['ajv', 'kysely', 'pg', 're2js', 'rrule-temporal', 'typeid-js', 'yaml', ...SETTINGS],
    ],
  ];
  for (const [name, args, packages, exitCode] of each)
    it(`loads its packages and no server: ${name}`, async () => {
      const { loaded } = await packagesOfCommand(args, {}, exitCode);
      assert.deepEqual(loaded, ['commander', ...packages].sort());
    });
});

describe('a command that uses a server', () => {
  let receiver: WebhookReceiver;
  let server: Served;
  let remote: Record<string, string>;
  before(async () => {
    receiver = await webhookReceiver();
    const file = `
organization: { name: Acme }
users: [ { email: ada@example.com, name: Ada, contact_methods: [ { type: webhook, value: "${receiver.url}ada" } ] } ]
teams: [ { slug: sre, members: [ada@example.com] } ]
schedules:
  - name: SRE
    team: sre
    shifts: { every: day, handoff: "09:00" }
    stages: [ { stage: 1, members: [ada@example.com] } ]
`;
    const applied = await tocsin.run(['apply', '-'], { input: file });
    assert.equal(applied.code, 0, applied.stderr);
    const key = await tocsin.run(['key', 'create', '--user', 'ada@example.com', '--name', 'test', '--full']);
    server = await tocsin.serve({ ALLOW_PRIVATE_WEBHOOKS: 'true' });
    remote = { TOCSIN_URL: server.url, TOCSIN_KEY: key.stdout.trim() };
  });
  after(async () => {
    await server.stop();
    await receiver.stop();
  });

  it('loads no settings of a server: schedules, oncall', async () => {
    // Their contracts contain refusals in words, which exist in six languages.
    for (const args of [['schedules'], ['oncall', 'SRE']])
      assert.deepEqual((await packagesOfCommand(args, remote)).loaded, [
        'commander',
        'intl-messageformat',
        'typeid-js',
      ]);
  });

  it('loads descriptions of channels to show a page, but not to raise one: page, request', async () => {
    const raised = await packagesOfCommand(
      ['page', 'team', 'sre', '--title', 'Disk full', '--text', 'x'],
      remote,
    );
    assert.deepEqual(raised.loaded, ['commander', 'intl-messageformat']);
    await receiver.expect(({ body }) => body.title === 'Disk full');
    const request = raised.stdout.trim();
    const shown = await packagesOfCommand(['request', request], remote);
    assert.deepEqual(shown.loaded, ['commander', 'intl-messageformat', 'typebox']);
    const acted = await packagesOfCommand(['page', 'comment', request, '--text', 'Looking.'], remote);
    assert.deepEqual(acted.loaded, ['commander', 'intl-messageformat', 'typebox', 'typeid-js']);
  });
});

/** Runs a command, and returns the packages that it loaded. */
async function packagesOfCommand(args: readonly string[], more: Record<string, string>, exitCode = 0) {
  writeFileSync(notes, '');
  const ran = await tocsin.run(args, { env: { ...env, ...more } });
  assert.equal(ran.code, exitCode, ran.stderr);
  return { ...ran, loaded: packagesOf(filesReadBy('main.ts')) };
}

/** A server with these settings, and the packages that it has loaded. */
async function served(settings: Record<string, string>) {
  writeFileSync(notes, '');
  const server = await tocsin.serve({ ...settings, ...env });
  return { ...server, loaded: () => filesReadBy('main.ts') };
}

/** Paths of the files that were read as modules by the main thread of this program. */
function filesReadBy(program: string): string[] {
  return readFileSync(notes, 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([reader, url]) => reader === program && url?.startsWith('file:'))
    .map(([, url = '']) => fileURLToPath(url));
}

/** Packages on our own list; their dependencies are not counted. */
function packagesOf(files: readonly string[]): string[] {
  const names = files.map((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? '');
  return [...new Set(names)].filter((name) => name in manifest.dependencies).sort();
}
