import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { type MomentServer, startMomentServer } from '../../testing/moment-server.ts';
import { retryCall, retryFailedCalls } from './retry.ts';

describe('a webhook with a signing secret', () => {
  let server: MomentServer;
  before(async () => {
    server = await startMomentServer();
  });
  after(() => server.close());

  const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
  const body = JSON.stringify({ name: 'Grüße 🔥', type: 'alert' });

  function signed(text: string, at: Temporal.Instant, with_ = secret): Record<string, string> {
    const date = new Date(at.epochMilliseconds);
    return {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.epochMilliseconds / 1_000)),
      'webhook-signature': `v1,old v1a,other ${new StandardWebhook(with_).sign('msg_1', date, text)}`,
    };
  }

  it('accepts calls that are signed with it, in both forms', async () => {
    const { path } = await server.webhook({ signingSecret: secret });
    const now = await server.clock.now(server.db);
    assert.equal((await server.post(path, body, signed(body, now))).status, 200);
    assert.equal((await server.post(`${path}/custom`, body, signed(body, now))).status, 200);
    assert.equal(await server.work(), 2);
  });

  it('refuses and stores others, and never processes them, even if somebody retries everything', async () => {
    const { path, id } = await server.webhook({ signingSecret: secret });
    const now = await server.clock.now(server.db);
    const wrong = `whsec_${Buffer.alloc(32, 4).toString('base64')}`;
    const forgeries = [
      {},
      { ...signed(body, now), 'webhook-signature': '' },
      { ...signed(body, now), 'webhook-signature': 'v1,' },
      { ...signed(body, now), 'webhook-id': 'msg_2' },
      signed(`${body} `, now),
      signed(body, now, wrong),
      signed(body, now.subtract({ seconds: 301 })),
      signed(body, now.add({ minutes: 6 })),
      { ...signed(body, now), 'webhook-timestamp': 'NaN' },
    ];
    for (const headers of forgeries) {
      const answer = await server.post(path, body, headers);
      assert.equal(answer.status, 401);
      assert.deepEqual(
        answer.json.details?.map(({ field }) => field),
        ['signature'],
      );
    }
    assert.equal((await server.post(`${path}/custom`, body)).status, 401);
    const kept = await server.db
      .selectFrom('received_notifications')
      .selectAll()
      .where('webhook_id', '=', id)
      .execute();
    assert.equal(kept.length, forgeries.length + 1);
    for (const { state, reason } of kept) {
      assert.equal(state, 'error');
      assert.match(reason ?? '', /signature is missing, wrong or older/);
    }
    const retried = await server.db
      .transaction()
      .execute((tx) => retryFailedCalls(tx, now, server.acme.id, id));
    assert.equal(retried, 0);
    await assert.rejects(
      server.db.transaction().execute((tx) => retryCall(tx, now, server.acme.id, kept[0]?.id ?? '')),
      /only failed ones can be retried/,
    );
    assert.equal(await server.work(), 0);
  });

  it('requires no signature from programs with an API key', async () => {
    const { path } = await server.webhook({ signingSecret: secret });
    const authorization = `Bearer ${await server.apiKey()}`;
    assert.equal((await server.post(path, body, { authorization })).status, 200);
  });
});
