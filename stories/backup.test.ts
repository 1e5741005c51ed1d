/**
 * A backup is complete: accepted pages continue on the other machine, links and keys work, and half a restore changes
 * nothing.
 */
import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type CommandLine, commandLine, type Ran } from '../testing/command-line.ts';
import { type WebhookReceiver, webhookReceiver } from '../testing/fakes/webhook-receiver.ts';

const organization = (webhook: string) => `
organization: { name: Acme, time_zone: Europe/Berlin }
users:
  - email: ada@example.com
    name: Ada Lovelace
    role: owner
    contact_methods: [ { type: webhook, value: "${webhook}ada" } ]
  - email: grace@example.com
    name: Grace Hopper
    contact_methods: [ { type: webhook, value: "${webhook}grace" } ]
teams: [ { name: Site Reliability, slug: sre, members: [ada@example.com, grace@example.com] } ]
schedules:
  - name: SRE
    team: sre
    time_zone: UTC
    strategy: rotation
    backstop: grace@example.com
    shifts: { every: week, handoff: "Monday 09:00" }
    stages: [ { stage: 1, members: [ada@example.com], escalate_after_minutes: 0.2 } ]
`;

let receiver: WebhookReceiver;
let first: CommandLine;
let second: CommandLine;
let key = '';
let file = '';
let passphrase = '';
/** Keys are generated into DATA_DIR, as they are when none is set. */
const env = { SECRET_KEY: '', ALLOW_PRIVATE_WEBHOOKS: 'true' };

before(async () => {
  receiver = await webhookReceiver();
  first = commandLine(null);
  second = commandLine(null);
  file = join(folder(first), 'acme.backup');
  passphrase = join(folder(first), 'passphrase');
  writeFileSync(passphrase, 'correct horse battery staple\n');
  writeFileSync(join(folder(first), 'acme.yaml'), organization(receiver.url));
});

after(async () => {
  first.remove();
  second.remove();
  await receiver.stop();
});

function folder({ env: { DATA_DIR = '' } }: CommandLine): string {
  return DATA_DIR;
}

async function run(where: CommandLine, ...args: string[]): Promise<Ran> {
  return where.run(args, { env });
}

async function done(where: CommandLine, ...args: string[]): Promise<string> {
  const ran = await run(where, ...args);
  assert.equal(ran.code, 0, ran.stderr);
  return ran.stdout.trim();
}

async function page(url: string, title: string): Promise<string> {
  const response = await fetch(`${url}/page/team`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ recipient: 'sre', title, text: 'db-1 has no space left', urgency: 'high' }),
  });
  assert.equal(response.status, 200, await response.clone().text());
  return ((await response.json()) as { service_request_id: string }).service_request_id;
}

async function status(url: string, request: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`${url}/request/${request}/status`, { headers })).status;
}

const accepted: string[] = [];
let acknowledgeUrl = '';

test('a backup is written while pages arrive, and holds everything that was accepted before it', {
  timeout: 600_000,
}, async () => {
  await done(first, 'apply', join(folder(first), 'acme.yaml'));
  key = await done(first, 'key', 'create', '--user', 'ada@example.com', '--name', 'laptop');
  const server = await first.serve(env);
  try {
    for (let n = 0; n < 50; n++) accepted.push(await page(server.url, `Disk ${n} full\t\\. "quoted"`));
    acknowledgeUrl = (await receiver.next()).body.acknowledge_url;
    let loading = true;
    const load = (async () => {
      for (let n = 0; loading; n++) await page(server.url, `Load ${n}`);
    })();
    const told = JSON.parse(await done(first, 'backup', file, '--passphrase-file', passphrase, '--json'));
    loading = false;
    await load;
    assert.ok(told.rows > 50 && told.tables > 40, JSON.stringify(told));
    assert.equal(told.bytes, statSync(file).size);
    assert.equal(statSync(file).mode & 0o777, 0o600);
  } finally {
    await server.stop();
  }
});

test('nothing is restored if the keys of the backup cannot be written', { timeout: 600_000 }, async () => {
  const inTheWay = join(folder(second), 'vapid.json');
  mkdirSync(inTheWay, { recursive: true });
  const refused = await run(second, 'restore', file, '--passphrase-file', passphrase);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /The keys cannot be written into DATA_DIR .*, so nothing was restored: /);
  assert.equal(existsSync(join(folder(second), 'secret.key')), false);
  rmdirSync(inTheWay);
});

