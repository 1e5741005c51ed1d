/**
 * A network that drops packets, or a computer that goes to sleep, closes no connection: the server must notice by
 * itself.
 */
import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { createApp } from '../src/app.ts';
import { createLog } from '../src/kit/log.ts';
import { bringSession, launchBrowser, openTab, type StoryBrowser, type Tab } from '../testing/browser.ts';
import { type EventStream, eventStream } from '../testing/event-stream.ts';
import { eventually } from '../testing/eventually.ts';
import { freePort } from '../testing/free-port.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';
import { type TcpProxy, tcpProxy } from '../testing/tcp-proxy.ts';

const BEAT_MS = 1_000;

let t: Story;
before(async () => {
  t = await story({
    automatic: true,
    beatMs: BEAT_MS,
    // One of the stories temporarily renames a table.
    env: { LOG_LEVEL: 'silent' },
    organization: (receiver) => ({
      people: {
        ...Object.fromEntries(
          ['ada', 'grace', 'edsger', 'barbara', 'joan', 'linus'].map((name) => [name, {}]),
        ),
        alan: { methods: [{ type: 'webhook', value: `${receiver.url}alan` }] },
      },
    }),
  });
});
after(() => t?.end());

async function isCounted(person: string): Promise<boolean> {
  const rows = t.db
    .selectFrom('open_dashboards')
    .select('node')
    .where('user_id', '=', t.acme.users[person] ?? '');
  return (await rows.execute()).length > 0;
}

const pageFor = (person: string) =>
  t.post('/page/person', {
    recipient: `${person}@example.com`,
    title: 'Disk full',
    text: 'db-1 has no space left',
  });

/** `over` resolves when the server ends the connection, cleanly or not. */
type Open = SignedIn & { stream: EventStream; id: string; over: Promise<void>; isOver(): boolean };

/** A dashboard of this person that has not answered a heartbeat yet. */
async function open(person: string): Promise<Open> {
  const signedIn = await signIn(t, person);
  const stream = await eventStream(`${t.url}/api/events`, { cookie: signedIn.cookie });
  let isOver = false;
  const over = stream.ended
    .catch(() => undefined)
    .then(() => {
      isOver = true;
    });
  const id = String((await stream.next('hello')).data.stream);
  return { ...signedIn, stream, id, over, isOver: () => isOver };
}

async function answer(who: SignedIn, id: string): Promise<void> {
  assert.equal((await who.call('POST', `/api/events/${id}/heard`)).status, 200);
}

/** Lets this many heartbeats pass on a dashboard that never answers them. */
async function letPass(beats: number, { stream }: Open): Promise<void> {
  for (let beat = 0; beat < beats; beat += 1) await stream.next('beat');
}

describe('a dashboard that stops answering', () => {
  it('no longer counts as open, and its person is not paged only through it', async () => {
    const ada = await open('ada');
    await answer(ada, ada.id);
    assert.equal((await pageFor('ada')).status, 200);
    await ada.over;
    await eventually(() => isCounted('ada'), false);
    const refused = await pageFor('ada');
    assert.equal(refused.status, 400);
    assert.match(JSON.stringify(refused.body), /they have no open dashboard/);
  });

  it('stays connected while it answers, and also if it never did, like those of older releases', async () => {
    const [live, older, gone] = [await open('grace'), await open('edsger'), await open('barbara')];
    await answer(gone, gone.id);
    await answer(live, live.id);
    for (let beat = 0; beat < 12; beat += 1) {
      await live.stream.next('beat');
      await answer(live, live.id);
    }
    await gone.over;
    await eventually(() => isCounted('barbara'), false);
    assert.deepEqual(
      [live.isOver(), await isCounted('grace'), await isCounted('edsger')],
      [false, true, true],
    );
    for (const { stream } of [live, older]) stream.close();
  });

  it('is not kept open by the answers of others', async () => {
    const [joan, grace] = [await open('joan'), await open('grace')];
    await answer(joan, joan.id);
    while (!joan.isOver()) {
      await answer(grace, joan.id);
      await grace.stream.next('beat');
    }
    await eventually(() => isCounted('joan'), false);
    grace.stream.close();
  });

  it('is not blamed for answers that the server could not receive', async () => {
    const [linus, older] = [await open('linus'), await open('edsger')];
    await answer(linus, linus.id);
    await sql`alter table notices rename to notices_away`.execute(t.db);
    try {
      await letPass(8, older);
      assert.equal(linus.isOver(), false);
    } finally {
      await sql`alter table notices_away rename to notices`.execute(t.db);
    }
    await linus.over;
    older.stream.close();
  });

  it('may answer through any process', async () => {
    const other = await createApp({
      config: { ...t.app.config, role: 'api', port: await freePort(), uploadPort: await freePort() },
      connection: { connectionString: t.commandEnv.DATABASE_URL },
      log: createLog('silent'),
    });
    await other.listen();
    try {
      const [linus, older] = [await open('linus'), await open('edsger')];
      await answer(linus, linus.id);
      const headers = {
        cookie: linus.cookie,
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
      };
      const url = `http://127.0.0.1:${other.config.port}/api/events/${linus.id}/heard`;
      for (let beat = 0; beat < 12; beat += 1) {
        await older.stream.next('beat');
        assert.equal((await fetch(url, { method: 'POST', headers, body: '{}' })).status, 200);
      }
      assert.equal(await isCounted('linus'), true);
      await linus.over;
      older.stream.close();
    } finally {
      await other.stop();
    }
  });
});

describe('a browser', () => {
  let browser: StoryBrowser;
  let network: TcpProxy;

  before(async () => {
    browser = await launchBrowser();
    network = await tcpProxy({ host: '127.0.0.1', port: Number(new URL(t.url).port) });
  });
  after(async () => {
    await browser?.close();
    await network?.stop();
  });

  /** A browser of this person behind the network, which has answered a heartbeat. */
  async function connected(person: string): Promise<Tab> {
    const tab = await openTab(browser);
    const url = `http://127.0.0.1:${network.port}`;
    await bringSession(tab.page, await signIn(t, person), url);
    const heard = tab.page.waitForResponse((response) => response.url().endsWith('/heard'));
    await tab.page.goto(url);
    assert.equal((await heard).status(), 200);
    await eventually(() => isCounted(person), true);
    return tab;
  }

  it('answers every beat', async () => {
    const { page, errors, close } = await connected('ada');
    for (let beat = 0; beat < 8; beat += 1) {
      const heard = await page.waitForResponse((response) => response.url().endsWith('/heard'));
      assert.equal(heard.status(), 200);
    }
    assert.deepEqual(errors, []);
    await close();
  });

  it('that stopped the scripts of a tab does not count as open, and counts again when they continue', async () => {
    const { page, close } = await connected('grace');
    // As browsers freeze background tabs: the connection stays open, but the tab runs nothing.
    const tab = await page.context().newCDPSession(page);
    await tab.send('Debugger.enable');
    await tab.send('Debugger.pause');
    await eventually(() => isCounted('grace'), false);
    assert.equal((await pageFor('grace')).status, 400);
    await tab.send('Debugger.resume');
    await eventually(() => isCounted('grace'), true);
    assert.equal((await pageFor('grace')).status, 200);
    await page.getByRole('alertdialog', { name: 'Disk full' }).waitFor();
    await close();
  });

  it('that vanished from the network does not count as open, and pages use the next channel', async () => {
    const { close } = await connected('alan');
    network.set('silent');
    await eventually(() => isCounted('alan'), false);
    assert.equal((await pageFor('alan')).status, 200);
    await t.notified('alan');
    network.set('open');
    await close();
  });
});
