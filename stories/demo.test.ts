import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { inLanguage } from '../src/language/ambient.ts';
import { storedProblem, storedText } from '../src/language/stored.ts';
import {
  launchBrowser,
  openTab,
  photograph,
  SIZES,
  type StoryBrowser,
  type Tab,
} from '../testing/browser.ts';
import type { Served } from '../testing/command-line.ts';
import { commands, refused } from '../testing/commands.ts';
import { eventually } from '../testing/eventually.ts';

const { tocsin, rows } = await commands();

/** Whatever would let a reader of the log sign in. */
const LINK = /\/sign-in\/\S+/;

/** Every view, with something from the example that it shows. */
const VIEWS = [
  ['/', 'Needs attention'],
  ['/pages?show=all', 'Payouts of today are not out'],
  ['/pages?show=refused', 'Deploy of labels failed'],
  ['/moments', 'Error rate of the API gateway'],
  ['/notifications', 'Depot reports'],
  ['/problems', 'Depot reports'],
  ['/schedules', 'Data, follow the sun'],
  ['/availability', 'Availability'],
  ['/availability/team', 'Lena Brandt'],
  ['/teams', 'Platform'],
  ['/teams/payments', 'Aisha Rahman'],
  ['/people', 'Hana Mori'],
  ['/requests', 'succeeded'],
  ['/reports', 'Reports'],
  ['/settings', 'Fernway Parcels'],
  ['/keys', 'laptop'],
  ['/profile', 'mira@example.com'],
  ['/inbox', 'Inbox'],
] as const;

describe('npm start -- --demo', () => {
  let served: Served;
  let browser: StoryBrowser;
  let link: string;
  /** Would receive any mail that was sent. */
  let calls = 0;
  const outside = createServer(() => calls++);

  const start = async () => {
    const { port } = outside.address() as { port: number };
    const smtp = { SMTP_URL: `smtp://127.0.0.1:${port}`, SMTP_FROM: 'tocsin@example.com' };
    served = await tocsin.serve({ ...smtp, LOG_LEVEL: 'info' }, ['--demo']);
    const file = join(tocsin.env.DATA_DIR ?? '', 'demo-link');
    await eventually(async () => served.said().includes(`cat ${file}`), true);
    assert.doesNotMatch(served.said(), LINK);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    link = readFileSync(file, 'utf8').trim();
    assert.match(link, LINK);
  };

  before(async () => {
    await once(outside.listen(0, '127.0.0.1'), 'listening');
    await start();
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await served?.stop();
    outside.close();
  });

  async function signedIn(size: keyof typeof SIZES): Promise<Tab> {
    const tab = await openTab(browser, size);
    await tab.page.goto(link);
    await tab.page.getByRole('button').first().click();
    await tab.page.getByText('Needs attention').first().waitFor();
    return tab;
  }

  it('shows every screen with data, without an error', async () => {
    const tab = await signedIn('desk');
    const { page } = tab;
    const paths = [...VIEWS, ...(await places())];
    for (const [path, sign] of paths) {
      await page.goto(served.url + path);
      await page.getByText(sign).filter({ visible: true }).first().waitFor();
      await page.setViewportSize(SIZES.phone);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), SIZES.phone.width, path);
      await page.setViewportSize(SIZES.desk);
    }
    assert.deepEqual(tab.errors, []);
    await page.goto(served.url);
    await page.getByText('Needs attention').first().waitFor();
    await photograph(page, 'demo-now');
    await tab.close();
  });

  /** One of each thing that has a view of its own. */
  async function places(): Promise<[string, string][]> {
    const first = async (statement: string) => String((await rows(statement))[0]?.id);
    return [
      [
        `/pages/${await first("select id from pages where state = 'expired' limit 1")}`,
        'Expired: nobody answered',
      ],
      [`/moments/${await first("select id from moments where type = 'near-miss' limit 1")}`, 'Depot'],
      [
        `/notifications/${await first("select id from received_notifications where state = 'error' limit 1")}`,
        'error',
      ],
      [`/schedules/${await first("select id from schedules where name = 'Platform'")}`, 'Tomasz Zielinski'],
      [`/people/${await first("select id from users where username = 'femi'")}`, 'Femi Adeyemi'],
      [
        `/requests/${await first("select id from requests where kind = 'page.team' limit 1")}`,
        'The page was handed',
      ],
      [`/webhooks/${await first("select id from webhooks where type = 'grafana' limit 1")}`, 'Grafana'],
    ];
  }

  it('shows a consistent year', async () => {
    const [counts] = await rows(`
      select (select count(*)::int from pages) as pages, (select count(*)::int from moments) as moments,
        (select count(*)::int from covers where state = 'proposed') as covers,
        (select min(starts_at) < now() - interval '180 days' and max(ends_at) > now() + interval '175 days' from shifts) as year,
        (select count(*)::int from shifts where user_id is null and starts_at > now()) as gaps,
        (select count(*)::int from pages where acknowledged_at > now() or resolved_at > now()
          or resolved_at < acknowledged_at or acknowledged_at < created_at) as impossible,
        (select count(*)::int from deliveries d join pages p on p.id = d.page_id
          where d.sent_at > p.acknowledged_at and d.type = 'page.notification') as late,
        (select count(*)::int from page_steps s join pages p on p.id = s.page_id
          where s.state = 'due' and p.state <> 'notifying') as leftover`);
    assert.ok(
      Number(counts?.pages) > 400 && Number(counts?.moments) > 500 && counts?.year,
      JSON.stringify(counts),
    );
    const { covers, gaps, impossible, late, leftover } = counts ?? {};
    assert.deepEqual({ impossible, late, leftover }, { impossible: 0, late: 0, leftover: 0 });
    // A week of a small team may have nobody, and the view shows that, too.
    assert.ok(Number(covers) > 0 && Number(gaps) < 30, `${covers} covers, ${gaps} gaps`);
  });

  it('has problems whose words are in the catalogue', async () => {
    const problems = await rows('select unnest(array[message, fix]) as said from problems');
    const refused = await rows(
      "select d ->> 'message' as said from refused_pages, jsonb_array_elements(details) d",
    );
    const said = [...problems.map((one) => String(one.said)), ...refused.map((one) => String(one.said))];
    assert.ok(problems.length >= 4 && refused.length >= 1, JSON.stringify(said));
    const english = inLanguage('de', () =>
      said.filter((text) => storedText(text) === text && storedProblem(text) === text),
    );
    assert.deepEqual(english, []);
  });

  it('sends nothing to anybody, and allows signing in again after a restart', async () => {
    const before = await rows('select id from organizations');
    await served.stop();
    await start();
    assert.deepEqual(await rows('select id from organizations'), before);
    const tab = await signedIn('phone');
    assert.deepEqual(tab.errors, []);
    await tab.close();
    assert.equal(calls, 0);
  });
});

describe('an installation that is in use', async () => {
  const used = await commands();

  it('is not changed by the demo', async () => {
    await used.tocsin.run(['owner', 'create', '--email', 'ada@example.com', '--name', 'Ada']);
    refused(
      await used.tocsin.run(['serve', '--demo']),
      /^There is an organization here already, .* without --demo/,
    );
  });
});