test('on an empty machine, everything works again: keys, links, open pages', {
  timeout: 600_000,
}, async () => {
  const restored = await run(second, 'restore', file, '--passphrase-file', passphrase);
  assert.equal(restored.code, 0, restored.stderr);
  assert.match(restored.stdout, /^\d+ rows of \S+ were restored\.$/m);
  assert.match(restored.stderr, /pages were notifying when the backup was made, and will continue/);
  const server = await second.serve(env);
  const began = new Date();
  try {
    for (const request of accepted) assert.equal(await status(server.url, request), 200);
    // The link has the first machine's address, but its signature is valid everywhere.
    const link = new URL(acknowledgeUrl);
    const answer = await fetch(`${server.url}${link.pathname}${link.search}`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.equal(answer.status, 200, await answer.text());
    const later = await page(server.url, 'After the restore');
    await receiver.expect(({ body }) => body.title === 'After the restore');
    assert.equal(accepted.includes(later), false);
    // Nobody answered the other pages, so they escalate to the backstop by themselves.
    await receiver.expect(
      ({ path, body, at }) => at > began && path === '/grace' && body.title.startsWith('Disk'),
      60_000,
    );
  } finally {
    await server.stop();
  }
});

test('a running server continues with the restored data', { timeout: 600_000 }, async () => {
  const server = await second.serve(env);
  try {
    const lost = await page(server.url, 'After the backup');
    const refused = await run(second, 'restore', file);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^This database is in use: it has an organization\. .* --replace/);
    assert.equal(await status(server.url, lost), 200);
    await done(second, 'restore', file, '--replace');
    assert.equal(await status(server.url, lost), 404);
    await page(server.url, 'On the restored one');
    await receiver.expect(({ body }) => body.title === 'On the restored one');
    const doctor = await run(second, 'doctor');
    assert.match(doctor.stdout, /server: running: all on /);
  } finally {
    await server.stop();
  }
});

test('a folder is refused as the file to write, and nothing is left in it', {
  timeout: 600_000,
}, async () => {
  const refused = await run(second, 'backup', folder(second));
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /is a folder; give the path of the file to write, such as \S+tocsin\.backup\.\n$/,
  );
});

test('an incomplete backup is refused before anything changes', { timeout: 600_000 }, async () => {
  const copy = join(folder(first), 'damaged.backup');
  const refusedFor = async (sentence: RegExp, ...more: string[]) => {
    const { code, stdout, stderr } = await run(second, 'restore', copy, '--replace', ...more);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, sentence);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  };
  cpSync(file, copy);
  truncateSync(copy, statSync(copy).size - 100);
  await refusedFor(/is damaged: its end is missing/);
  writeFileSync(
    copy,
    gzipSync(gunzipSync(readFileSync(file)).toString('utf8').replace('Disk 7 full', 'Disk 8 full')),
  );
  await refusedFor(/is damaged: its checksum does not match/);
  writeFileSync(copy, 'organization: {}');
  await refusedFor(/is not a backup of Tocsin/);
  cpSync(file, copy);
  writeFileSync(passphrase, 'another passphrase altogether');
  await refusedFor(/the passphrase does not open the keys/, '--passphrase-file', passphrase);
});

test('nothing is restored with a different key than that of the backup', { timeout: 600_000 }, async () => {
  const keyFile = join(folder(second), 'secret.key');
  renameSync(keyFile, `${keyFile}.kept`);
  writeFileSync(keyFile, Buffer.alloc(32, 7).toString('base64'));
  const refused = await run(second, 'restore', file, '--replace');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /secret\.key is not the key of this backup, so nothing was restored/);
  renameSync(`${keyFile}.kept`, keyFile);
  assert.match((await run(second, 'doctor')).stdout, /^ok {2}people/m);
});

test('a backup moves a database to another PostgreSQL', { timeout: 600_000 }, async () => {
  const cluster = join(folder(second), 'postgres');
  const kept = JSON.parse(await done(second, 'backup', file, '--json'));
  assert.ok(kept.rows > 50, JSON.stringify(kept));
  const real = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  writeFileSync(join(cluster, 'PG_VERSION'), '17\n');
  const started = await run(second, 'doctor');
  assert.equal(started.code, 1);
  assert.match(
    started.stderr,
    new RegExp(
      `PostgreSQL 17, and this Tocsin brings PostgreSQL ${real}\\..*tocsin backup FILE.*move .*postgres away.*tocsin restore FILE`,
    ),
  );
  renameSync(cluster, `${cluster}-17`);
  assert.match(await done(second, 'restore', file), new RegExp(`^${kept.rows} rows of `));
  const again = JSON.parse(await done(second, 'backup', file, '--json'));
  assert.deepEqual([again.rows, again.tables], [kept.rows, kept.tables]);
  assert.match((await run(second, 'doctor')).stdout, /^ok {2}people/m);
  rmSync(`${cluster}-17`, { recursive: true });
  assert.ok(existsSync(cluster));
});
