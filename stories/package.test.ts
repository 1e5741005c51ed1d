/** The contents of the package that `npm pack` makes, and that it pages from a read-only disk. */
import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type WebhookReceiver, webhookReceiver } from '../testing/fakes/webhook-receiver.ts';
import { freePort } from '../testing/free-port.ts';
import { install, pack } from '../testing/packed.ts';
import { passedOn } from '../testing/passed-on.ts';
import { within } from '../testing/within.ts';

const root = new URL('../', import.meta.url);

describe('the package of npm pack', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-package-'));
  const place = join(folder, 'installed');
  let files: string[];
  let tocsin: string;
  let readOnly = false;
  let receiver: WebhookReceiver;

  before(async () => {
    // The user that runs PostgreSQL and the service must be able to enter the folder.
    chmodSync(folder, 0o755);
    mkdirSync(place);
    const packed = pack(folder);
    files = execFileSync('tar', ['-tzf', packed], { encoding: 'utf8' }).trim().split('\n');
    tocsin = install(packed, place);
    readOnly = makeReadOnly(place);
    receiver = await webhookReceiver();
  });
  after(async () => {
    await receiver.stop();
    if (readOnly) spawnSync('umount', [place]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('contains the dashboard, migrations, lock file, materials and licences, but no source, test or secret', () => {
    const migrations = globSync('migrations/*.sql', { cwd: root });
    assert.ok(migrations.length > 0);
    for (const name of [
      ...['package.json', 'npm-shrinkwrap.json', 'LICENSE', 'README.md', 'bin/tocsin.js', 'bin/v8-flags'],
      ...['dist/src/main.js', 'dist/web/dist/index.html', 'examples/acme.yaml'],
      ...['dist/sbom.json', 'dist/licences.txt'],
      ...migrations.map((name) => `dist/${name}`),
    ])
      assert.ok(files.includes(`package/${name}`), name);
    const outside = /\.tsx?$|\.test\.|testing\/|stories\/|fakes\/|node_modules|\/data\//;
    assert.deepEqual(
      files.filter((name) => outside.test(name)),
      [],
    );
  });

  it('names every package that it installs, with its licence', () => {
    const inPackage = (name: string) => readFileSync(join(place, 'node_modules/tocsin', name), 'utf8');
    const { bomFormat, metadata, components } = JSON.parse(inPackage('dist/sbom.json')) as {
      bomFormat: string;
      metadata: { component: { name: string } };
      components: { name: string; version: string }[];
    };
    assert.deepEqual([bomFormat, metadata.component.name], ['CycloneDX', 'tocsin']);
    const licences = inPackage('dist/licences.txt');
    const { dependencies } = JSON.parse(inPackage('package.json')) as {
      dependencies: Record<string, string>;
    };
    for (const [name, version] of Object.entries(dependencies)) {
      const listed = components.filter((one) => one.name === name).map((one) => one.version);
      assert.ok(listed.includes(version), `${name} ${version}, not ${listed.join(', ')}`);
      assert.ok(licences.includes(`\n${name} ${version}: `), name);
    }
    assert.doesNotMatch(licences, /\ntypescript /);
    assert.doesNotMatch(licences, /no licence named/);
  });

  it('prints its version', () => {
    const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
      version: string;
    };
    const printed = execFileSync(tocsin, ['--version'], { encoding: 'utf8', cwd: folder });
    assert.equal(printed.trim(), version);
  });

  it('names the TypeScript line in its errors', () => {
    const compiled = readFileSync(join(place, 'node_modules/tocsin/dist/src/serve.js'), 'utf8').split('\n');
    const source = readFileSync(new URL('src/serve.ts', root), 'utf8').split('\n');
    const here = 'await loadProviders(config)';
    const line = source.findIndex((text) => text.includes(here));
    assert.ok(line > 0);
    assert.equal(compiled[line]?.indexOf(here), source[line]?.indexOf(here));
  });

  it('serves with the embedded database, receives a page and delivers it, and writes only into DATA_DIR', async (t) => {
    if (!readOnly)
      t.diagnostic('Only root can mount the program read-only, so this ran on a disk that can be written.');
    const [port, uploadPort] = [await freePort(), await freePort()];
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir);
    const env = {
      ...passedOn(),
      HOME: folder,
      PORT: String(port),
      UPLOAD_PORT: String(uploadPort),
      DATA_DIR: dataDir,
      SECRET_KEY: randomBytes(32).toString('base64'),
      ALLOW_PRIVATE_WEBHOOKS: 'true',
      DRAIN_SECONDS: '0',
    };
    const before = filesOf(place);
    const server = spawn(tocsin, ['serve'], { env, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    t.after(() => server.kill('SIGKILL'));
    let log = '';
    const ready = Promise.withResolvers<void>();
    server.stderr.on('data', (chunk) => {
      log += chunk;
      if (log.includes('Tocsin is ready')) ready.resolve();
    });
    server.on('exit', () => ready.reject(new Error(`the service ended: ${log}`)));
    await within(ready.promise, 'the start of the service');
    assert.doesNotMatch(log, /continues as root/);

    const file = join(folder, 'acme.yaml');
    writeFileSync(file, organization(receiver));
    const run = (...args: string[]) =>
      execFileSync(tocsin, args, { env, cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    run('apply', file);
    const key = run('key', 'create', '--user', 'ada@example.com', '--name', 'test', '--full').trim();
    const answer = await fetch(`http://127.0.0.1:${port}/page/person`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        recipient: 'ada@example.com',
        title: 'From the package',
        text: 'x',
        urgency: 'high',
      }),
    });
    assert.equal(answer.status, 200, await answer.text());
    const { body } = await receiver.next();
    assert.equal(body.title, 'From the package');
    const dashboard = await fetch(`http://127.0.0.1:${port}/sign-in`);
    assert.match(await dashboard.text(), /<script type="module"/);

    const end = within(once(server, 'exit'), 'the end of the service');
    server.kill('SIGTERM');
    assert.deepEqual(await end, [0, null]);
    assert.deepEqual(filesOf(place), before);
  });
});

function organization({ url, secret }: WebhookReceiver): string {
  return `
organization: { name: Acme, time_zone: Europe/Berlin }
users:
  - email: ada@example.com
    name: Ada Lovelace
    role: owner
    contact_methods:
      - { type: webhook, value: "${url}/ada"${secret ? `, signing_secret: "${secret}"` : ''} }
`;
}

function makeReadOnly(path: string): boolean {
  const mounted = spawnSync('mount', ['--bind', path, path]).status === 0;
  if (mounted) assert.equal(spawnSync('mount', ['-o', 'remount,bind,ro', path]).status, 0);
  return mounted;
}

/** Each file with the time of its last change. */
function filesOf(path: string): string[] {
  return globSync('**/*', { cwd: path }).map((name) => {
    const found = statSync(join(path, name), { throwIfNoEntry: false });
    return `${name} ${found?.mtimeMs}`;
  });
}
