import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { type MomentServer, startMomentServer } from '../../testing/moment-server.ts';
import { createLog } from '../kit/log.ts';
import { randomToken } from '../kit/sealing.ts';
import { revokeWebhook } from './actions.ts';

describe('the token in a webhook URL', () => {
  let server: MomentServer;
  let logged = '';
  before(async () => {
    const destination = new Writable({
      write(chunk, _, done) {
        logged += String(chunk);
        done();
      },
    });
    server = await startMomentServer({ log: createLog('trace', destination) });
  });
  after(() => server.close());

  const moment = { name: 'x', type: 'alert' };
  const now = () => server.clock.now(server.db);

  it('is unknown unless we created it, and the answer reveals nothing more', async () => {
    for (const token of [randomToken(), 'x', `${randomToken()}x`, '%00', "'or''='"]) {
      for (const path of [`/moment/${token}`, `/moment/${token}/alertmanager`]) {
        const answer = await server.post(path, moment);
        assert.equal(answer.status, 404, path);
        assert.deepEqual(answer.json, { error: 'Not Found', details: [] });
      }
    }
  });

  it('works until its webhook expires, and then is gone', async () => {
    const { path, id } = await server.webhook({ expiresAt: (await now()).add({ minutes: 5 }) });
    assert.equal((await server.post(path, moment)).status, 200);
    server.clock.advance({ minutes: 6 });
    server.outliveTokenCache();
    for (let call = 0; call < 2; call++) {
      const answer = await server.post(path, moment);
      assert.equal(answer.status, 410);
      assert.deepEqual(answer.json, { error: 'Gone', details: [] });
    }
    const kept = await server.db
      .selectFrom('received_notifications')
      .select('id')
      .where('webhook_id', '=', id)
      .execute();
    assert.equal(kept.length, 1);
  });

  it('is unknown within half a second of being revoked', async () => {
    const { path, id } = await server.webhook();
    const revoke = () =>
      server.db
        .transaction()
        .execute(async (tx) => revokeWebhook(tx, await server.clock.now(tx), server.acme.id, id));
    assert.equal((await server.post(path, moment)).status, 200);
    await revoke();
    server.outliveTokenCache();
    assert.equal((await server.post(path, moment)).status, 404);
    await assert.rejects(revoke, /This webhook is unknown or was revoked/);
  });

  it('works at once, even if somebody has just tried it', async () => {
    const { path, token } = await server.webhook({ type: 'alertmanager' });
    assert.equal((await server.post(`/moment/${token}`, moment)).status, 404);
    assert.equal((await server.post(path, moment)).status, 200);
  });

  it('belongs to one type: another integration, or the bare URL, does not accept it', async () => {
    const alertmanager = await server.webhook({ type: 'alertmanager' });
    const custom = await server.webhook();
    for (const path of [
      `/moment/${alertmanager.token}`,
      `/moment/${alertmanager.token}/custom`,
      `/moment/${alertmanager.token}/Alertmanager`,
      `/moment/${alertmanager.token}/api`,
      `/moment/${alertmanager.token}/toString`,
      `/moment/${custom.token}/alertmanager`,
    ])
      assert.deepEqual((await server.post(path, moment)).json, { error: 'Not Found', details: [] });
  });

  it('is never logged', async () => {
    const { path, token } = await server.webhook();
    await server.post(path, moment);
    await server.post(path, 'junk');
    await server.post(`${path}/nothing/here`, moment);
    await server.work();
    assert.ok(!logged.includes(token));
  });

  it('is not stored with the headers of a call, and neither are other secrets', async () => {
    const { path, id, token } = await server.webhook();
    await server.post(
      path,
      { name: 'x', type: 'alert' },
      {
        cookie: 'session=1',
        'x-gitlab-token': 'hush',
        'x-api-key': 'hush',
        'x-original-uri': `/moment/${token}`,
        'x-hub-signature-256': 'sha256=00',
      },
    );
    const { headers } = await server.db
      .selectFrom('received_notifications')
      .select('headers')
      .where('webhook_id', '=', id)
      .executeTakeFirstOrThrow();
    const text = JSON.stringify(headers);
    assert.match(text, /sha256=00/);
    assert.doesNotMatch(text, /hush|session=1/);
    assert.ok(!text.includes(token));
  });

  it('shows when it was last used, without a write for every call', async () => {
    const { path, id } = await server.webhook();
    const lastUsed = async () =>
      (
        await server.db
          .selectFrom('webhooks')
          .select('last_used_at')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).last_used_at;
    const before = await now();
    for (let call = 0; call < 3; call++) await server.post(path, moment);
    assert.equal(await lastUsed(), null);
    await server.flushUses();
    const used = await lastUsed();
    assert.ok(used && Temporal.Instant.compare(used, before) >= 0);
    assert.ok(Temporal.Instant.compare(used, await now()) <= 0);
    await server.flushUses();
  });

  it('lets one webhook use only its share', async () => {
    const small = await startMomentServer({ perSecond: 0.001, burst: 3 });
    try {
      const [one, other] = [await small.webhook(), await small.webhook()];
      const statuses = [];
      for (let call = 0; call < 4; call++) statuses.push((await small.post(one.path, moment)).status);
      assert.deepEqual(statuses, [200, 200, 200, 429]);
      assert.ok(Number((await small.post(one.path, moment)).headers.get('retry-after')) >= 1);
      assert.equal((await small.post(other.path, moment)).status, 200);
    } finally {
      await small.close();
    }
  });
});
