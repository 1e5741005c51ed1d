import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type MomentServer, startMomentServer } from '../../testing/moment-server.ts';

describe('the API form of a moment', () => {
  let server: MomentServer;
  before(async () => {
    server = await startMomentServer();
  });
  after(() => server.close());

  const moment = { name: 'Deploy went wrong', type: 'Incident' };

  it('records a moment for a key of the organization', async () => {
    const { path, id } = await server.webhook();
    const key = await server.apiKey();
    const body = { ...moment, type: 'NEAR_miss', description: 'Rolled back in time.', priority: 'High' };
    const answer = await server.post(path, body, { authorization: `Bearer ${key}` });
    assert.equal(answer.status, 200);
    await server.work();
    const [made] = await server.moments(answer.json.service_request_id);
    assert.equal(made?.type, 'near-miss');
    assert.equal(made?.priority, 'high');
    assert.equal(made?.state, 'open');
    const request = await server.db
      .selectFrom('requests')
      .select(['kind', 'credential', 'status'])
      .where('id', '=', answer.json.service_request_id ?? '')
      .executeTakeFirstOrThrow();
    assert.equal(request.kind, 'moment');
    assert.equal(request.status, 'succeeded');
    assert.match(request.credential, /^api_key_/);
    const received = await server.db
      .selectFrom('received_notifications')
      .select(['integration', 'headers'])
      .where('webhook_id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(received.integration, 'api');
    assert.ok(!JSON.stringify(received.headers).includes(key));
  });

  it('accepts the other form of the key, names of 255 characters, and webhooks of any type', async () => {
    const { token } = await server.webhook({ type: 'alertmanager' });
    const authorization = `Token token="${await server.apiKey()}"`;
    const named = (length: number) =>
      server.post(`/moment/${token}`, { ...moment, name: 'n'.repeat(length) }, { authorization });
    assert.equal((await named(255)).status, 200);
    const refused = await named(256);
    assert.equal(refused.status, 400);
    assert.deepEqual(
      refused.json.details?.map(({ field }) => field),
      ['name'],
    );
  });

  it('has a medium priority by default, and names the existing priorities', async () => {
    const { path } = await server.webhook();
    const authorization = `Bearer ${await server.apiKey()}`;
    const answer = await server.post(path, { ...moment, priority: null }, { authorization });
    await server.work();
    assert.equal((await server.moments(answer.json.service_request_id))[0]?.priority, 'medium');
    const refused = await server.post(path, { ...moment, priority: 'urgent' }, { authorization });
    assert.deepEqual(refused.json, {
      error: 'Bad Request',
      details: [
        {
          field: 'priority',
          message:
            'priority is "urgent", which is not among the allowed values; give one of low, medium, high.',
        },
      ],
    });
  });

  it('stores an ill-formed call as an error with its reason', async () => {
    const { path, id } = await server.webhook();
    const authorization = `Bearer ${await server.apiKey()}`;
    assert.equal((await server.post(path, { name: '' }, { authorization })).status, 400);
    const received = await server.db
      .selectFrom('received_notifications')
      .select(['state', 'reason', 'integration'])
      .where('webhook_id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(received.state, 'error');
    assert.equal(received.integration, 'api');
    assert.match(received.reason ?? '', /name is empty; .*type is missing|type is missing; .*name is empty/);
  });

  it('refuses a bad key at once, and stores nothing', async () => {
    const { path, id } = await server.webhook();
    for (const authorization of ['Bearer tocsin_wrong', 'Basic YTpi', 'Bearer', '']) {
      const answer = await server.post(path, moment, { authorization });
      assert.equal(answer.status, 401, authorization);
      assert.match(answer.headers.get('www-authenticate') ?? '', /Bearer/);
    }
    assert.equal((await server.post('/moment/unknown', moment, { authorization: 'Bearer x' })).status, 401);
    const kept = await server.db
      .selectFrom('received_notifications')
      .select('id')
      .where('webhook_id', '=', id)
      .execute();
    assert.deepEqual(kept, []);
  });

  it('refuses a key without the scope', async () => {
    const { path } = await server.webhook();
    const pagesOnly = await server.apiKey(server.acme, ['pages']);
    assert.equal((await server.post(path, moment, { authorization: `Bearer ${pagesOnly}` })).status, 403);
    const both = await server.apiKey(server.acme, ['pages', 'moments']);
    assert.equal((await server.post(path, moment, { authorization: `Bearer ${both}` })).status, 200);
  });

  it("does not distinguish another organization's webhook from one that does not exist", async () => {
    const other = await server.organization('Globex');
    const { path } = await server.webhook();
    const expired = await server.webhook({
      expiresAt: (await server.clock.now(server.db)).add({ hours: 1 }),
    });
    const authorization = `Bearer ${await server.apiKey(other)}`;
    server.clock.advance({ hours: 2 });
    const answers = await Promise.all(
      [path, expired.path, `/moment/${'x'.repeat(43)}`, '/moment/x'].map((each) =>
        server.post(each, moment, { authorization }),
      ),
    );
    for (const answer of answers) {
      assert.equal(answer.status, 404);
      assert.deepEqual(answer.json, { error: 'Not Found', details: [] });
    }
    const mine = await server.post(path, moment, { authorization: `Bearer ${await server.apiKey()}` });
    await server.work();
    assert.equal((await server.moments(mine.json.service_request_id)).length, 1);
    assert.deepEqual(await server.moments(mine.json.service_request_id, other.id), []);
  });
});
