import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { CODE_POINT } from '../../../../testing/code-point.ts';
import { signature } from './signature.ts';

const AT = new Date('2026-11-20T05:32:00Z');
const SECONDS = String(AT.getTime() / 1_000);

function bySpecification(secret: string, id: string, body: string): string | null {
  try {
    return new Webhook(secret).sign(id, AT, body);
  } catch {
    return null;
  }
}

describe('the signature of a webhook', () => {
  const base64 = fc
    .uint8Array({ minLength: 1, maxLength: 80 })
    .map((bytes) => Buffer.from(bytes).toString('base64'));
  const keys = fc.oneof(base64, fc.stringMatching(/^[A-Za-z0-9+/=* ]{0,12}$/));

  it('is that of the library of Standard Webhooks, also for a secret that is damaged', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('whsec_', ''),
        keys,
        fc.string(),
        fc.string({ unit: CODE_POINT }),
        (prefix, key, id, body) => {
          const text = body.toWellFormed();
          assert.equal(signature(prefix + key, id, SECONDS, text), bySpecification(prefix + key, id, text));
        },
      ),
      { examples: [['whsec_', 'A++a ', '', '']] },
    );
  });

  it('is none for a secret that is not base64', () => {
    for (const secret of [
      '',
      'whsec_',
      'whsec_***',
      'whsec_abc',
      'whsec_ab==cd==',
      'whsec_abc===',
      'whsec_ab cd',
    ])
      assert.equal(signature(secret, 'delivery_1', SECONDS, '{}'), null, secret);
  });
});
