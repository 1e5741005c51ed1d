import assert from 'node:assert/strict';
import { createSign, generateKeyPairSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type MomentServer, startMomentServer } from '../../testing/moment-server.ts';
import type { FetchedText } from '../kit/fetch-text.ts';
import { openProblems } from '../problems/store.ts';
import { claimBatch, processBatch } from './process.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const CERTIFICATE = publicKey.export({ type: 'spki', format: 'pem' }) as string;
const CERTIFICATE_URL = 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-1.pem';
const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:alarms';

let numbers = 0;

/** An alarm as Amazon SNS posts it, signed as documented. */
function alarm(state: 'ALARM' | 'OK', changes: Record<string, string> = {}): Record<string, string> {
  const changed = new Date(Date.now() - 60_000 + 1_000 * ++numbers).toISOString();
  const call = {
    Message: JSON.stringify({
      ...{ AlarmName: 'CPU', AlarmArn: 'arn:aws:cloudwatch:eu-central-1:123456789012:alarm:CPU' },
      ...{ NewStateValue: state, StateChangeTime: changed },
    }),
    MessageId: `m-${numbers}`,
    Timestamp: changed,
    TopicArn: TOPIC,
    Type: 'Notification',
    ...changes,
  };
  const text = Object.entries(call)
    .map(([name, value]) => `${name}\n${value}\n`)
    .join('');
  const Signature = createSign('RSA-SHA256').update(text).sign(privateKey, 'base64');
  return { ...call, SignatureVersion: '2', Signature, SigningCertURL: CERTIFICATE_URL };
}

describe('calls of a confirmed topic', () => {
  let server: MomentServer;
  let amazon: FetchedText = { status: 200, text: CERTIFICATE };
  let webhook: { id: string; path: string };

  before(async () => {
    server = await startMomentServer({ fetchText: async () => amazon });
    webhook = await server.webhook({ type: 'cloudwatch', settings: { topic: TOPIC } });
  });
  after(() => server.close());

  /** How each of the calls ended, after one run over all of them. */
  async function post(...calls: Record<string, string>[]): Promise<string[]> {
    return postWith({}, ...calls);
  }

  async function postWith(
    more: Record<string, string>,
    ...calls: Record<string, string>[]
  ): Promise<string[]> {
    const ids: string[] = [];
    for (const call of calls) {
      const headers = { 'content-type': 'text/plain', 'x-amz-sns-message-id': `h-${++numbers}`, ...more };
      const { json } = await server.post(webhook.path, call, headers);
      ids.push(json.service_request_id ?? '');
    }
    await server.work();
    return Promise.all(ids.map(ending));
  }

  async function ending(requestId: string): Promise<string> {
    const { state, reason } = await server.db
      .selectFrom('received_notifications')
      .select(['state', 'reason'])
      .where('request_id', '=', requestId)
      .executeTakeFirstOrThrow();
    return [state, reason].filter(Boolean).join(': ');
  }

  const states = async () =>
    (await server.db.selectFrom('moments').select('state').orderBy('id').execute()).map(({ state }) => state);

  it('are accepted if Amazon signed them, and ignored if they are replayed', async () => {
    const [fired, ended] = [alarm('ALARM'), alarm('OK')];
    assert.deepEqual(await post(fired, ended), ['success', 'success']);
    assert.deepEqual(await states(), ['resolved']);
    const [replayed] = await post(fired);
    assert.match(replayed ?? '', /^ignored: It repeats the call m-/);
  });

  it('are refused if somebody else made them and says that they are test calls of this service', async () => {
    const [outcome] = await postWith(
      { 'user-agent': 'Tocsin test call' },
      { ...alarm('ALARM'), MessageId: 'another test' },
    );
    assert.match(outcome ?? '', /^error: It does not carry Amazon's signature\.$/);
  });

  it('are refused if somebody else made or changed them, and do not affect others', async () => {
    const forged = { ...alarm('ALARM'), MessageId: 'another' };
    const { Signature: _, ...unsigned } = alarm('ALARM');
    const old = alarm('ALARM', { Timestamp: new Date(Date.now() - 49 * 3_600_000).toISOString() });
    const raw = JSON.parse(alarm('ALARM').Message ?? '');
    const elsewhere = { ...alarm('ALARM'), SigningCertURL: 'https://s3.amazonaws.com/x.pem' };
    const outcomes = await post(forged, unsigned, old, raw, elsewhere, alarm('ALARM'));
    for (const [outcome, expected] of [
      [outcomes[0], /^error: It does not carry Amazon's signature\.$/],
      [outcomes[1], /^error: .*it is not signed/],
      [outcomes[2], /^error: .*signed more than 48 hours ago/],
      [outcomes[3], /^error: .*turn off raw message delivery/],
      [outcomes[4], /^error: .*certificate is not one of Amazon SNS/],
      [outcomes[5], /^success$/],
    ] as const)
      assert.match(outcome ?? '', expected);
    assert.deepEqual(await states(), ['resolved', 'open']);
  });

  it('wait while the certificate cannot be fetched, which is our problem', async () => {
    amazon = { error: 'sns.eu-central-1.amazonaws.com cannot be reached (timeout)' };
    const [waiting] = await post(alarm('OK'));
    assert.equal(waiting, 'queued');
    await server.health.flush();
    const [problem] = await openProblems(server.db, server.acme.id);
    assert.equal(problem?.code, 'certificate');
    for (let attempt = 0; attempt < 20; attempt++) {
      server.clock.advance({ minutes: 5 });
      await server.work();
    }
    assert.deepEqual(await states(), ['resolved', 'open']);
    amazon = { status: 200, text: CERTIFICATE };
    server.clock.advance({ minutes: 5 });
    await server.work();
    assert.deepEqual(await states(), ['resolved', 'resolved']);
    await server.health.flush();
    assert.deepEqual(await openProblems(server.db, server.acme.id), []);
  });

  it('fail after a day without a certificate, or if Amazon has none', async () => {
    amazon = { status: 503, text: '' };
    const call = alarm('ALARM');
    const { json } = await server.post(webhook.path, call, { 'content-type': 'text/plain' });
    await server.work();
    server.clock.advance({ hours: 25 });
    await server.work();
    assert.match(await ending(json.service_request_id ?? ''), /^error: Amazon's certificate .* answered 503/);
    amazon = { status: 404, text: '' };
    const now = new Date(Date.now() + 25 * 3_600_000).toISOString();
    assert.match((await post(alarm('ALARM', { Timestamp: now })))[0] ?? '', /^error: .* answered 404/);
  });

  it('are recorded in the order of their receipt by several workers, except forged ones', async () => {
    amazon = { status: 200, text: CERTIFICATE };
    await post(alarm('ALARM'));
    const before = await states();
    assert.equal(before.at(-1), 'open');
    const forged = { ...alarm('OK'), MessageId: 'forged' };
    for (const call of [alarm('OK'), forged, alarm('ALARM')])
      await server.post(webhook.path, call, { 'content-type': 'text/plain' });
    const slow = await claimBatch(server, 2, 0);
    const fast = await claimBatch(server, 1, 0);
    assert.deepEqual([slow.claimed.length, fast.claimed.length], [2, 1]);
    await processBatch(server, fast);
    const expected = [...before.slice(0, -1), 'resolved', 'open'];
    assert.deepEqual(await states(), expected);
    const left = await server.db
      .selectFrom('received_notifications')
      .select('id')
      .where('state', '=', 'queued')
      .execute();
    assert.equal(left.length, 1, 'the forged one is left to the worker that has claimed it');
    await processBatch(server, slow);
    assert.deepEqual(await states(), expected);
  });
});
