import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import { samplesOf } from './adapter.contract.ts';
import type { CertifiedText } from './adapter.ts';
import { isSignedBy, isSnsUrl, snsSignature } from './sns.ts';

const pair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
const keys = pair();

function call(name: string, changes: object = {}): Record<string, unknown> {
  return { ...JSON.parse(samplesOf('cloudwatch').get(name)?.toString() ?? ''), ...changes };
}

function read(body: Record<string, unknown>): CertifiedText {
  const signature = snsSignature(body);
  assert.ok(!('problem' in signature), JSON.stringify(signature));
  return signature;
}

/** The call, signed as Amazon does. */
function signed(body: Record<string, unknown>): Record<string, unknown> {
  const { algorithm, signedText } = read(body);
  return { ...body, Signature: sign(algorithm, Buffer.from(signedText), keys.privateKey).toString('base64') };
}

describe('the signature of Amazon SNS', () => {
  for (const name of ['alarm', 'other-publisher', 'confirm-subscription'])
    for (const version of ['1', '2'])
      it(`of version ${version} over ${name} is valid until anything changes`, () => {
        const body = signed(call(name, { SignatureVersion: version }));
        assert.ok(isSignedBy(read(body), keys.publicKey));
        for (const field of ['Message', 'MessageId', 'Timestamp', 'TopicArn'])
          assert.ok(!isSignedBy(read({ ...body, [field]: `${body[field]}x` }), keys.publicKey), field);
        assert.ok(!isSignedBy(read(body), pair().publicKey));
      });

  it('covers these lines', () => {
    const body = call('other-publisher', {
      Message: 'm',
      Subject: 's',
      Timestamp: 't',
      TopicArn: 'a',
      MessageId: 'i',
    });
    assert.equal(
      read(body).signedText,
      'Message\nm\nMessageId\ni\nSubject\ns\nTimestamp\nt\nTopicArn\na\nType\nNotification\n',
    );
    const { Subject: _, ...without } = body;
    assert.doesNotMatch(read(without).signedText, /Subject/);
  });

  it('is invalid without a certificate or a signature', () => {
    const body = signed(call('alarm'));
    assert.ok(!isSignedBy(read(body), 'no certificate'));
    assert.ok(!isSignedBy(read({ ...body, Signature: '***' }), keys.publicKey));
    assert.deepEqual(snsSignature({ ...body, Type: 'toString' }), { problem: 'it is not signed' });
  });
});

describe('an address of Amazon SNS', () => {
  it('is on its hosts, over https', () => {
    assert.ok(isSnsUrl('https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription'));
    assert.ok(isSnsUrl('https://sns.cn-north-1.amazonaws.com.cn/x.pem'));
    for (const url of [
      ...[
        'http://sns.us-east-1.amazonaws.com/',
        'https://s3.us-east-1.amazonaws.com/',
        'https://amazonaws.com/',
      ],
      ...[
        'https://sns.us-east-1.amazonaws.com.evil.example/',
        'https://evil.example/sns.us-east-1.amazonaws.com',
      ],
      ...['https://sns.us-east-1.amazonaws.com@evil.example/', 'https://a:b@sns.us-east-1.amazonaws.com/'],
      ...['https://evil.sns.us-east-1.amazonaws.com/', 'nonsense', ''],
    ])
      assert.ok(!isSnsUrl(url), url);
    assert.ok(!isSnsUrl(null));
  });
});
