/** An upgrade from the data directory of each release, as that release left it. */
import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { VERSION } from '../src/kit/version.ts';
import { type CommandLine, commandLine, type Served } from '../testing/command-line.ts';
import { stopLeftover } from '../testing/embedded.ts';
import { eventually } from '../testing/eventually.ts';
import { type WebhookReceiver, webhookReceiver } from '../testing/fakes/webhook-receiver.ts';
import {
  type MadeByRelease,
  releaseOrganization,
  sourceFile,
  storedReleases,
  unpackRelease,
  unpackSource,
} from '../testing/stored-release.ts';

it('the first release has a data directory, and every one has its source', () => {
  assert.ok(storedReleases().includes('0.1.0'));
  assert.deepEqual(
    storedReleases().filter((version) => !existsSync(sourceFile(version))),
    [],
  );
});

for (const version of storedReleases())
  it(`the stored source of ${version} belongs to that release, without tests`, (t) => {
    const { path, remove } = unpackSource(version);
    t.after(remove);
    const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as { version: string };
    assert.equal(manifest.version, version);
    const files = ['migrations', 'src'].flatMap((folder) =>
      readdirSync(join(path, folder), { recursive: true, encoding: 'utf8' }),
    );
    assert.ok(files.includes('main.ts') && files.includes('0001_foundation.sql'));
    assert.deepEqual(
      files.filter((name) => /\.test\.ts$|\.contract\.ts$|(^|\/)testing/.test(name)),
      [],
    );
  });

for (const version of storedReleases())
  describe(`a data directory of ${version}`, { timeout: 600_000 }, () => {
    let made: MadeByRelease;
    let receiver: WebhookReceiver;
    let now: CommandLine;
    let server: Served | null = null;
    let dataDir = '';
    // Retention is as long as possible, so that what the release stored stays, however long ago that was.
    const keep = { PAGE_RETENTION_DAYS: '36500', MOMENT_RETENTION_DAYS: '36500' };
    const env = { SECRET_KEY: '', ALLOW_PRIVATE_WEBHOOKS: 'true', ...keep };

    before(async () => {
      receiver = await webhookReceiver();
      now = commandLine(null);
      dataDir = now.env.DATA_DIR ?? '';
      made = unpackRelease(version, dataDir);
    });
    after(async () => {
      await server?.stop();
      await stopLeftover(dataDir);
      now.remove();
      await receiver.stop();
    });

    async function run(...args: string[]): Promise<string> {
      const ran = await now.run(args, { env });
      assert.equal(ran.code, 0, ran.stderr);
      return ran.stdout;
    }

    /** Created by this release. Keys of releases before 0.2.0 can page, but read nothing else. */
    let fullKey = '';

    async function call(method: string, path: string, body?: unknown) {
      const headers = {
        authorization: `Bearer ${path.startsWith('/api/') ? fullKey : made.key}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      };
      const url = `${server?.url}${path}`;
      const answer = await fetch(url, { method, headers, body: body ? JSON.stringify(body) : null });
      const text = await answer.text();
      assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
      return JSON.parse(text);
    }

    const files = () =>
      readdirSync(dataDir).includes('snapshots') ? readdirSync(join(dataDir, 'snapshots')) : [];

    it('passes the check for the upgrade, which does not change it', async () => {
      for (const _ of ['once', 'again']) {
        const { ok, findings } = JSON.parse(await run('--json', 'upgrade', '--check'));
        assert.equal(ok, true);
        const messages = findings.map(({ message }: { message: string }) => message).join('\n');
        assert.match(
          messages,
          new RegExp(`${version.replaceAll('.', '\\.')} used this database last, and no process runs`),
        );
        assert.match(messages, /the first start applies \d+ migrations/);
        assert.match(messages, /writes a snapshot to the folder snapshots of DATA_DIR/);
      }
      assert.deepEqual(files(), []);
    });

    it('is upgraded by the first start, which writes a snapshot first', async () => {
      server = await now.serve(env);
      const [snapshot, ...others] = files();
      assert.match(
        snapshot ?? '',
        new RegExp(`^before-${VERSION.replaceAll('.', '\\.')}-at-\\d{4}\\.backup$`),
      );
      assert.deepEqual(others, []);
      await eventually(
        async () => (await run('upgrade', '--check')).includes('every migration of this release'),
        true,
      );
    });

    it('kept its pages and moments, which continue', async () => {
      fullKey = (
        await run('key', 'create', '--user', 'ada@example.com', '--name', 'reader', '--full')
      ).trim();
      const { pages } = await call('GET', '/api/pages');
      const states = new Map(pages.map((page: { title: string; state: string }) => [page.title, page.state]));
      assert.deepEqual([...states.keys()].sort(), ['Acknowledged', 'Still open']);
      assert.equal(states.get('Acknowledged'), 'acknowledged');
      await call('POST', made.hook, { name: 'New incident', type: 'incident', source: 'CI' });
      const names = async () =>
        (await call('GET', '/api/moments')).moments.map(({ name }: { name: string }) => name).sort();
      await eventually(names, ['New incident', 'Stored incident']);
    });

    it('pages the people in the stored schedule, with a key and secrets from the release', async () => {
      const file = join(dataDir, 'acme.yaml');
      writeFileSync(file, releaseOrganization(receiver.url));
      const applied = await run('apply', file);
      receiver.secret = /ada@example\.com .* (whsec_\S+)/.exec(applied)?.[1] ?? receiver.secret;
      await call('POST', '/page/person', {
        recipient: 'ada@example.com',
        title: 'After',
        text: 'the upgrade',
      });
      await receiver.expect(({ body }) => body.title === 'After');
    });

    it('can be restored from the snapshot', async () => {
      await server?.stop();
      server = null;
      const [snapshot] = files();
      await run('restore', join(dataDir, 'snapshots', snapshot ?? ''), '--replace');
      server = await now.serve(env);
      fullKey = (
        await run('key', 'create', '--user', 'ada@example.com', '--name', 'reader', '--full')
      ).trim();
      const { pages } = await call('GET', '/api/pages');
      assert.deepEqual(pages.map(({ title }: { title: string }) => title).sort(), [
        'Acknowledged',
        'Still open',
      ]);
    });
  });
