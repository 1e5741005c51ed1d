import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type CommandLine, commandLineHere, type Ran } from '../../testing/command-line.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type WebhookReceiver, webhookReceiver } from '../../testing/fakes/webhook-receiver.ts';
import { freePort } from '../../testing/free-port.ts';

/** The commands that talk to a server, against a real one. */
describe('with a running server', { timeout: 600_000 }, () => {
  let database: TestDatabase;
  let tocsin: CommandLine;
  let receiver: WebhookReceiver;
  let server: { url: string; stop(): Promise<void> };
  let env: Record<string, string>;

  before(async () => {
    database = await testDatabase();
    tocsin = commandLineHere(database.url);
    receiver = await webhookReceiver();
    const file = `
organization: { name: Acme }
users:
  - { email: ada@example.com, name: Ada Lovelace, role: owner, contact_methods: [{ type: webhook, value: "${receiver.url}ada" }] }
  - { email: bob@example.com, name: Bob, contact_methods: [{ type: webhook, value: "${receiver.url}bob" }] }
teams: [ { slug: sre, members: [ada@example.com] } ]
schedules:
  - name: Night and day
    team: sre
    backstop: ada@example.com
    shifts: { every: day, handoff: "09:00" }
    stages: [ { stage: 1, members: [ada@example.com] } ]
`;
    assert.equal((await tocsin.run(['apply', '-'], { input: file })).code, 0);
    const key = await tocsin.run(['key', 'create', '--user', 'ada@example.com', '--name', 'test']);
    server = await tocsin.serve({ ALLOW_PRIVATE_WEBHOOKS: 'true' });
    env = { TOCSIN_URL: server.url, TOCSIN_KEY: key.stdout.trim() };
  });

  after(async () => {
    await server.stop();
    await receiver.stop();
    tocsin.remove();
    await database.drop();
  });

  const run = (...args: string[]) => tocsin.run(args, { env });

  it('schedules lists them', async () => {
    const { code, stdout } = await run('schedules');
    assert.equal(code, 0);
    assert.match(stdout, /^Night and day {2}enabled {2}backstop ada@example\.com {2}schedule_\w+\n$/);
    const [schedule] = JSON.parse((await run('schedules', '--json')).stdout) as { name: string }[];
    assert.equal(schedule?.name, 'Night and day');
  });

  it('oncall takes a name, in any case, or an id', async () => {
    const now = await run('oncall', 'Night and day');
    assert.match(
      now.stdout,
      /^stage 1 {2}Ada Lovelace {2}ada@example\.com {2}\S+Z to \S+Z {2}no phone, email or chat\n$/,
    );
    // 09:00 in UTC, eight days from now; the schedule of this server runs by the real clock.
    const today = Date.now();
    const day = (ahead: number) => new Date(today + ahead * 86_400_000).toISOString().slice(0, 10);
    const at = ['--at', `${day(8)}T10:00:00+01:00`, '--json'];
    const [entry] = JSON.parse((await run('oncall', 'NIGHT AND DAY', ...at)).stdout) as Record<
      string,
      string
    >[];
    assert.deepEqual(
      [entry?.start_time, entry?.end_time],
      [`${day(8)}T09:00:00.000Z`, `${day(9)}T09:00:00.000Z`],
    );
    const byId = await run('oncall', entry?.schedule_id ?? '', ...at);
    assert.deepEqual(JSON.parse(byId.stdout), [entry]);
    const unknown = await run('oncall', 'Nights');
    assert.deepEqual(unknown, {
      code: 1,
      stdout: '',
      stderr: 'There is no schedule "Nights"; there are Night and day\n',
    });
  });

  it('oncall --why gives the reason for each shift', async () => {
    // Reasons are in the API of the dashboard, which accepts keys with certain scopes.
    assert.match(
      (await run('oncall', 'Night and day', '--why')).stderr,
      /^Forbidden: .*without the scope "mcp:read"/,
    );
    const scopes = ['--scopes', 'schedules,mcp:read'];
    const key = await tocsin.run([
      'key',
      'create',
      '--user',
      'ada@example.com',
      '--name',
      'reader',
      ...scopes,
    ]);
    const why = (...args: string[]) =>
      tocsin.run(['oncall', 'Night and day', '--why', ...args], {
        env: { ...env, TOCSIN_KEY: key.stdout.trim() },
      });
    const { code, stdout, stderr } = await why();
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /^stage 1 {2}Ada Lovelace {2}\S+Z to \S+Z\n {2}It was the turn of Ada Lovelace\.\n$/,
    );
    const [explained] = JSON.parse((await why('--json')).stdout);
    assert.equal(explained.reason.rule, 'turn');
    assert.equal((await run('oncall', '--why')).stderr, '--why needs a schedule; name one.\n');
  });

  it('page prints the request id, and request its outcome', async () => {
    const paged = await run(
      'page',
      'team',
      'sre',
      '--title',
      'Disk full',
      '--text',
      'db1',
      '--source-url',
      'https://x.example/',
    );
    assert.equal(paged.stderr, '');
    assert.match(paged.stdout, /^request_\w+\n$/);
    const { body } = await receiver.next();
    assert.deepEqual(
      [body.title, body.source_url, body.urgency],
      ['Disk full', 'https://x.example/', 'medium'],
    );
    const id = paged.stdout.trim();
    const status = await run('request', id, '--wait');
    assert.equal(status.code, 0);
    assert.match(status.stdout, new RegExp(`^${id} {2}page\\.team {2}succeeded\n`));
    assert.match(status.stdout, /Ada Lovelace was notified by webhook at \S+Z \(127\.0\.0\.1:\d+\)/);
    const json = JSON.parse((await run('request', id, '--json')).stdout) as { service_request_id: string };
    assert.equal(json.service_request_id, id);
  });

  it('page --wait follows the page until somebody acknowledges', async () => {
    const waiting = tocsin.run(
      ['page', 'person', 'ada@example.com', '--title', 'Call', '--text', '-', '--wait'],
      {
        env,
        input: 'from standard input',
      },
    );
    const { body } = await receiver.next();
    assert.equal(body.text, 'from standard input');
    assert.equal(body.urgency, 'high');
    await fetch(body.acknowledge_url.replace(/^http:\/\/[^/]+/, server.url), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: '',
    });
    const { code, stdout, stderr } = await waiting;
    assert.equal(code, 0);
    assert.match(stdout, /^request_\w+\n$/);
    assert.match(stderr, /^Ada Lovelace was notified by webhook at \S+Z$/m);
    assert.match(stderr, /^Acknowledged by Ada Lovelace at \S+Z$/m);
  });

  it('page --wait fails if nobody could be reached', async () => {
    receiver.script({ status: 410 });
    const { code, stdout, stderr } = await run(
      'page',
      'person',
      'bob@example.com',
      '--title',
      'T',
      '--text',
      'T',
      '--wait',
    );
    assert.equal(code, 1);
    assert.match(stdout, /^request_\w+\n$/);
    assert.match(stderr, /^Bob could not be notified by webhook: /m);
    assert.match(stderr.trimEnd().split('\n').at(-1) ?? '', /^The page failed: Nobody could be reached/);
    assert.equal((await receiver.next()).path, '/bob');
  });

  it('page acts on pages as the person of a key with full access', async () => {
    const made = await tocsin.run(['key', 'create', '--user', 'ada@example.com', '--name', 'all', '--full']);
    const own = { env: { ...env, TOCSIN_KEY: made.stdout.trim() } };
    const act = async (...args: string[]) => {
      const { code, stdout, stderr } = await tocsin.run(['page', ...args], own);
      return code === 0 ? stdout.trim() : `${code} ${stderr.trim()}`;
    };
    const request = (
      await run('page', 'person', 'ada@example.com', '--title', 'Call', '--text', 'me')
    ).stdout.trim();
    const { body } = await receiver.next();
    const page = String(body.page_id);

    assert.match(await act('snooze', page, '--for', '2h'), /^1 Conflict: page is notifying; only an ack/);
    assert.match(await act('acknowledge', request), /^Acknowledged/);
    assert.match(await act('snooze', request, '--for', '1d12h'), /^Snoozed\. The person who acknowledged/);
    assert.match(await act('snooze', page, '--for', '8d'), /^1 Bad Request: minutes is 11520, out of range/);
    assert.match(await act('extend', page), /^Extended/);
    assert.equal(await act('comment', page, '--text', 'It is the disk.'), 'Comment added.');
    assert.match(await act('add', page, 'nobody@example.com'), /^1 Bad Request: users\[0\] .*matches nobody/);
    assert.match(await act('reassign', page), /^1 Bad Request/);
    assert.match(await act('escalate', page), /^1 Conflict: page is for one person/);
    assert.equal(await act('add', page, 'bob@example.com'), 'They are being notified.');
    assert.equal((await receiver.next()).path, '/bob');
    assert.match(await act('unacknowledge', page), /^Un-acknowledged/);
    assert.equal((await receiver.next()).path, '/ada');
    assert.equal(await act('reassign', page, 'bob@example.com'), 'Reassigned.');
    assert.equal((await receiver.next()).path, '/bob');
    const { stdout } = await tocsin.run(['page', 'resolve', page, '--json'], own);
    assert.equal(JSON.parse(stdout).page.state, 'resolved');
    assert.equal(await act('resolve', page), 'The page was already resolved.');
    assert.match(await act('reopen', page), /^Reopened/);
    await receiver.next();
    await act('resolve', page);
    assert.match(await act('resolve', 'page_none'), /^1 Not Found: page is not a page/);
    const small = await run('page', 'resolve', page);
    assert.match(small.stderr, /a key for the public API/);
  });

  it("a refusal is printed in the server's words", async () => {
    const nobody = await run('page', 'team', 'sra', '--title', 'T', '--text', 'T');
    assert.equal(nobody.code, 1);
    assert.match(nobody.stderr, /^Bad Request: recipient .*\.\n$/);
    const unknown = await run('request', 'request_01hzy4q2kqe1tbf6w3f2m9n0xy');
    assert.match(unknown.stderr, /^Not Found: id is not the id of a request of your organization\.\n$/);
    const key = await tocsin.run(['schedules', '--json'], { env: { ...env, TOCSIN_KEY: 'tocsin_wrong' } });
    assert.equal(key.code, 1);
    assert.match(key.stderr, /^The server refuses TOCSIN_KEY: .*unknown, revoked or expired/);
    assert.match((JSON.parse(key.stdout) as { error: string }).error, /^The server refuses TOCSIN_KEY/);
  });

  it('nobody was notified of anything else', () => {
    receiver.assertNothingUnexpected();
  });
});

