import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { bringSession, launchBrowser, openTab, type StoryBrowser } from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { freePort } from '../testing/free-port.ts';
import { passedOn } from '../testing/passed-on.ts';
import { type Cluster, cluster } from '../testing/processes.ts';
import { type Replicas, replicas } from '../testing/replicas.ts';
import { SHORT_LIVED, serviceProgram } from '../testing/service-program.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';

/** A node that is started while PostgreSQL is stopped. */
describe('a node that starts without its database', { timeout: 600_000 }, () => {
  let pair: Replicas;
  let t: Cluster;
  let browser: StoryBrowser;
  let ada: SignedIn;
  let url = '';
  let uploadUrl = '';
  let node: ChildProcess;
  let said = '';
  const dataDir = mkdtempSync(join(tmpdir(), 'tocsin-waits-'));
  const env: Record<string, string> = { DATA_DIR: dataDir, SECRET_KEY: randomBytes(32).toString('base64') };

  const status = async (path: string, init: RequestInit = {}) =>
    (await fetch(url + path, init).catch(() => null))?.status ?? 0;
  const cookie = () => ({ headers: { cookie: ada.cookie } });

  function start(more: Record<string, string> = {}, args: string[] = []): ChildProcess {
    said = '';
    const child = spawn(process.execPath, [...SHORT_LIVED, serviceProgram(), 'serve', ...args], {
      env: { ...passedOn(), ...env, LOG_LEVEL: 'info', ...more },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    return child;
  }

  before(async () => {
    [pair, browser] = await Promise.all([replicas(), launchBrowser()]);
    const phone = { methods: [{ type: 'phone' as const, value: '+4915155500001' }] };
    t = await cluster(
      { people: { ada: phone }, teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']] }] } } },
      env,
      { database: { url: pair.first.url, drop: async () => undefined } },
    );
    const earlier = await t.start({});
    url = earlier.url;
    ada = await signIn({ ...t, url }, 'ada');
    await eventually(() => status('/api/saved-on-call', cookie()), 200);
    await earlier.end('SIGTERM');
    const again = await t.start({ port: Number(new URL(url).port) });
    await eventually(() => status('/api/saved-on-call', cookie()), 200);
    await again.end('SIGTERM');
    await pair.first.stop('fast');
    const [port, uploadPort] = [new URL(url).port, String(await freePort())];
    uploadUrl = `http://127.0.0.1:${uploadPort}`;
    Object.assign(env, { PORT: port, UPLOAD_PORT: uploadPort, DATABASE_URL: pair.first.url });
    node = start();
    await eventually(() => status('/healthz'), 503);
  });
  after(async () => {
    node?.kill('SIGKILL');
    await browser?.close();
    await t?.stop();
    await pair?.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('reports the problem to probes and in its log', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const answer = await fetch(url + path);
      assert.equal(answer.status, 503);
      const { checks } = (await answer.json()) as {
        checks: Record<string, { ok: boolean; message: string }>;
      };
      assert.deepEqual(checks.process, { ok: false, message: 'starting or stopping' });
      assert.match(checks.database?.message ?? '', /^does not answer; check that PostgreSQL runs/);
    }
    assert.match(said, /the database is away; the start continues as soon as it answers/);
    assert.equal(said.match(/the database is away/g)?.length, 1);
  });

  it('shows the saved list to a person who was signed in, and answers 503 for everything else', async () => {
    const answer = await ada.call('GET', '/api/saved-on-call');
    assert.equal(answer.status, 200);
    assert.match(JSON.stringify(answer.body), /\+4915155500001/);
    assert.equal(await status('/api/saved-on-call'), 401);
    const key = { authorization: `Bearer ${t.acme.key}`, 'content-type': 'application/json' };
    assert.equal(await status('/api/saved-on-call', { headers: key }), 503);
    assert.equal(await status('/api/session', cookie()), 503);
    const page = await fetch(`${url}/page/person`, { method: 'POST', headers: key, body: '{}' });
    assert.equal(page.status, 503);
    assert.ok(page.headers.get('retry-after'));
    assert.match(await page.text(), /nothing was stored; send the request again/);
    const paths = ['/moment/x', '/page/x', '/heartbeat/x', '/callbacks/twilio/sms', '/v2/enqueue'];
    for (const path of paths) assert.equal(await status(path, { method: 'POST' }), 503, path);
    assert.equal(await status('/no-such-path', { headers: { accept: 'application/json' } }), 404);
    assert.equal((await fetch(`${uploadUrl}/availabilities/upload`, { method: 'POST' })).status, 503);
    const link = await fetch(`${url}/a/x`, { headers: { accept: 'text/html' } });
    assert.equal(link.status, 503);
    assert.match(await link.text(), /Nothing was acknowledged/);
  });

  it('begins its work as soon as the database answers, and a waiting dashboard opens', async () => {
    const { page, close } = await openTab(browser, 'phone', 'light');
    await bringSession(page, ada, url);
    await page.goto(url);
    await page.getByText(/^The database is not reachable\. This list was saved/).waitFor();
    await page.getByRole('link', { name: '+4915155500001' }).waitFor();
    await pair.first.start();
    await eventually(() => status('/readyz'), 200);
    await page.getByRole('heading', { name: 'Now' }).waitFor();
    await close();
    assert.match(said, /Tocsin is ready/);
    const gone = once(node, 'exit');
    node.kill('SIGTERM');
    assert.deepEqual(await gone, [0, null]);
  });

  it('migrates a database that was empty', async () => {
    await pair.first.query('create database fresh');
    await pair.first.stop('fast');
    const address = new URL(pair.first.url);
    address.pathname = '/fresh';
    node = start({ DATABASE_URL: address.href, DATA_DIR: join(dataDir, 'fresh') });
    await eventually(() => status('/healthz'), 503);
    await pair.first.start();
    await eventually(() => status('/readyz'), 200);
    assert.match(said, /the database was migrated/);
    const gone = once(node, 'exit');
    node.kill('SIGTERM');
    assert.deepEqual(await gone, [0, null]);
  });

  it('ends in order while it waits, as a worker as well', async () => {
    await pair.first.stop('fast');
    for (const args of [[], ['--role', 'worker']]) {
      node = start({}, args);
      await eventually(() => status('/healthz'), 503);
      const gone = once(node, 'exit');
      node.kill('SIGTERM');
      assert.deepEqual(await gone, [0, null], said);
    }
  });
});
