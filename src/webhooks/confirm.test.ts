import assert from 'node:assert/strict';
import { createSign, generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import type { FetchedText, FetchText } from '../kit/fetch-text.ts';
import type { Confirmation } from '../moments/integrations/adapter.ts';
import { confirmSubscription } from './confirm.ts';

const HOST = 'https://sns.eu-west-1.amazonaws.com';
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:alarms';
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const CERTIFICATE = publicKey.export({ type: 'spki', format: 'pem' }) as string;

function confirmation(more: Partial<Confirmation> = {}): Confirmation {
  const algorithm = more.algorithm ?? 'RSA-SHA256';
  const signedText = 'Message\nYou have chosen to subscribe\n';
  return {
    ...{ url: `${HOST}/?Action=ConfirmSubscription&Token=t`, topic: TOPIC, algorithm, signedText },
    certificateUrl: `${HOST}/SimpleNotificationService-1.pem`,
    signature: createSign(algorithm).update(signedText).sign(privateKey, 'base64'),
    ...more,
  };
}

describe('a subscription of Amazon SNS', () => {
  const right: FetchedText[] = [
    { status: 200, text: CERTIFICATE },
    { status: 200, text: '<ConfirmSubscriptionResponse/>' },
  ];

  async function confirm(asked: Confirmation, answers = right, pinned: string | null = null) {
    const fetched: string[] = [];
    const fetchText: FetchText = async (url) => {
      fetched.push(url.href);
      return answers[fetched.length - 1] ?? assert.fail(`nobody expected a call of ${url.href}`);
    };
    const result = await confirmSubscription(asked, pinned, { fetchText, fetchCertificate: fetchText });
    return { ...result, fetched };
  }

  it('is confirmed if Amazon signed it, with either algorithm', async () => {
    for (const algorithm of ['RSA-SHA1', 'RSA-SHA256'] as const) {
      const asked = confirmation({ algorithm });
      const { fetched, ...result } = await confirm(asked, right, TOPIC);
      assert.deepEqual(result, { confirmed: true });
      assert.deepEqual(fetched, [asked.certificateUrl, asked.url]);
    }
  });

  it('is never fetched from anywhere except Amazon', async () => {
    const elsewhere = [
      'http://sns.eu-west-1.amazonaws.com/',
      'https://sns.eu-west-1.amazonaws.com.evil.example/',
      'https://evil.example/sns.eu-west-1.amazonaws.com/',
      'https://sns.eu-west-1.amazonaws.com@evil.example/',
      'https://user@sns.eu-west-1.amazonaws.com/',
      'https://sns.eu-west-1.amazonaws.com:8443/',
      'https://s3.eu-west-1.amazonaws.com/',
      'https://xsns.eu-west-1.amazonaws.com/',
      'https://127.0.0.1/',
      'file:///etc/passwd',
      'nonsense',
    ];
    for (const url of elsewhere) {
      for (const part of [{ url }, { certificateUrl: `${url}x.pem` }]) {
        const { fetched, ...result } = await confirm(confirmation(part));
        assert.deepEqual(fetched, [], url);
        assert.ok('problem' in result && result.lasting, url);
      }
    }
    const notPem = await confirm(confirmation({ certificateUrl: `${HOST}/key.txt` }));
    assert.ok('problem' in notPem && notPem.fetched.length === 0);
    const china = confirmation({ url: 'https://sns.cn-north-1.amazonaws.com.cn/?x' });
    assert.ok('confirmed' in (await confirm(china)));
  });

  it('is not confirmed without the right signature, or for another topic', async () => {
    const forged = [
      confirmation({ signedText: 'Message\nsomething else\n' }),
      confirmation({ signature: '' }),
      confirmation({ signature: 'AAAA' }),
    ];
    for (const asked of forged) {
      const { fetched, ...result } = await confirm(asked);
      assert.deepEqual(result, { problem: "It does not carry Amazon's signature.", lasting: true });
      assert.equal(fetched.length, 1);
    }
    const noCertificate = await confirm(confirmation(), [{ status: 200, text: 'hello' }]);
    assert.ok('problem' in noCertificate && noCertificate.lasting);
    const other = await confirm(confirmation(), right, 'arn:aws:sns:eu-west-1:123456789012:other');
    assert.match('problem' in other ? other.problem : '', /accepts only arn:.*:other/);
    assert.deepEqual(other.fetched, []);
  });

  it('is retried if Amazon cannot be reached or fails', async () => {
    const [certificate] = right as [FetchedText];
    const troubles: FetchedText[][] = [
      [{ error: 'sns cannot be reached (timeout)' }],
      [{ status: 503, text: '' }],
      [certificate, { error: 'sns did not answer' }],
      [certificate, { status: 302, text: '' }],
    ];
    for (const answers of troubles) {
      const { fetched, ...result } = await confirm(confirmation(), answers);
      assert.ok('problem' in result && !result.lasting, JSON.stringify(answers));
      assert.equal(fetched.length, answers.length);
    }
  });
});
