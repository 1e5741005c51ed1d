import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type MomentServer, startMomentServer } from '../../testing/moment-server.ts';
import { samplesOf } from '../moments/integrations/adapter.contract.ts';

const MEBIBYTE = 1_024 * 1_024;

describe('the webhook of an integration', () => {
  let server: MomentServer;
  before(async () => {
    server = await startMomentServer();
  });
  after(() => server.close());

  const samples = samplesOf('alertmanager');
  const sample = (name: string) => samples.get(name) ?? assert.fail(`there is no sample ${name}`);

  async function request(id: string | undefined) {
    return server.db
      .selectFrom('requests')
      .selectAll()
      .where('id', '=', id ?? '')
      .executeTakeFirstOrThrow();
  }

  async function newest(webhookId: string) {
    return server.db
      .selectFrom('received_notifications')
      .selectAll()
      .where('webhook_id', '=', webhookId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
  }

  it('says which part of a call could not be read, although the others were recorded', async () => {
    const { id, path } = await server.webhook({ type: 'pagerduty' });
    const incident = { id: 'P1', title: 'Disk full', status: 'triggered' };
    const messages = [
      { event: 'incident.trigger', incident },
      { event: 'incident.trigger', incident: {} },
    ];
    const sent = await server.post(path, JSON.stringify({ messages }));
    await server.work();
    assert.deepEqual(
      (await server.moments(sent.json.service_request_id)).map(({ name }) => name),
      ['Disk full'],
    );
    const { state, reason } = await newest(id);
    assert.equal(state, 'success');
    assert.match(
      reason ?? '',
      /^A part of the call could not be read: .*the incident in "event\.data" has no "id"/,
    );
    assert.match((await request(sent.json.service_request_id)).message, /could not be read/);
  });

  it('turns a group of alerts into one moment that its end resolves', async () => {
    const { path } = await server.webhook({ type: 'alertmanager' });
    const fired = await server.post(path, sample('firing'));
    assert.equal(fired.status, 200);
    assert.equal(fired.json.response?.success, true);
    await server.work();
    const [open] = await server.moments(fired.json.service_request_id);
    assert.deepEqual(
      { ...open, id: '' },
      {
        id: '',
        name: 'Disk of db-01 will be full in two hours',
        type: 'alert',
        source: 'Alertmanager',
        source_url: 'http://prometheus.example.com:9090/graph?g0.expr=predict_linear&g0.tab=1',
        occurred_at: '2026-11-19T22:14:03.217Z',
        priority: 'high',
        state: 'open',
      },
    );
    const repeated = await server.post(path, sample('firing'));
    const resolved = await server.post(path, sample('resolved'));
    await server.work();
    const again = await server.post(path, sample('resolved'));
    const late = await server.post(path, sample('firing'));
    await server.work();
    for (const answer of [fired, repeated, resolved, again, late]) {
      const [moment, ...others] = await server.moments(answer.json.service_request_id);
      assert.deepEqual([moment?.id, moment?.state, others.length], [open?.id, 'resolved', 0]);
    }
    assert.equal((await request(repeated.json.service_request_id)).message, '1 moment was updated.');
    assert.equal((await request(resolved.json.service_request_id)).message, '1 moment was updated.');
    assert.match(
      (await request(again.json.service_request_id)).message,
      /^Ignored: no open moment has this key\.$/,
    );
    assert.match((await request(late.json.service_request_id)).message, /^Ignored: this event is older/);
  });

  it('makes a new moment if the alert fires again', async () => {
    const { path, id } = await server.webhook({ type: 'alertmanager' });
    for (const name of ['firing', 'resolved']) await server.post(path, sample(name));
    const anew = JSON.parse(sample('firing').toString()) as { alerts: { startsAt: string }[] };
    for (const alert of anew.alerts) alert.startsAt = '2026-11-20T00:30:00Z';
    await server.post(path, anew);
    await server.work();
    const moments = await server.db
      .selectFrom('moments')
      .select('state')
      .where('webhook_id', '=', id)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      moments.map(({ state }) => state),
      ['resolved', 'open'],
    );
  });

  for (const [what, body] of [
    ['nothing', ''],
    ['no JSON', 'EHLO example.com'],
    ['no alerts', '{"status":"firing"}'],
  ] as const) {
    it(`answers ${what} at once, and later marks it with the reason`, async () => {
      const { path, id } = await server.webhook({ type: 'alertmanager' });
      const answer = await server.post(path, body);
      assert.equal(answer.status, 200);
      assert.equal((await newest(id)).state, 'queued');
      await server.work();
      const call = await newest(id);
      assert.equal(call.state, 'error');
      assert.match(call.reason ?? '', /expected\.$/);
      assert.ok(call.body.equals(Buffer.from(body)), 'the body is kept to the byte');
      const failed = await request(answer.json.service_request_id);
      assert.equal(failed.status, 'failed');
      assert.ok(failed.message.includes(call.reason ?? '-'));
      assert.deepEqual(
        (failed.errors as { message: string }[]).map(({ message }) => message),
        [call.reason],
      );
      assert.deepEqual(await server.moments(answer.json.service_request_id), []);
    });
  }

  for (const [what, body, headers] of [
    ['bytes', Buffer.from([0, 255, 1, 254]), {}],
    ['Latin-1', Buffer.from('{"status":"über"}', 'latin1'), {}],
    ['packed Latin-1', gzipSync(Buffer.from('{"status":"über"}', 'latin1')), { 'content-encoding': 'gzip' }],
  ] as const) {
    it(`refuses ${what} with 400, and stores the call with the reason`, async () => {
      const { path, id } = await server.webhook({ type: 'alertmanager' });
      const answer = await server.post(path, body, headers);
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.json, {
        error: 'Bad Request',
        details: [{ field: 'body', message: 'body is not UTF-8 text; send it encoded as UTF-8.' }],
      });
      const call = await newest(id);
      assert.equal(call.state, 'error');
      assert.equal(call.reason, 'body is not UTF-8 text; send it encoded as UTF-8.');
      assert.ok(call.body.equals(body), 'what came is kept to the byte');
      assert.equal(call.request_id, null);
    });
  }

  it('refuses a body that decompresses beyond the limit with 413, and stores one that cannot be decompressed', async () => {
    const { path, id } = await server.webhook({ type: 'alertmanager' });
    const packed = { 'content-encoding': 'gzip' };
    const bomb = await server.post(path, gzipSync(Buffer.alloc(6 * MEBIBYTE, ' ')), packed);
    assert.equal(bomb.status, 413);
    assert.match((await newest(id)).reason ?? '', /larger than 5,120 KiB when it is decompressed/);
    const broken = await server.post(path, Buffer.from([31, 139, 255, 255]), packed);
    assert.equal(broken.status, 200);
    await server.work();
    assert.match((await newest(id)).reason ?? '', /is not valid gzip/);
  });

  it('accepts the body with any content type, or none, and any Authorization header', async () => {
    const { path, id } = await server.webhook({ type: 'alertmanager' });
    for (const type of [
      'text/plain; charset=UTF-8',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'garbage',
      '',
    ]) {
      const headers = { 'content-type': type, authorization: 'Bearer from-http-config' };
      assert.equal((await server.post(path, sample('firing'), headers)).status, 200, type);
    }
    await server.work();
    const states = await server.db
      .selectFrom('received_notifications')
      .select('state')
      .where('webhook_id', '=', id)
      .execute();
    assert.deepEqual(
      states.map(({ state }) => state),
      Array(5).fill('success'),
    );
    assert.doesNotMatch(JSON.stringify((await newest(id)).headers), /from-http-config/);
  });

  it('reads a compressed body, and stores it as received', async () => {
    const { path, id } = await server.webhook({ type: 'alertmanager' });
    const packed = gzipSync(sample('firing'));
    const answer = await server.post(path, packed, { 'content-encoding': 'gzip' });
    await server.work();
    assert.equal((await server.moments(answer.json.service_request_id)).length, 1);
    assert.deepEqual((await newest(id)).body, packed);
    const odd = await server.post(path, packed, { 'content-encoding': 'compress' });
    assert.equal(odd.status, 200);
    await server.work();
    assert.match(
      (await newest(id)).reason ?? '',
      /^the body is compressed as "compress", which is not supported; send it plain/,
    );
  });

  it('accepts groups of up to 5 MiB and stores a record of larger ones', async () => {
    const { path, id } = await server.webhook({ type: 'alertmanager' });
    const body = Buffer.concat([sample('firing'), Buffer.alloc(5 * MEBIBYTE - sample('firing').length, ' ')]);
    const fits = await server.post(path, body);
    assert.equal(fits.status, 200);
    await server.work();
    assert.equal((await server.moments(fits.json.service_request_id)).length, 1);
    const refused = await server.post(path, Buffer.concat([body, Buffer.from(' ')]));
    assert.equal(refused.status, 413);
    assert.match((await newest(id)).reason ?? '', /body is larger than the 5,120 KiB/);
  });

  it('accepts other bodies of up to 1 MiB, with or without a declared length', async () => {
    const { path, id } = await server.webhook();
    const big = JSON.stringify({ name: 'x', type: 'alert', description: 'd'.repeat(MEBIBYTE - 100) });
    assert.equal((await server.post(`${path}/custom`, big)).status, 200);
    assert.equal((await server.post(`${path}/custom`, big + ' '.repeat(200))).status, 413);
    const unannounced = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(big + ' '.repeat(200)));
        controller.close();
      },
    });
    const init = { method: 'POST', body: unannounced, duplex: 'half' } as RequestInit;
    assert.equal((await fetch(`${server.url}${path}/custom`, init)).status, 413);
    assert.match((await newest(id)).reason ?? '', /larger than the 1,024 KiB/);
  });

  it('answers that it requires POST', async () => {
    const { path } = await server.webhook({ type: 'alertmanager' });
    const answer = await fetch(server.url + path);
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.get('allow'), 'POST');
  });

  it('ignores query parameters that senders add', async () => {
    const { path } = await server.webhook({ type: 'alertmanager' });
    assert.equal((await server.post(`${path}?user_id=ada&user_key=1`, sample('firing'))).status, 200);
    assert.equal((await server.post(`${path}/`, sample('firing'))).status, 200);
  });

  it('has one open moment for a key, however many calls arrive at once', async () => {
    const { path, id } = await server.webhook({ type: 'alertmanager' });
    const calls = Array.from({ length: 20 }, () => server.post(path, sample('firing')));
    const answers = await Promise.all(calls);
    await Promise.all(Array.from({ length: 4 }, () => server.work()));
    const moments = await server.db
      .selectFrom('moments')
      .select(['id', 'state'])
      .where('webhook_id', '=', id)
      .execute();
    assert.deepEqual(
      moments.map(({ state }) => state),
      ['open'],
    );
    for (const answer of answers) {
      assert.equal((await request(answer.json.service_request_id)).status, 'succeeded');
      assert.deepEqual(
        (await server.moments(answer.json.service_request_id)).map((moment) => moment.id),
        [moments[0]?.id],
      );
    }
  });
});
