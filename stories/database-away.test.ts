import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createSealing } from '../src/kit/sealing.ts';
import { acknowledgeToken, acknowledgeUrl } from '../src/notifications/links.ts';
import {
  bringSession,
  launchBrowser,
  openTab,
  SIZES,
  type Size,
  type StoryBrowser,
  schemesAt,
} from '../testing/browser.ts';
import { type CommandLine, commandLine } from '../testing/command-line.ts';
import { eventually } from '../testing/eventually.ts';
import { looksWell } from '../testing/looks.ts';
import { type Cluster, cluster, type ServerProcess } from '../testing/processes.ts';
import { type Replicas, replicas } from '../testing/replicas.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';

const phone = (value: string) => ({ methods: [{ type: 'phone' as const, value }] });
const SIZE_NAMES = Object.keys(SIZES) as Size[];

/** A real PostgreSQL is stopped and started; this tests what people can still see meanwhile. */
describe('while the database is away', { timeout: 600_000 }, () => {
  let pair: Replicas;
  let t: Cluster;
  let server: ServerProcess;
  let browser: StoryBrowser;
  let tocsin: CommandLine;
  let ada: SignedIn;
  let late: SignedIn;
  /** Stores the session of `late`, which the lists do not contain. */
  let signInAgain: () => Promise<unknown>;
  let link = '';
  const dataDir = mkdtempSync(join(tmpdir(), 'tocsin-away-'));
  const env = { DATA_DIR: dataDir, SECRET_KEY: randomBytes(32).toString('base64') };

  const status = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(server.url + path, { headers })).status;
  const saved = async ({ cookie }: SignedIn) => status('/api/saved-on-call', { cookie });
  const run = (...args: string[]) => tocsin.run(args, { env: { ...env, DATABASE_URL: pair.first.url } });

  before(async () => {
    [pair, browser] = await Promise.all([replicas(), launchBrowser()]);
    t = await cluster(
      {
        people: {
          // The receiver does not answer, so the page keeps notifying.
          ada: {
            methods: [...phone('+4915155500001').methods, { type: 'webhook', value: 'http://127.0.0.1:9/' }],
          },
          grace: phone('+4915155500002'),
          linus: phone('+4915155500003'),
        },
        teams: {
          sre: {
            members: ['ada', 'grace', 'linus'],
            schedules: [{ stages: [['ada'], ['grace']], backstop: 'linus' }],
          },
        },
      },
      env,
      { database: { url: pair.first.url, drop: async () => undefined } },
    );
    tocsin = commandLine(pair.first.url);
    server = await t.start({});
    ada = await signIn({ ...t, url: server.url }, 'ada');
    // The list saved first may be older than the session.
    await eventually(() => saved(ada), 200);
    // No list contains this session, as if she had signed in after the last one was saved.
    late = await signIn({ ...t, url: server.url }, 'grace');
    const sessions = t.db.deleteFrom('sessions').where('user_id', '=', t.acme.users.grace ?? '');
    const rows = await sessions.returningAll().execute();
    signInAgain = () => t.db.insertInto('sessions').values(rows).execute();
    await server.end('SIGTERM');
    server = await t.start({ port: Number(new URL(server.url).port) });
    await eventually(() => saved(ada), 200);
    const paged = await fetch(`${server.url}/page/person`, {
      method: 'POST',
      headers: { authorization: `Bearer ${t.acme.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ recipient: 'ada@example.com', title: 'Disk full', text: 'db-1' }),
    });
    assert.equal(paged.status, 200);
    const deliveries = () => t.db.selectFrom('deliveries').select('id').execute();
    await eventually(async () => (await deliveries()).length > 0, true);
    const [delivery] = await deliveries();
    const sealing = createSealing(Buffer.from(env.SECRET_KEY, 'base64'));
    const token = acknowledgeToken(sealing, delivery?.id ?? '', await t.clock.now(t.db));
    link = acknowledgeUrl(server.url, token);
    await pair.first.stop('fast');
    await eventually(() => status('/api/session', { cookie: ada.cookie }), 503);
  });
  after(async () => {
    await browser?.close();
    await t?.stop();
    tocsin?.remove();
    await pair?.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('shows the list to a person who was signed in when it was saved, and to nobody else', async () => {
    const { status: code, body } = await ada.call('GET', '/api/saved-on-call');
    assert.equal(code, 200);
    assert.match(JSON.stringify(body), /\+4915155500001.*\+4915155500002/);
    assert.equal(await saved(late), 503);
    assert.equal(await status('/api/saved-on-call'), 401);
    assert.equal(await status('/api/saved-on-call', { cookie: `${ada.cookie}x` }), 503);
    assert.equal(await status('/api/saved-on-call', { authorization: `Bearer ${t.acme.key}` }), 503);
  });

  it('answers 503 for everything else, including the public list of on-calls', async () => {
    const [schedule] = (await ada.call('GET', '/api/saved-on-call')).body.schedules;
    assert.equal(
      await status(`/schedules/${schedule.id}/oncalls`, { authorization: `Bearer ${t.acme.key}` }),
      503,
    );
    for (const path of ['/api/session', '/api/on-call', '/api/people', '/api/account'])
      assert.equal(await status(path, { cookie: ada.cookie }), 503, path);
  });

  it('tocsin oncall shows the list of DATA_DIR, and its age', async () => {
    const asked = await tocsin.run(['oncall', 'SRE 0'], {
      env: { ...env, TOCSIN_URL: server.url, TOCSIN_KEY: t.acme.key },
    });
    assert.equal(asked.code, 0, asked.stderr);
    assert.match(asked.stderr, /cannot reach its database/);
    assert.match(
      asked.stderr,
      /the list that the server saved in .*on-call\.sealed at 20\S+Z, \d+ minutes? ago\./,
    );
    assert.match(asked.stdout, /stage 1 +Ada +ada@example\.com .* phone \+4915155500001/);
    assert.match(asked.stdout, /backstop +Linus .* phone \+4915155500003/);
    const everything = await run('oncall', '--saved', '--json');
    assert.equal(everything.code, 0, everything.stderr);
    const { entries } = JSON.parse(everything.stdout);
    assert.deepEqual(
      entries.map(
        ({ stage, user, schedule }: { stage: number; user: { name: string }; schedule: string }) => [
          ...[stage, user.name, schedule],
        ],
      ),
      [
        [1, 'Ada', 'sre 0'],
        [2, 'Grace', 'sre 0'],
      ],
    );
    const unknown = await run('oncall', 'Nights', '--saved');
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /has no enabled schedule "Nights"; it has sre 0\./);
    const beyond = await run('oncall', '--saved', '--at', '2099-01-01T00:00:00Z');
    assert.match(beyond.stderr, /The saved list reaches from 20.* to 20/);
    const stranger = await tocsin.run(['oncall', '--saved'], {
      env: { ...env, SECRET_KEY: randomBytes(32).toString('base64') },
    });
    assert.equal(stranger.code, 1);
    assert.match(stranger.stderr, /cannot be opened with this secret key/);
  });

  for (const size of SIZE_NAMES)
    for (const scheme of schemesAt(size))
      it(`the dashboard shows the list instead of itself, ${size} and ${scheme}`, async () => {
        const { page, close } = await openTab(browser, size, scheme);
        await bringSession(page, ada, server.url);
        await page.goto(`${server.url}/pages`);
        await page
          .getByText(/^The database is not reachable\. This list was saved at \d\d:\d\d\.$/)
          .waitFor();
        await page.getByText('Grace', { exact: true }).waitFor();
        assert.equal(
          await page.getByRole('link', { name: '+4915155500003' }).getAttribute('href'),
          'tel:+4915155500003',
        );
        await looksWell(page, `database-away-${size}-${scheme}`, size);
        await close();
      });

  it('the dashboard shows no list to a person whose session it cannot check', async () => {
    const { page, close } = await openTab(browser, 'phone', 'light');
    await bringSession(page, late, server.url);
    await page.goto(server.url);
    await page.getByText('people who were signed in when it was saved').waitFor();
    assert.doesNotMatch((await page.textContent('body')) ?? '', /\+49|Ada|Grace/);
    await looksWell(page, 'database-away-unknown-phone-light', 'phone');
    await close();
  });

  it('an acknowledge link shows people a page, and gives programs JSON', async () => {
    const opened = await fetch(link, { headers: { accept: 'text/html' } });
    assert.equal(opened.status, 503);
    assert.ok(Number(opened.headers.get('retry-after')) > 0);
    assert.match(opened.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(await opened.text(), /http-equiv="refresh".*Nothing was acknowledged\./s);
    const german = await fetch(link, {
      headers: { accept: 'text/html', 'accept-language': 'de-AT,de;q=0.9' },
    });
    assert.match(await german.text(), /<html lang="de">.*Es wurde nichts bestätigt\./s);
    const pressed = await fetch(link, {
      method: 'POST',
      headers: {
        accept: 'text/html',
        'accept-language': 'ja',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: '',
    });
    assert.match(await pressed.text(), /<html lang="ja">.*現在、Tocsinはデータベースに接続できません。/s);
    const program = await fetch(link, { method: 'POST', headers: { accept: 'application/json' } });
    assert.equal(program.status, 503);
    assert.equal(((await program.json()) as { error: string }).error, 'Service Unavailable');
    const other = await fetch(`${server.url}/sign-in/x`, { headers: { accept: 'text/html' } });
    assert.equal(other.status, 503);
    assert.match(await other.text(), /Tocsin cannot reach its database at the moment/);
    const signingIn = await fetch(`${server.url}/sign-in/x`, {
      headers: { accept: 'text/html', 'accept-language': 'de' },
    });
    assert.match(
      await signingIn.text(),
      /Tocsin erreicht gerade seine Datenbank nicht\..*Es wurde nichts geändert\./s,
    );
  });

  it('stops sending a pressed button again after five minutes', async () => {
    const press = async (tries: number) => {
      const answer = await fetch(link, {
        method: 'POST',
        headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ answer: 'mine', tries: String(tries) }),
      });
      assert.equal(answer.status, 503);
      return answer.text();
    };
    assert.match(await press(59), /name="answer" value="mine".*name="tries" value="60".*<script>/s);
    const last = await press(60);
    assert.match(last, /Automatic retries have ended/);
    assert.doesNotMatch(last, /<script>/);
  });

  for (const size of SIZE_NAMES)
    for (const scheme of schemesAt(size))
      it(`an opened link shows that nothing was acknowledged, ${size} and ${scheme}`, async () => {
        const { page, close } = await openTab(browser, size, scheme);
        await page.goto(link);
        await page.getByText('Nothing was acknowledged.').waitFor();
        await looksWell(page, `acknowledge-away-${size}-${scheme}`, size);
        await close();
      });

  it('a button that was pressed in vain is retried automatically, and acknowledges when the database is back', async () => {
    await pair.first.start();
    const { page, close } = await openTab(browser, 'phone', 'light');
    await page.goto(link);
    await page.getByRole('button', { name: 'Acknowledge' }).waitFor();
    await pair.first.stop('fast');
    await page.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByRole('heading', { name: /acknowledgement (was not|may not have been) stored/ }).waitFor();
    await looksWell(page, 'acknowledge-away-pressed-phone-light', 'phone');
    await pair.first.start();
    await page.getByText('Acknowledged: nobody else will be notified.').waitFor();
    await close();
    const [state] = await pair.first.query('select state from pages');
    assert.deepEqual(state, { state: 'acknowledged' });
    await pair.first.stop('fast');
    await eventually(() => status('/api/session', { cookie: ada.cookie }), 503);
  });

  it('continues by itself when the database is back, and an open dashboard shows when it went away', async () => {
    const { page, close } = await openTab(browser, 'phone', 'light');
    await bringSession(page, ada, server.url);
    await page.goto(server.url);
    await page.getByText(/^The database is not reachable/).waitFor();
    await pair.first.start();
    await page.getByRole('heading', { name: 'Now' }).waitFor();
    await signInAgain();
    await eventually(() => saved(late), 200);
    await pair.first.stop('fast');
    await page.getByText('changes are not stored').waitFor();
    await looksWell(page, 'database-away-notice-phone-light', 'phone');
    await page.getByRole('link', { name: 'Show the saved on-call list' }).click();
    await page.getByRole('link', { name: '+4915155500001' }).waitFor();
    await pair.first.start();
    await page.getByText('changes are not stored').waitFor({ state: 'detached' });
    await close();
  });
});
