import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it, mock } from 'node:test';
import { type App, createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { DatabaseClient } from '../src/db/hosts.ts';
import { createLog } from '../src/kit/log.ts';
import { holdNodeLock, runningWorkers } from '../src/worker/store.ts';
import { freePort } from '../testing/free-port.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

const PAGES = 10;
const WORDS = { title: 'One', text: 'of many' };

describe('several workers over one database', () => {
  let t: Story;
  const apps: App[] = [];
  let claims = 0;

  before(async () => {
    t = await story({
      role: 'api',
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada'),
        teams: { sre: { members: ['ada'] } },
      }),
    });
    const { query } = DatabaseClient.prototype;
    mock.method(DatabaseClient.prototype, 'query', function (this: DatabaseClient, ...args: unknown[]) {
      const [first] = args;
      const text = typeof first === 'string' ? first : (first as { text?: string }).text;
      if (text?.includes('from page_steps s join pages p') && text.includes('skip locked')) claims++;
      return Reflect.apply(query, this, args);
    });
  });
  after(async () => {
    mock.restoreAll();
    for (const app of apps) await app.stop();
    await t.end();
  });

  /** A worker that works only when it is woken, and never polls. */
  async function startWorker(automatic = false): Promise<App> {
    const port = String(await freePort());
    const env = { ...t.commandEnv, PORT: port, ALLOW_PRIVATE_WEBHOOKS: 'true' };
    const app = await createApp({
      config: readConfig(
        { ...env, PUBLIC_URL: t.url, LOG_LEVEL: 'error', METRICS_TOKEN: randomBytes(8).toString('hex') },
        'worker',
      ),
      connection: { connectionString: t.commandEnv.DATABASE_URL },
      log: createLog('error'),
      clock: t.clock,
      automatic,
    });
    apps.push(app);
    return app;
  }

  async function raise(): Promise<void> {
    const { status } = await t.post('/page/person', {
      recipient: 'ada@example.com',
      ...WORDS,
    });
    assert.equal(status, 200);
    await t.receiver.next();
  }

  for (const workers of [1, 2, 4])
    it(`a page is claimed once with ${workers} of them`, async () => {
      while (apps.length < workers) await startWorker();
      // The list of workers is cached for half a second.
      await new Promise((resolve) => setTimeout(resolve, 600));
      claims = 0;
      for (let page = 0; page < PAGES; page++) await raise();
      assert.ok(claims >= PAGES && claims <= 1.3 * PAGES, `${claims} claims for ${PAGES} pages`);
    });

  it('a page is sent although the worker that was woken for it does nothing', async () => {
    for (const app of apps.splice(0)) await app.stop();
    const row = { role: 'worker', host: 'frozen', pid: 1, version: '0', public_url: null } as const;
    const { id } = await t.db
      .insertInto('nodes')
      .values({ ...row, pages_for_sources: true, started_at: t.clock.sql, seen_at: t.clock.sql })
      .returning('id')
      .executeTakeFirstOrThrow();
    const frozen = new DatabaseClient({ connectionString: t.commandEnv.DATABASE_URL });
    await frozen.connect();
    assert.equal(await holdNodeLock(frozen, id), true);
    assert.deepEqual(await runningWorkers(t.db), [id], 'all wake-ups go to it');
    for (let page = 0; page < 3; page++) {
      const answer = await t.post('/page/person', { recipient: 'ada@example.com', ...WORDS });
      assert.equal(answer.status, 200);
    }
    // It polls.
    await startWorker(true);
    for (let page = 0; page < 3; page++) await t.receiver.next();
    await frozen.end();
  });
});
