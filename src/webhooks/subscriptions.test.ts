import assert from 'node:assert/strict';
import { createSign, generateKeyPairSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type MomentServer, startMomentServer } from '../../testing/moment-server.ts';
import type { FetchedText } from '../kit/fetch-text.ts';
import { openProblems } from '../problems/store.ts';
import { retryCall } from './retry.ts';

const HOST = 'https://sns.eu-central-1.amazonaws.com';
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const CERTIFICATE = publicKey.export({ type: 'spki', format: 'pem' }) as string;
const topicOf = (name: string) => `arn:aws:sns:eu-central-1:123456789012:${name}`;

/** The first post of Amazon SNS, signed as documented. */
function confirmationOf(topic: string): string {
  const call = {
    Message: 'You have chosen to subscribe.',
    MessageId: `${topic}-1`,
    SubscribeURL: `${HOST}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=t`,
    Timestamp: '2026-11-20T04:00:00.000Z',
    Token: 't',
    TopicArn: topic,
    Type: 'SubscriptionConfirmation',
  };
  const signed = Object.entries(call)
    .map(([name, value]) => `${name}\n${value}\n`)
    .join('');
  const Signature = createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64');
  const SigningCertURL = `${HOST}/SimpleNotificationService-1.pem`;
  return JSON.stringify({ ...call, SignatureVersion: '2', Signature, SigningCertURL });
}

describe('a webhook of CloudWatch', () => {
  let server: MomentServer;
  let fetched: string[] = [];
  let amazon: (url: URL) => FetchedText;
  const right = (url: URL): FetchedText => ({
    status: 200,
    text: url.pathname.endsWith('.pem') ? CERTIFICATE : '<ConfirmSubscriptionResponse/>',
  });
  before(async () => {
    server = await startMomentServer({
      async fetchText(url) {
        fetched.push(url.href);
        return amazon(url);
      },
    });
  });
  after(() => server.close());

  const post = (path: string, body: string) =>
    server.post(path, body, { 'content-type': 'text/plain; charset=UTF-8' });
  const newest = (webhookId: string) =>
    server.db
      .selectFrom('received_notifications')
      .selectAll()
      .where('webhook_id', '=', webhookId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
  const settingsOf = async (webhookId: string) =>
    (
      await server.db
        .selectFrom('webhooks')
        .select('settings')
        .where('id', '=', webhookId)
        .executeTakeFirstOrThrow()
    ).settings;
  const problems = async () => {
    await server.health.flush();
    return (await openProblems(server.db, server.acme.id)).map(({ code }) => code);
  };

  it('confirms the subscription once, and then accepts only its topic', async () => {
    [amazon, fetched] = [right, []];
    const { id, path } = await server.webhook({ type: 'cloudwatch', settings: { type: 'incident' } });
    const { json } = await post(path, confirmationOf(topicOf('alarms')));
    await server.work();
    assert.equal(fetched.length, 2);
    const kept = await newest(id);
    assert.equal(kept.state, 'success');
    assert.match(kept.reason ?? '', /The subscription to arn:.*:alarms was confirmed/);
    assert.deepEqual(await settingsOf(id), { type: 'incident', topic: topicOf('alarms') });
    const request = await server.db
      .selectFrom('requests')
      .selectAll()
      .where('id', '=', json.service_request_id ?? '')
      .executeTakeFirstOrThrow();
    assert.deepEqual([request.status, request.message], ['succeeded', kept.reason]);

    await post(path, confirmationOf(topicOf('other')));
    await server.work();
    assert.equal(fetched.length, 2, 'nothing is fetched for another topic');
    assert.equal((await newest(id)).state, 'error');
  });

  it('retries while Amazon cannot be reached, which is a problem until it works', async () => {
    const { id, path } = await server.webhook({ type: 'cloudwatch' });
    amazon = () => ({ error: 'sns.eu-central-1.amazonaws.com cannot be reached (timeout)' });
    const alarm = JSON.stringify({
      AlarmName: 'CPU',
      NewStateValue: 'ALARM',
      AlarmArn: 'arn:x',
      StateChangeTime: '2026-11-20T04:00:00.000+0000',
    });
    await post(path, confirmationOf(topicOf('alarms')));
    const other = await server.webhook({ type: 'cloudwatch' });
    await post(other.path, alarm);
    await server.work();
    assert.equal((await newest(id)).state, 'queued');
    assert.equal((await newest(other.id)).state, 'success', 'others of its batch do not suffer');
    assert.deepEqual(await problems(), ['confirmation']);
    amazon = right;
    server.clock.advance({ seconds: 2 });
    await server.work();
    assert.equal((await newest(id)).state, 'success');
    assert.deepEqual(await problems(), []);
  });

  it('fails after five attempts, and confirms if somebody retries', async () => {
    const { id, path } = await server.webhook({ type: 'cloudwatch' });
    amazon = () => ({ status: 503, text: '' });
    await post(path, confirmationOf(topicOf('alarms')));
    for (let attempt = 0; attempt < 6; attempt++) {
      await server.work();
      server.clock.advance({ minutes: 1 });
    }
    const given = await newest(id);
    assert.deepEqual([given.state, given.attempts], ['error', 5]);
    assert.match(given.reason ?? '', /answered 503/);
    assert.deepEqual(await settingsOf(id), {});
    amazon = right;
    await server.db
      .transaction()
      .execute(async (tx) => retryCall(tx, await server.clock.now(tx), server.acme.id, given.id));
    await server.work();
    assert.equal((await newest(id)).state, 'success');
  });
});
