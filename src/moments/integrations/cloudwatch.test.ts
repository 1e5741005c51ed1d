import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { samplesIn } from '../../../testing/moments/samples.ts';
import { adapterContract, readBody } from './adapter.contract.ts';
import { cloudwatch } from './cloudwatch.ts';

adapterContract('cloudwatch', cloudwatch);

const { sample, result, body } = samplesIn('cloudwatch', cloudwatch);
const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:tocsin';

describe('a CloudWatch alarm', () => {
  it('begins', () => {
    const event = sample('alarm');
    assert.equal(event.action, 'open');
    assert.equal(event.name, 'Shop 5xx');
    assert.equal(event.type, 'alert');
    assert.equal(event.priority, 'high');
    assert.equal(event.severity, 'critical');
    assert.equal(event.source, 'CloudWatch');
    assert.equal(
      event.sourceUrl,
      'https://eu-central-1.console.aws.amazon.com/cloudwatch/home?region=eu-central-1#alarmsV2:alarm/Shop%205xx',
    );
    assert.equal(String(event.occurredAt), '2026-11-20T05:01:00.412Z');
    assert.match(
      event.description ?? '',
      /^The shop \*\*fails\*\*\. severity=critical\n\nThreshold Crossed: /,
    );
    assert.match(event.description ?? '', /\*\*Dimensions:\*\* LoadBalancer=app\/shop/);
  });

  it('ends under the same key', () => {
    assert.equal(sample('ok').action, 'resolve');
    assert.equal(sample('ok').dedupKey, sample('alarm').dedupKey);
    assert.ok(Temporal.Instant.compare(sample('alarm').at, sample('ok').at) < 0);
  });

  it('without data does not end, and has medium priority', () => {
    const event = sample('insufficient-data');
    assert.deepEqual([event.action, event.priority, event.severity], ['open', 'medium', null]);
  });

  it('may arrive without its envelope', () => {
    const event = sample('composite-raw-delivery');
    assert.equal(event.name, 'Everything is bad');
    assert.equal(event.priority, 'medium', '[P3] in the description');
    assert.match(event.description ?? '', /\*\*Rule:\*\* ALARM\("Shop 5xx"\)/);
  });

  it('may arrive through EventBridge, with the same result', () => {
    assert.equal(sample('eventbridge').dedupKey, sample('alarm').dedupKey);
    assert.equal(String(sample('eventbridge').at), '2026-11-20T05:01:00.412Z');
    assert.equal(sample('eventbridge').priority, 'high');
  });
});

describe('a call of Amazon SNS', () => {
  it('about anything else is a separate moment', () => {
    const event = sample('other-publisher');
    assert.equal(event.name, 'AWS Budgets: Monthly has exceeded your alert threshold');
    assert.match(event.description ?? '', /^Your budget of 100 USD/);
    assert.equal(event.source, 'Amazon SNS');
    assert.equal(event.dedupKey, 'message 22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324');
    assert.match(sample('other-publisher', { Subject: undefined }).name, /^Your budget .* exceeded\.$/);
    assert.equal(sample('health-event').name, 'AWS Health Event: AWS_EC2_OPERATIONAL_ISSUE');
  });

  it('may ask for a confirmation', () => {
    const asked = result('confirm-subscription');
    assert.ok('confirm' in asked);
    assert.equal(asked.confirm.topic, TOPIC);
    assert.match(
      asked.confirm.url,
      /^https:\/\/sns\.eu-central-1\.amazonaws\.com\/\?Action=ConfirmSubscription/,
    );
    assert.equal(asked.confirm.algorithm, 'RSA-SHA256');
    assert.match(
      asked.confirm.signedText,
      /^Message\nYou have chosen .*\nType\nSubscriptionConfirmation\n$/s,
    );
  });

  for (const [what, changes] of [
    ['another host', { SubscribeURL: 'https://sns.eu-central-1.amazonaws.com.evil.example/x' }],
    ['a user in the address', { SubscribeURL: 'https://sns.eu-central-1.amazonaws.com@evil.example/' }],
    ['a port', { SubscribeURL: 'https://sns.eu-central-1.amazonaws.com:8443/' }],
    ['no https', { SubscribeURL: 'http://sns.eu-central-1.amazonaws.com/' }],
    ['an address within', { SubscribeURL: 'http://169.254.169.254/latest/meta-data' }],
    ['a certificate from elsewhere', { SigningCertURL: 'https://evil.example/x.pem' }],
    ['a certificate that is none', { SigningCertURL: 'https://sns.eu-central-1.amazonaws.com/x.txt' }],
    ['no signature', { Signature: '' }],
    ['no topic', { TopicArn: null }],
  ] as const)
    it(`that asks for a confirmation with ${what} is refused`, () => {
      assert.ok('error' in result('confirm-subscription', changes));
    });

  it('is accepted only from the pinned topic', () => {
    const other = { settings: { topic: `${TOPIC}-2` } };
    assert.ok('error' in result('alarm', {}, other));
    assert.ok('error' in result('confirm-subscription', {}, other));
    assert.ok('events' in result('alarm', {}, { settings: { topic: TOPIC } }));
    const headers = { 'x-amz-sns-topic-arn': TOPIC };
    assert.ok('error' in result('composite-raw-delivery', {}, { settings: { topic: TOPIC }, headers }));
    assert.ok('error' in result('composite-raw-delivery', {}, { ...other, headers }));
  });

  it('has its id in a header and in the body', () => {
    const call = { headers: {}, body: Buffer.from(body('alarm')) };
    assert.equal(cloudwatch.senderCallId?.(call), '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324');
    const headers = { 'x-amz-sns-message-id': 'm-1' };
    assert.equal(cloudwatch.senderCallId?.({ ...call, headers }), '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324');
    assert.equal(
      cloudwatch.senderCallId?.({ headers, body: Buffer.from(body('composite-raw-delivery')) }),
      'm-1',
    );
    assert.equal(cloudwatch.senderCallId?.({ headers: {}, body: Buffer.from('x') }), null);
  });

  it('reports that it is empty', () => {
    const empty = readBody(cloudwatch, '{"Type": "Notification"}');
    assert.match('error' in empty ? empty.error : '', /neither "Message" nor "Subject"/);
  });
});

it('records an event that EventBridge posts itself, without SNS', () => {
  const event = sample('eventbridge-finding');
  assert.equal(event.name, 'GuardDuty Finding: An instance mines cryptocurrency.');
  assert.equal(event.dedupKey, 'message c8c4daa7-a20c-2f03-0070-b7393dd542ad');
  assert.deepEqual([event.source, String(event.at)], ['Amazon EventBridge', '2026-11-20T03:04:05Z']);
});