/** The same commands against a server that is not Tocsin, or that fails. */
describe('without a healthy server', () => {
  let tocsin: CommandLine;
  let fake: Server;
  let url: string;
  let answer: (response: ServerResponse, path: string, attempt: number) => void;
  const seen: { path: string; idempotencyKey: string | undefined }[] = [];

  before(async () => {
    tocsin = commandLineHere('postgres://nobody@127.0.0.1:1/none');
    fake = createServer((request, response) => {
      seen.push({
        path: request.url ?? '',
        idempotencyKey: request.headers['idempotency-key'] as string | undefined,
      });
      request.resume();
      request.on('end', () => answer(response, request.url ?? '', seen.length));
    }).listen(0, '127.0.0.1');
    await once(fake, 'listening');
    url = `http://127.0.0.1:${(fake.address() as AddressInfo).port}`;
  });

  after(() => {
    fake.closeAllConnections();
    fake.close();
    tocsin.remove();
  });

  function run(...args: string[]): Promise<Ran> {
    seen.length = 0;
    return tocsin.run(args, { env: { TOCSIN_URL: url, TOCSIN_KEY: 'tocsin_x' } });
  }

  const page = ['page', 'team', 'sre', '--title', 'T', '--text', 'T'];
  const json = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

  it('without a server, it names the command to start one', async () => {
    const port = await freePort();
    const ran = await tocsin.run(['schedules'], {
      env: { TOCSIN_URL: `http://127.0.0.1:${port}`, TOCSIN_KEY: 'x' },
    });
    assert.equal(ran.code, 1);
    assert.equal(
      ran.stderr,
      `No Tocsin server answers at http://127.0.0.1:${port}; start one with "tocsin serve", or set TOCSIN_URL to where it runs.\n`,
    );
  });

  it('another program answers', async () => {
    answer = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works!</h1>');
    assert.match(
      (await run('schedules')).stderr,
      /is not a Tocsin server \(status 200\); correct TOCSIN_URL\.\n$/,
    );
    answer = (response) => response.writeHead(301, { location: 'https://elsewhere.example/' }).end();
    assert.match(
      (await run('schedules')).stderr,
      /redirects to https:\/\/elsewhere\.example\/; set TOCSIN_URL/,
    );
  });

  it('a page survives a restart of the server, and is raised once', async () => {
    answer = (response, _, attempt) => {
      if (attempt === 1) response.destroy();
      else if (attempt === 2)
        json(response, 503, { error: 'Service Unavailable', details: [] }, { 'retry-after': '0' });
      else
        json(response, 200, {
          service_request_id: 'request_1',
          response: { success: true, message: 'queued' },
          warnings: ['"x" is not a field'],
        });
    };
    const ran = await run(...page);
    assert.deepEqual([ran.code, ran.stdout], [0, 'request_1\n']);
    assert.match(ran.stderr, /"x" is not a field/);
    assert.equal(seen.length, 3);
    assert.equal(new Set(seen.map(({ idempotencyKey }) => idempotencyKey)).size, 1);
    assert.ok(seen[0]?.idempotencyKey);
  });

  it('a page survives a restart behind a proxy', async () => {
    answer = (response, _, attempt) => {
      if (attempt > 2)
        return json(response, 200, { service_request_id: 'request_1', response: { success: true } });
      response
        .writeHead(attempt === 1 ? 502 : 504, { 'content-type': 'text/html' })
        .end('<h1>Bad Gateway</h1>');
    };
    const ran = await run(...page);
    assert.deepEqual([ran.code, ran.stdout], [0, 'request_1\n']);
    assert.equal(new Set(seen.map(({ idempotencyKey }) => idempotencyKey)).size, 1);
    answer = (response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
    assert.equal(
      (await run('schedules')).stderr,
      `The proxy at ${url} cannot reach the server (status 502); check that the server runs, and TOCSIN_URL.\n`,
    );
  });

  it('request --wait survives a restart of the server', async () => {
    answer = (response, _, attempt) => {
      if (attempt < 6) return void response.destroy();
      const facts = { status: 'succeeded', success: true, message: 'Done.', kind: 'page.team', attempts: 1 };
      const times = { created_at: '2026-11-29T20:00:00.000Z', finished_at: '2026-11-29T20:00:09.000Z' };
      const acknowledged = { acknowledged_by: { name: 'Ada' }, acknowledged_at: '2026-11-29T20:00:05.000Z' };
      const page = { id: 'page_1', state: 'resolved', round: 1, ...acknowledged, deliveries: [] };
      json(response, 200, {
        service_request_id: 'request_1',
        response: { ...facts, ...times, errors: [], page },
      });
    };
    const ran = await run('request', 'request_1', '--wait');
    assert.equal(ran.code, 0, ran.stderr);
    // The person who acknowledged a page may not be the one who resolved it.
    assert.match(
      ran.stdout,
      /^page_1 {2}resolved, acknowledged by Ada at 2026-11-29T20:00:05\.000Z, round 1$/m,
    );
  });

  it('a refused page is not retried', async () => {
    answer = (response) =>
      json(response, 400, {
        error: 'Bad Request',
        details: [{ field: 'recipient', message: 'is not a team' }],
      });
    const ran = await run(...page);
    assert.deepEqual(ran, { code: 1, stdout: '', stderr: 'Bad Request: recipient is not a team.\n' });
    assert.equal(seen.length, 1);
  });

  it('a server that stays away causes one sentence after a few seconds', async () => {
    answer = (response) =>
      json(
        response,
        503,
        { error: 'Service Unavailable', details: [{ field: 'database', message: 'is away' }] },
        { 'retry-after': '0' },
      );
    const ran = await run(...page);
    assert.equal(ran.code, 1);
    assert.match(ran.stderr, /The server cannot do it now \(Service Unavailable\)\. database is away\.\n$/);
    assert.equal(seen.length, 4);
  });

  it('lists of many pages are read to the end', async () => {
    answer = (response, path) => {
      const number = Number(new URL(path, url).searchParams.get('page'));
      const results = [{ id: `schedule_${number}`, name: `S${number}`, enabled: true, backstop: null }];
      json(response, 200, { page: number, has_more: number < 3, results });
    };
    const ran = await run('schedules');
    assert.deepEqual(
      ran.stdout.split('\n').map((line) => line.split(' ')[0]),
      ['S1', 'S2', 'S3', ''],
    );
  });
});
