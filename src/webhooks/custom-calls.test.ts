import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type MomentServer, startMomentServer } from '../../testing/moment-server.ts';
import { instantText } from '../kit/instant.ts';

describe('a custom webhook', () => {
  let server: MomentServer;
  before(async () => {
    server = await startMomentServer();
  });
  after(() => server.close());

  async function calls(webhookId: string) {
    return server.db
      .selectFrom('received_notifications')
      .selectAll()
      .where('webhook_id', '=', webhookId)
      .orderBy('id')
      .execute();
  }

  it('turns a call with every field into a moment', async () => {
    const { path, id } = await server.webhook();
    const wakes = server.wakes();
    const answer = await server.post(path, {
      name: 'Checkout is slow',
      type: 'near-miss',
      source: 'load test',
      source_url: 'https://example.com/runs/7',
      description: '**p99** is 4 s',
      occurred_at: '2026-11-19T22:15:00+01:00',
    });
    assert.equal(answer.status, 200);
    assert.match(answer.json.service_request_id ?? '', /^request_[0-9a-z]{26}$/);
    assert.equal(answer.json.response?.success, true);
    assert.match(answer.json.response?.message ?? '', /queued/);
    assert.equal(answer.json.warnings, undefined);
    assert.equal(server.wakes(), wakes + 1);

    assert.equal(await server.work(), 1);
    const [moment, ...others] = await server.moments(answer.json.service_request_id);
    assert.deepEqual(others, []);
    assert.match(moment?.id ?? '', /^moment_/);
    assert.deepEqual(
      { ...moment, id: '' },
      {
        id: '',
        name: 'Checkout is slow',
        type: 'near-miss',
        source: 'load test',
        source_url: 'https://example.com/runs/7',
        occurred_at: '2026-11-19T21:15:00.000Z',
        priority: 'medium',
        state: 'open',
      },
    );
    const stored = await server.db
      .selectFrom('moments')
      .selectAll()
      .where('id', '=', moment?.id ?? '')
      .executeTakeFirstOrThrow();
    assert.equal(stored.description, '**p99** is 4 s');
    assert.equal(stored.team_id, server.acme.teamId);
    const request = await server.db
      .selectFrom('requests')
      .selectAll()
      .where('id', '=', answer.json.service_request_id ?? '')
      .executeTakeFirstOrThrow();
    assert.equal(request.kind, 'webhook');
    assert.equal(request.status, 'succeeded');
    assert.equal(request.message, '1 moment was created.');
    assert.equal(request.attempts, 1);
    assert.equal(request.credential, id);
    const [call] = await calls(id);
    assert.equal(call?.state, 'success');
    assert.equal(call?.integration, 'custom');
  });

  it('needs only name and type', async () => {
    const { path } = await server.webhook();
    const before = await server.clock.now(server.db);
    const answer = await server.post(path, { name: 'x', type: 'PAGE', source: null, occurred_at: null });
    assert.equal(answer.status, 200);
    await server.work();
    const [moment] = await server.moments(answer.json.service_request_id);
    assert.equal(moment?.type, 'page');
    assert.equal(moment?.source, null);
    assert.ok((moment?.occurred_at ?? '') >= instantText(before));
  });

  it('counts characters, not bytes or halves of them', async () => {
    const { path } = await server.webhook();
    assert.equal((await server.post(path, { name: '🔥'.repeat(70), type: 'alert' })).status, 200);
    const answer = await server.post(path, { name: '🔥'.repeat(71), type: 'alert' });
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.json, {
      error: 'Bad Request',
      details: [
        {
          field: 'name',
          message: 'name has 71 characters, which is too long; give a text of 1 to 70 characters.',
        },
      ],
    });
  });

  it('lists every problem at once and stores the call as an error', async () => {
    await server.work();
    const { path, id } = await server.webhook();
    const future = (await server.clock.now(server.db)).add({ minutes: 1 });
    const body = {
      type: 'fire',
      source_url: 'ftp://x',
      description: 7,
      occurred_at: instantText(future),
      urgancy: 1,
    };
    const answer = await server.post(path, body);
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.json.details?.map((detail) => detail.field).sort(), [
      'description',
      'name',
      'occurred_at',
      'source_url',
      'type',
    ]);
    const [call] = await calls(id);
    assert.equal(call?.state, 'error');
    assert.equal(call?.request_id, null);
    assert.deepEqual(JSON.parse(call?.body.toString() ?? ''), body);
    assert.match(
      call?.reason ?? '',
      /type is "fire", which is not among the allowed values; give one of alert, incident, near-miss, page/,
    );
    assert.match(call?.reason ?? '', /occurred_at is .* in the future/);
    assert.equal(await server.work(), 0);
  });

  it('accepts a clock that is a few seconds ahead', async () => {
    const { path } = await server.webhook();
    const soon = (await server.clock.now(server.db)).add({ seconds: 3 });
    const answer = await server.post(path, { name: 'x', type: 'alert', occurred_at: instantText(soon) });
    assert.equal(answer.status, 200);
    await server.work();
    const [moment] = await server.moments(answer.json.service_request_id);
    assert.equal(moment?.occurred_at, instantText(soon));
  });

  it('warns about unknown fields', async () => {
    const { path } = await server.webhook();
    const answer = await server.post(path, { name: 'x', type: 'alert', sorce: 'y', priority: 'high' });
    assert.equal(answer.status, 200);
    assert.equal(answer.json.warnings?.length, 2);
    assert.match(answer.json.warnings?.[0] ?? '', /"sorce".*did you mean source/);
  });

  it('ignores the values of unknown fields', async () => {
    const { path } = await server.webhook();
    for (const priority of ['high', 'P1', 5]) {
      const answer = await server.post(path, { name: 'x', type: 'alert', priority });
      await server.work();
      const [moment] = await server.moments(answer.json.service_request_id);
      assert.equal(moment?.priority, 'medium', String(priority));
    }
  });

  for (const [what, body, reason] of [
    ['nothing', '', 'body is empty'],
    ['no JSON', 'name=x', 'body is not valid JSON'],
    ['cut-off JSON', '{"name": "x", ', 'body is not valid JSON'],
    ['an array', '[]', 'body is JSON but not an object'],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'body is not UTF-8'],
    ['a poisoned prototype', '{"__proto__": {"type": "alert"}, "name": "x"}', 'type is missing'],
    ['depth', `{"a":${'['.repeat(100_000)}`, 'body is nested more than 200 levels deep'],
  ] as const) {
    it(`refuses ${what} and stores it`, async () => {
      const { path, id } = await server.webhook();
      const answer = await server.post(path, body);
      assert.equal(answer.status, 400);
      assert.equal(answer.json.error, 'Bad Request');
      const [call] = await calls(id);
      assert.ok(call?.reason?.startsWith(reason), call?.reason ?? '');
      assert.ok(call?.body.equals(Buffer.from(body).subarray(0, 4_096)));
    });
  }

  it('stores texts that PostgreSQL could not store unchanged', async () => {
    const { path } = await server.webhook();
    const answer = await server.post(
      path,
      String.raw`{"name": "half \ud83d", "type": "alert", "description": "also \udd25"}`,
    );
    assert.equal(answer.status, 200);
    await server.work();
    const [moment] = await server.moments(answer.json.service_request_id);
    assert.equal(moment?.name, 'half \ufffd');
    assert.equal((await server.post(path, { name: 'a\u0000b', type: 'alert' })).status, 400);
  });

  it("accepts JSON with curl's default content type, and no form", async () => {
    const { path, id } = await server.webhook();
    const moment = { name: 'x', type: 'alert' };
    assert.equal(
      (await server.post(path, moment, { 'content-type': 'application/x-www-form-urlencoded' })).status,
      200,
    );
    assert.equal(
      (await server.post(path, moment, { 'content-type': 'application/json; charset=utf-8' })).status,
      200,
    );
    const refused = await server.post(path, moment, { 'content-type': 'text/xml' });
    assert.equal(refused.status, 415);
    assert.match(
      (await calls(id)).at(-1)?.reason ?? '',
      /Content-Type is "text\/[a-z]+", which is not accepted/,
    );
    assert.equal((await server.post(path, moment, { 'content-type': 'garbage' })).status, 415);
  });

  it('reads a compressed body, and refuses one that decompresses to more than 256 KiB', async () => {
    const { path } = await server.webhook();
    const pack = (description: string) => gzipSync(JSON.stringify({ name: 'x', type: 'alert', description }));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const good = await server.post(path, pack('d'), headers);
    assert.equal(good.status, 200);
    await server.work();
    assert.equal((await server.moments(good.json.service_request_id)).length, 1);
    const bomb = await server.post(path, pack('d'.repeat(256 * 1_024)), headers);
    assert.equal(bomb.status, 413);
    assert.deepEqual(bomb.json.details, [
      { field: 'body', message: 'body is larger than 256 KiB when it is decompressed.' },
    ]);
  });

  it('refuses a body over 256 KiB and reports that to the owners of the webhook', async () => {
    const { path, id } = await server.webhook();
    const answer = await server.post(path, {
      name: 'x',
      type: 'alert',
      description: 'd'.repeat(256 * 1_024),
    });
    assert.equal(answer.status, 413);
    assert.equal(answer.json.error, 'Payload Too Large');
    const [call] = await calls(id);
    assert.match(call?.reason ?? '', /larger than the 256 KiB/);
    assert.equal(call?.body.length, 0);
  });

  it('also accepts its calls under /custom, raw like those of any integration', async () => {
    const { path, id } = await server.webhook();
    const good = await server.post(`${path}/custom`, { name: 'x', type: 'alert' });
    const bad = await server.post(`${path}/custom`, 'junk');
    assert.deepEqual([good.status, bad.status], [200, 200]);
    await server.work();
    assert.equal((await server.moments(good.json.service_request_id)).length, 1);
    assert.deepEqual(
      (await calls(id)).map(({ state }) => state),
      ['success', 'error'],
    );
  });
});
