import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { acknowledgedText } from '../src/notifications/acknowledge-view.ts';
import {
  bringSession,
  launchBrowser,
  openTab,
  SIZES,
  type Size,
  type StoryBrowser,
  schemesAt,
} from '../testing/browser.ts';
import { commandLine } from '../testing/command-line.ts';
import { eventually } from '../testing/eventually.ts';
import { type WebhookReceiver, webhookReceiver } from '../testing/fakes/webhook-receiver.ts';
import { looksWell } from '../testing/looks.ts';
import { type Cluster, cluster, type ServerProcess } from '../testing/processes.ts';
import { type Replicas, replicas } from '../testing/replicas.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';

const phone = (value: string) => ({ type: 'phone' as const, value });
const SIZE_NAMES = Object.keys(SIZES) as Size[];

/** What the dashboard and the command line show while a lifeboat is in use, and while it is merged. */
describe('the dashboard beside a lifeboat', { timeout: 600_000 }, () => {
  let pair: Replicas;
  let t: Cluster;
  let server: ServerProcess;
  let browser: StoryBrowser;
  let receiver: WebhookReceiver;
  let ada: SignedIn;
  const dataDir = mkdtempSync(join(tmpdir(), 'tocsin-lifeboat-dashboard-'));
  const env = {
    DATA_DIR: dataDir,
    SECRET_KEY: randomBytes(32).toString('base64'),
    LIFEBOAT: 'on',
    LIFEBOAT_AFTER_SECONDS: '2',
  };
  const status = async (path: string) =>
    (await fetch(server.url + path, { headers: { cookie: ada.cookie } })).status;
  const header = async () =>
    (await fetch(`${server.url}/api/session`, { headers: { cookie: ada.cookie } })).headers.get(
      'tocsin-lifeboat',
    );

  async function raise(title: string, url = server.url): Promise<void> {
    const response = await fetch(`${url}/page/person`, {
      method: 'POST',
      headers: { authorization: `Bearer ${t.acme.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ recipient: 'ada@example.com', title, text: 'db-1' }),
    });
    assert.equal(response.status, 200, await response.text());
  }

  before(async () => {
    [pair, browser, receiver] = await Promise.all([replicas(), launchBrowser(), webhookReceiver()]);
    const webhook = { type: 'webhook' as const, value: `${receiver.url}ada` };
    t = await cluster(
      {
        people: {
          ada: { methods: [phone('+4915155500001'), webhook] },
          grace: { methods: [phone('+4915155500002')] },
        },
        teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] } },
      },
      env,
      { database: { url: pair.first.url, drop: async () => undefined } },
    );
    receiver.secret = t.acme.webhookSecret;
    server = await t.start({});
    ada = await signIn({ ...t, url: server.url }, 'ada');
    await server.end('SIGTERM');
    // The list saved when a node starts includes the session.
    server = await t.start({ port: Number(new URL(server.url).port) });
    await eventually(() => status('/api/saved-on-call'), 200);
    const copies = () => pair.first.query('select copied_at from lifeboats where copied_at is not null');
    await eventually(async () => (await copies()).length, 1);
    assert.equal(await header(), null);
  });
  after(async () => {
    await browser?.close();
    await t?.stop();
    await receiver?.stop();
    await pair?.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });

  for (const size of SIZE_NAMES)
    for (const scheme of schemesAt(size))
      it(`shows that the database is away, what works meanwhile, and that lifeboats land, ${size} and ${scheme}`, async () => {
        const { page, close } = await openTab(browser, size, scheme);
        await bringSession(page, ada, server.url);
        await page.goto(`${server.url}/pages`);
        await page.getByRole('heading', { name: 'Pages' }).waitFor();
        // The heading appears before the list, and the dashboard can store the list only after it has loaded.
        await page.getByText('Nothing is open. A page for you takes over this screen and rings.').waitFor();
        await pair.first.stop('fast');
        await page
          .getByText(
            /Pages from programs and page sources still work: a lifeboat accepts them, notifies and escalates/,
          )
          .waitFor();
        assert.match((await header()) ?? '', /^afloat 20\d\d-\S+Z$/);
        await page.getByText('Nothing was open when the database was last reachable.').waitFor();
        await looksWell(page, `lifeboat-afloat-${size}-${scheme}`, size);
        await pair.first.start();
        // As if another node's lifeboat took longer.
        await pair.first.query(`
      insert into lifeboats (id, host, state, copied_at, seen_at)
      values ('lifeboat_00000000000000000000000000', 'api-2', 'afloat', now(), now() + interval '10 minutes')`);
        await page.getByText(/^The database is back, and lifeboats bring their pages to it\./).waitFor();
        await eventually(header, 'landing');
        await looksWell(page, `lifeboat-landing-${size}-${scheme}`, size);
        await pair.first.query(`delete from lifeboats where host = 'api-2'`);
        await page.getByText(/^The database is back/).waitFor({ state: 'detached' });
        await page.getByText('Nothing is open. A page for you takes over this screen and rings.').waitFor();
        assert.equal(await header(), null);
        await close();
      });

  for (const size of SIZE_NAMES)
    for (const scheme of schemesAt(size))
      it(`a link acknowledges while the lifeboat is afloat, and shows that after it has landed, ${size} and ${scheme}`, async () => {
        await pair.first.stop('fast');
        await eventually(async () => (await header())?.startsWith('afloat'), true);
        const title = `Disk full, ${size} and ${scheme}`;
        await raise(title);
        const { body } = await receiver.expect(({ body }) => body.title === `[stand-by] ${title}`);
        const { page, close } = await openTab(browser, size, scheme);
        await page.goto(body.acknowledge_url);
        await page.getByRole('heading', { name: title }).waitFor();
        await looksWell(page, `lifeboat-link-${size}-${scheme}`, size);
        await page.getByRole('button', { name: 'Acknowledge' }).click();
        await page.getByText(acknowledgedText()).waitFor();
        await looksWell(page, `lifeboat-link-pressed-${size}-${scheme}`, size);
        await pair.first.start();
        await eventually(header, null);
        const states = await pair.first.query(`select state from pages where title = '${title}'`);
        assert.deepEqual(states, [{ state: 'acknowledged' }]);
        await page.goto(body.acknowledge_url);
        await page.getByText('Acknowledged', { exact: true }).waitFor();
        await close();
      });

  it('a link whose page the lifeboat does not have shows that another node may have it', async () => {
    // A lifeboat takes over the pages that its own node accepted.
    const other = await t.start({ role: 'api', env: { LIFEBOAT: 'off' } });
    await raise('Of another node', other.url);
    const { body } = await receiver.expect(({ body }) => body.title === 'Of another node');
    await other.end('SIGTERM');
    await pair.first.stop('fast');
    await eventually(async () => (await header())?.startsWith('afloat'), true);
    const { page, close } = await openTab(browser, 'phone', 'light');
    await page.goto(body.acknowledge_url);
    await page.getByText(/^Nothing was acknowledged\. This node accepts pages in its lifeboat/).waitFor();
    await looksWell(page, 'lifeboat-link-elsewhere-phone-light', 'phone');
    await pair.first.start();
    await page.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText('Acknowledged', { exact: true }).waitFor();
    await eventually(header, null);
    await close();
  });

  it('tocsin oncall reports it, too', async () => {
    await pair.first.stop('fast');
    await eventually(async () => (await header())?.startsWith('afloat'), true);
    const tocsin = commandLine(pair.first.url);
    const asked = await tocsin.run(['oncall', 'sre 0'], {
      env: { ...env, TOCSIN_URL: server.url, TOCSIN_KEY: t.acme.key },
    });
    tocsin.remove();
    assert.equal(asked.code, 0, asked.stderr);
    assert.match(
      asked.stderr,
      /a lifeboat accepts pages, acknowledgements and resolutions meanwhile, but not this request/,
    );
  });

  for (const size of SIZE_NAMES)
    for (const scheme of schemesAt(size))
      it(`the saved list shows what the lifeboat does, ${size} and ${scheme}`, async () => {
        const { page, close } = await openTab(browser, size, scheme);
        await bringSession(page, ada, server.url);
        await page.goto(`${server.url}/pages`);
        await page
          .getByText(/Pages from programs and page sources still work: a lifeboat accepts them/)
          .waitFor();
        await page.getByText('Grace', { exact: true }).waitFor();
        assert.doesNotMatch((await page.textContent('body')) ?? '', /New pages are refused/);
        await looksWell(page, `lifeboat-saved-${size}-${scheme}`, size);
        await close();
      });
});
