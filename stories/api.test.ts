import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { seedOrganization } from '../testing/organization.ts';
import { type Answer, type Story, story, webhookPeople } from '../testing/story.ts';

const run = promisify(execFile);
const PAGE = { recipient: 'sre', title: 'Disk full', text: 'db-1 has no space left' };

function fields(answer: Answer): string[] {
  return (answer.body.details as { field: string }[]).map(({ field }) => field).sort();
}

describe('the public API', () => {
  let t: Story;

  before(async () => {
    t = await story({
      env: { RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '400' },
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada'),
        teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']] }] }, empty: { members: [] } },
      }),
    });
  });
  after(async () => {
    await t.settle();
    t.receiver.inbox.takeAll();
    await t.end();
  });

  it('accepts both forms of the Authorization header and refuses the rest', async () => {
    for (const authorization of [
      `Bearer ${t.acme.key}`,
      `bearer ${t.acme.key}`,
      `Token token="${t.acme.key}"`,
      `token token=${t.acme.key}`,
    ]) {
      assert.equal((await t.post('/page/team', PAGE, { authorization })).status, 200, authorization);
    }
    for (const authorization of ['', 'Bearer', 'Bearer nonsense', `Basic ${t.acme.key}`, 'Token token=""']) {
      const answer = await t.post('/page/team', PAGE, { authorization });
      assert.equal(answer.status, 401, authorization);
      assert.equal(answer.body.error, 'Unauthorized');
      assert.ok(answer.headers.get('www-authenticate'));
    }
  });

  it('answers the queued envelope, and names unknown fields', async () => {
    const { status, body } = await t.post('/page/team', { ...PAGE, urgancy: 'high', colour: 1 });
    assert.equal(status, 200);
    assert.match(String(body.service_request_id), /^request_[0-9a-z]{26}$/);
    const response = body.response as { success: boolean; message: string };
    assert.equal(response.success, true);
    assert.match(response.message, /queued/);
    const warnings = body.warnings as string[];
    assert.equal(warnings.length, 2);
    assert.match(warnings[0] ?? '', /urgancy.*did you mean urgency/);
    const names = Array.from({ length: 30 }, (_, index) => `label_${index}`);
    const many = await t.post('/page/team', {
      ...PAGE,
      ...Object.fromEntries(names.map((name) => [name, 1])),
    });
    const said = (many.body.warnings as string[]).join('\n');
    assert.deepEqual(
      names.filter((name) => !said.includes(`"${name}"`)),
      [],
    );
  });

  it('names parameters in the query, which have no effect, and unknown fields in the answer to a page', async () => {
    const page = await t.post('/page/team?urgency=high', PAGE);
    assert.equal(page.status, 200);
    assert.deepEqual(page.body.warnings, [
      '"urgency" in the query was ignored; send the fields of this request in its body',
    ]);
    const ended = await t.post('/page/resolve?a=b', { recipient: 'sre', dedup_key: 'none', dedup: 1 });
    assert.equal(ended.status, 200);
    assert.deepEqual(ended.body.warnings, [
      '"dedup" is not a field of this request and was ignored; known fields are recipient, dedup_key',
      '"a" in the query was ignored; send the fields of this request in its body',
    ]);
  });

  it('names the content type that it refuses', async () => {
    const send = async (type: string) => {
      const headers = { 'content-type': type, authorization: `Bearer ${t.acme.key}` };
      const answer = await fetch(new URL('/page/team', t.url), { method: 'POST', headers, body: 'title=x' });
      return [
        answer.status,
        ((await answer.json()) as { details: { message: string }[] }).details[0]?.message,
      ];
    };
    assert.deepEqual(await send('text/xml'), [
      415,
      'Content-Type is "text/xml", which is not accepted here; send application/json.',
    ]);
    assert.deepEqual(await send('application/x-www-form-urlencoded'), [
      415,
      'Content-Type is "application/x-www-form-urlencoded", which is not accepted here; send application/json.',
    ]);
  });

  it('accepts urgencies in any case', async () => {
    const request = await t.page('team', 'sre', { urgency: 'LOW', title: 'Loudly' });
    assert.equal((await t.status(request)).page.urgency, 'low');
    assert.deepEqual(fields(await t.post('/page/team', { ...PAGE, urgency: ['low'] })), ['urgency']);
  });

  it('names every problem of a body at once', async () => {
    const answer = await t.post('/page/team', {
      recipient: 5,
      title: '',
      source_url: 'ftp://x',
      urgency: 'urgent',
    });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error, 'Bad Request');
    assert.deepEqual(fields(answer), ['recipient', 'source_url', 'text', 'title', 'urgency']);
    assert.deepEqual(fields(await t.post('/page/team', { recipient: 'unknown', text: 'x' })), [
      'recipient',
      'title',
    ]);
    const longKey = { 'idempotency-key': 'x'.repeat(256) };
    assert.deepEqual(fields(await t.post('/page/team', { ...PAGE, title: '' }, longKey)), [
      'Idempotency-Key',
      'title',
    ]);
  });

  it('refuses a body that is not a JSON object, with a reason', async () => {
    for (const body of ['', '{', '[]', '"text"', '42', '{"a":1']) {
      const answer = await t.post('/page/team', body);
      assert.equal(answer.status, 400, body);
      assert.equal(answer.body.error, 'Bad Request');
      assert.ok((answer.body.details as unknown[]).length > 0);
    }
    const poisoned = await t.post(
      '/page/team',
      '{"__proto__":{"x":1},"recipient":"sre","title":"a","text":"b"}',
    );
    assert.equal(poisoned.status, 400);
    assert.match(JSON.stringify(poisoned.body), /__proto__/);
  });

  it('reads a GET without a body whatever its content type, but nothing compressed', async () => {
    for (const type of ['application/json', 'text/plain', 'application/octet-stream', 'nonsense']) {
      const headers = { authorization: `Bearer ${t.acme.key}`, 'content-type': type };
      assert.equal((await fetch(`${t.url}/schedules`, { headers })).status, 200, type);
    }
    const compressed = await t.post('/page/team', PAGE, { 'content-encoding': 'gzip' });
    assert.equal(compressed.status, 415);
    assert.deepEqual(fields(compressed), ['Content-Encoding']);
    const form = { 'content-encoding': 'br', 'content-type': 'application/x-www-form-urlencoded' };
    const headers = { authorization: `Bearer ${t.acme.key}`, ...form };
    const upload = await fetch(`${t.uploadUrl}/availabilities/upload`, {
      method: 'POST',
      headers,
      body: 'file=x',
    });
    assert.equal(upload.status, 415);
    assert.equal((await t.post('/page/team', PAGE, { 'content-encoding': 'identity' })).status, 200);
  });

  it('counts characters, not bytes, and enforces the limits exactly', async () => {
    const exact = { ...PAGE, title: '\u{1F514}'.repeat(200), text: 'x'.repeat(10_000) };
    assert.equal((await t.post('/page/team', exact)).status, 200);
    assert.deepEqual(
      fields(await t.post('/page/team', { ...PAGE, title: 'x'.repeat(201), text: 'x'.repeat(10_001) })),
      ['text', 'title'],
    );
    assert.deepEqual(fields(await t.post('/page/team', { ...PAGE, title: 'a\u0000b' })), ['title']);
    assert.equal((await t.post('/page/team', { ...PAGE, source_url: null })).status, 200);
  });

  it('answers 405, 404, 413, 415 and 421 for the right reasons', async () => {
    const wrongMethod = await t.get('/page/team');
    assert.equal(wrongMethod.status, 405);
    assert.match(wrongMethod.headers.get('allow') ?? '', /POST/);
    assert.equal((await t.get('/nowhere')).status, 404);
    const large = await t.post('/page/team', { ...PAGE, text: 'x'.repeat(300_000) });
    assert.equal(large.status, 413);
    assert.match(JSON.stringify(large.body), /256 KiB/);
    assert.equal((await t.post('/page/team', 'title=x', { 'content-type': 'text/plain' })).status, 415);
    const misdirected = await t.post('/availabilities/upload', 'x', {
      'content-type': 'multipart/form-data; boundary=x',
    });
    assert.equal(misdirected.status, 421);
    assert.match(JSON.stringify(misdirected.body), new RegExp(t.uploadUrl));
    assert.equal((await fetch(`${t.uploadUrl}/page/team`, { method: 'POST' })).status, 421);
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'])
      assert.equal((await fetch(`${t.url}/availabilities/upload`, { method })).status, 421, method);
  });

  it('reports unknown teams and people, and teams that reach nobody', async () => {
    for (const recipient of ['unknown', 'empty']) {
      const answer = await t.post('/page/team', { ...PAGE, recipient });
      assert.equal(answer.status, 400);
      assert.deepEqual(fields(answer), ['recipient']);
    }
    assert.equal((await t.post('/page/team', { ...PAGE, recipient: 'SRE' })).status, 200);
  });

  it('shows nothing of another organization', async () => {
    const other = await seedOrganization(t, { people: { eve: {} } }, 'Evil');
    const request = await t.page('team', 'sre');
    assert.equal((await t.get(`/request/${request}/status`, other.key)).status, 404);
    const asOther = { authorization: `Bearer ${other.key}` };
    assert.equal((await t.post('/page/team', PAGE, asOther)).status, 400);
    assert.equal(
      (await t.post('/page/person', { ...PAGE, recipient: 'ada@example.com' }, asOther)).status,
      400,
    );
    assert.equal((await t.get('/request/request_00000000000000000000000000/status')).status, 404);
    assert.equal((await t.get('/request/nonsense/status')).status, 404);
  });

  it('does once what is repeated with one idempotency key', async () => {
    const headers = { 'idempotency-key': 'disk-full-1' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => t.post('/page/team', { ...PAGE, title: 'Once' }, headers)),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.equal(new Set(answers.map(({ body }) => body.service_request_id)).size, 1);
    const pages = await t.db.selectFrom('pages').select('id').where('title', '=', 'Once').execute();
    assert.equal(pages.length, 1);
    assert.equal((await t.post('/page/team', { ...PAGE, title: 'Twice' }, headers)).status, 409);
    const again = await t.post('/page/team', { text: PAGE.text, title: 'Once', recipient: 'sre' }, headers);
    assert.equal(again.body.service_request_id, answers[0]?.body.service_request_id);
    const slash = await t.post('/page/team/?from=cron', { ...PAGE, title: 'Once' }, headers);
    assert.equal(slash.body.service_request_id, again.body.service_request_id);
    t.clock.advance({ hours: 25 });
    const later = await t.post('/page/team', { ...PAGE, title: 'Twice' }, headers);
    assert.equal(later.status, 200);
    assert.notEqual(later.body.service_request_id, answers[0]?.body.service_request_id);
    assert.equal((await t.post('/page/team', PAGE, { 'idempotency-key': 'x'.repeat(256) })).status, 400);
  });

  it('answers a repeated page as the first time when its recipient can no longer be reached', async () => {
    const made = await seedOrganization(
      t,
      {
        people: webhookPeople(t.receiver, 'carl'),
        teams: { sre: { members: ['carl'], schedules: [{ stages: [['carl']] }] } },
      },
      'Unreachable',
    );
    const { secret } = t.receiver;
    t.receiver.secret = null;
    const as = { authorization: `Bearer ${made.key}` };
    const page = (key: string, more = {}) =>
      t.post('/page/team', { ...PAGE, ...more }, { ...as, 'idempotency-key': key });
    const first = await page('once');
    assert.equal(first.status, 200);
    const keyed = { recipient: 'sre', dedup_key: 'disk' };
    const resolve = (key: string) => t.post('/page/resolve', keyed, { ...as, 'idempotency-key': key });
    const resolved = await resolve('resolved');
    await t.settle();
    t.receiver.inbox.takeAll();
    t.receiver.secret = secret;
    await t.db.deleteFrom('contact_methods').where('organization_id', '=', made.id).execute();
    await t.db.updateTable('teams').set({ slug: 'ops' }).where('organization_id', '=', made.id).execute();
    // Recipients that could be reached are remembered for half a second.
    await new Promise((resolve) => setTimeout(resolve, 550));
    assert.deepEqual((await page('once')).body, first.body);
    assert.deepEqual((await resolve('resolved')).body, resolved.body);
    assert.equal((await page('once', { title: 'Another page' })).status, 409);
    assert.equal((await page('later')).status, 400);
    assert.equal((await resolve('later')).status, 400);
    t.clock.advance({ hours: 25 });
    assert.equal((await page('once')).status, 400);
  });

  it('names parameters in the body of a status request, which have no effect', async () => {
    const answer = await t.post('/page/team', PAGE);
    const path = `${t.url}/request/${String(answer.body.service_request_id)}/status`;
    const key = ['-H', `Authorization: Bearer ${t.acme.key}`];
    for (const body of [
      ['-H', 'Content-Type: application/json', '-d', '{"wait": 1, "foo": 2}'],
      ['-d', 'wait=1', '-d', 'foo=2'],
    ]) {
      const { stdout } = await run('curl', ['-sS', '-X', 'GET', ...key, ...body, path]);
      assert.deepEqual(JSON.parse(stdout).warnings, [
        '"wait" in the body was ignored; send the parameters of this request in its query',
        '"foo" in the body was ignored; send the parameters of this request in its query',
      ]);
    }
  });

  it('holds a status until the request has finished', async () => {
    const answer = await t.post('/page/team', PAGE);
    const id = String(answer.body.service_request_id);
    const waiting = t.get(`/request/${id}/status?wait=20`);
    await t.settle();
    const response = (await waiting).body.response as { status: string; success: boolean };
    assert.equal(response.status, 'succeeded');
    assert.equal(response.success, true);
    assert.equal((await t.get(`/request/${id}/status?wait=31`)).status, 400);
    assert.equal((await t.get(`/request/${id}/status?wait=x`)).status, 400);
  });

  it('works with real curl', async () => {
    const { stdout } = await run('curl', [
      '-sS',
      '-X',
      'POST',
      `${t.url}/page/team`,
      '-H',
      `Authorization: Bearer ${t.acme.key}`,
      '-H',
      'Content-Type: application/json',
      '-d',
      JSON.stringify(PAGE),
    ]);
    assert.match(stdout, /service_request_id/);
    const status = await run('curl', [
      '-sS',
      '-X',
      'GET',
      `${t.url}/request/${JSON.parse(stdout).service_request_id}/status`,
      '-H',
      `Authorization: Token token="${t.acme.key}"`,
      '-H',
      'Content-Type: application/json',
    ]);
    assert.match(status.stdout, /"kind":"page.team"/);
  });

  it('serves its own description', async () => {
    const openapi = await t.get('/openapi.json');
    assert.equal(openapi.body.openapi, '3.1.0');
    const paths = Object.keys(openapi.body.paths as object);
    for (const path of ['/page/team', '/page/person', '/request/{id}/status'])
      assert.ok(paths.includes(path), path);
    assert.equal((await fetch(`${t.url}/docs`)).status, 200);
    for (const path of ['/healthz', '/readyz']) assert.equal((await fetch(t.url + path)).status, 200);
    assert.match(await t.metrics(), /tocsin_step_lag_seconds/);
  });

  it('gives pages a separate rate limit', async () => {
    let limited: Answer | null = null;
    for (let round = 0; round < 20 && !limited; round++) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => t.get('/request/nonsense/status')));
      limited = answers.find(({ status }) => status === 429) ?? null;
    }
    assert.ok(limited, 'no request was refused');
    assert.ok(Number(limited.headers.get('retry-after')) >= 1);
    assert.equal(limited.body.error, 'Too Many Requests');
    assert.equal((await t.post('/page/team', PAGE)).status, 200);
  });
});
