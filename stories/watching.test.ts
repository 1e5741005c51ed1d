/** The service reports when it falls behind, and outside monitors can check that it works. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createLog } from '../src/kit/log.ts';
import { beat, isAlive } from '../src/worker/heartbeat.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

let t: Story;

before(async () => {
  t = await story({
    env: { SYNTHETIC_PAGES: 'true' },
    organization: (receiver) => ({
      people: webhookPeople(receiver, 'ada'),
      teams: { sre: { members: ['ada'] } },
    }),
  });
});

after(async () => {
  await t.end();
});

async function alarms(): Promise<string[]> {
  const rows = await t.db.selectFrom('problems').select('code').where('closed_at', 'is', null).execute();
  return rows.map(({ code }) => code).sort();
}

async function metric(name: string): Promise<number | undefined> {
  const text = await t.metrics();
  const value = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1];
  return value === undefined ? undefined : Number(value);
}

async function look(): Promise<void> {
  await t.app.duties.runAll();
}

async function count(table: 'pages' | 'requests'): Promise<number> {
  const { n } = await t.db
    .selectFrom(table)
    .select((of) => of.fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

describe('a synthetic page', () => {
  it('takes the whole path every minute, and leaves nothing behind', async () => {
    await look();
    await t.settle();
    await look();
    assert.deepEqual(await alarms(), []);
    const took = await metric('tocsin_synthetic_page_seconds');
    assert.ok(took !== undefined && took >= 0 && took < 30, String(took));
    assert.equal(await metric('tocsin_accepted_total'), undefined);
    for (let minute = 0; minute < 3; minute++) {
      await t.advance({ seconds: 61 });
      await look();
      await t.settle();
    }
    await look();
    assert.ok((await count('pages')) <= 2);
    assert.equal(await count('requests'), await count('pages'));
  });

  it('belongs to nobody: it is in no list, and its organization is hidden', async () => {
    const pages = await t.get('/schedules');
    assert.equal(pages.status, 200);
    assert.equal(
      await t.db
        .selectFrom('organizations')
        .where('hidden', '=', false)
        .select('id')
        .execute()
        .then((rows) => rows.length),
      1,
    );
  });

  it('that does not arrive raises an alarm, until later ones have arrived for a while', async () => {
    await t.advance({ seconds: 61 });
    await look();
    await t.settle();
    const lost = await t.db
      .deleteFrom('deliveries')
      .where('page_id', '=', (of) => of.selectFrom('pages').select((page) => page.fn.max('id').as('id')))
      .executeTakeFirst();
    assert.equal(lost.numDeletedRows, 1n);
    t.clock.advance({ seconds: 40 });
    await look();
    assert.deepEqual(await alarms(), ['lost_synthetic_page']);
    t.clock.advance({ minutes: 11 });
    await look();
    await t.settle();
    await look();
    assert.deepEqual(await alarms(), []);
  });

  it("is sent after the database's clock was set back, too", async () => {
    const newest = async () => {
      const row = await t.db
        .selectFrom('pages')
        .select((of) => of.fn.max('id').as('id'))
        .executeTakeFirst();
      return row?.id;
    };
    const before = await newest();
    t.clock.step({ hours: -1 });
    await look();
    await t.settle();
    assert.notEqual(await newest(), before);
    await look();
    assert.deepEqual(await alarms(), []);
  });
});

describe('work that is late', () => {
  let quiet: Story;

  before(async () => {
    quiet = await story({
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada'),
        teams: { sre: { members: ['ada'] } },
      }),
    });
  });
  after(() => quiet.end());

  const told = () =>
    quiet.db.selectFrom('notices').select('text').where('kind', '=', 'service.alarm').execute();
  const late = async () => {
    await quiet.app.duties.runAll();
    return (await fetch(`${quiet.url}/readyz`)).status;
  };

  it('is a problem, a metric, a notice to the owners, and 503 of /readyz; it closes by itself', async () => {
    await quiet.db.updateTable('users').set({ role: 'owner' }).where('email', 'like', 'ada@%').execute();
    await quiet.page('team', 'sre', { urgency: 'high' });
    await quiet.notified('ada');
    const { due_at } = await quiet.db
      .selectFrom('page_steps')
      .select('due_at')
      .where('state', '=', 'due')
      .executeTakeFirstOrThrow();
    await quiet.clock.travelTo(quiet.db, due_at.add({ seconds: 20 }));
    assert.equal(await late(), 200);
    quiet.clock.advance({ seconds: 20 });
    assert.equal(await late(), 503);
    const text = await quiet.metrics();
    assert.match(text, /^tocsin_alarm\{alarm="late_steps"\} 1$/m);
    assert.match(text, /^tocsin_alarm\{alarm="lost_synthetic_page"\} 0$/m);
    const [notice, ...others] = await told();
    assert.match(
      notice?.text ?? '',
      /^A step of a page is 4\d s late\. Pages may be late\. What to do: check/,
    );
    await quiet.app.duties.runAll();
    assert.deepEqual((await told()).length, 1 + others.length);
    await quiet.settle();
    await quiet.notified('ada');
    assert.equal(await late(), 200);
    const open = await quiet.db.selectFrom('problems').select('id').where('closed_at', 'is', null).execute();
    assert.deepEqual(open, []);
  });
});

describe('the heartbeat', () => {
  let server: Server;
  let calls = 0;
  let status = 200;
  let url = '';
  const working = { lookedMsAgo: 300, writtenMsAgo: 4_000 };

  before(async () => {
    server = createServer((_, response) => {
      calls++;
      response.writeHead(status).end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ping/secret`;
  });
  after(() => server.close());

  const send = (pulse: { lookedMsAgo: number | null; writtenMsAgo: number | null }, to = url) =>
    beat({ db: t.db, clock: t.clock, log: createLog('silent') }, to, pulse);

  it('is sent only while the engine works and the database accepts writes', async () => {
    assert.equal(await send(working), 'sent');
    for (const pulse of [
      { ...working, lookedMsAgo: null },
      { ...working, lookedMsAgo: 16_000 },
      { ...working, writtenMsAgo: null },
      { ...working, writtenMsAgo: 60_000 },
    ]) {
      assert.equal(isAlive(pulse), false);
      assert.equal(await send(pulse), 'silent');
    }
    assert.equal(calls, 1);
  });

  it('that nobody accepts is a problem, without the secret in its address', async () => {
    status = 404;
    assert.equal(await send(working), 'failed');
    assert.deepEqual(await alarms(), ['heartbeat']);
    assert.equal(await send(working, 'http://127.0.0.1:9/secret'), 'failed');
    const { message } = await t.db
      .selectFrom('problems')
      .select('message')
      .where('closed_at', 'is', null)
      .executeTakeFirstOrThrow();
    assert.doesNotMatch(message, /secret/);
    status = 200;
    assert.equal(await send(working), 'sent');
    assert.deepEqual(await alarms(), []);
  });

  it('is not closed by other successes', async () => {
    status = 500;
    await send(working);
    await look();
    assert.deepEqual(await alarms(), ['heartbeat']);
  });
});
