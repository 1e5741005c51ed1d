import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createSealing } from '../kit/sealing.ts';
import { newId } from '../kit/typeid.ts';
import { acknowledgeToken, acknowledgeUrl, pageUrl, readAcknowledgeToken } from './links.ts';

const sealing = createSealing(randomBytes(32));
const NOW = Temporal.Instant.from('2026-11-20T09:00:00.700Z');
const deliveryId = newId('delivery');
const token = acknowledgeToken(sealing, deliveryId, NOW);

describe('an acknowledge link', () => {
  it('identifies its delivery, for a week', () => {
    const read = (after: Temporal.DurationLike) => readAcknowledgeToken(sealing, token, NOW.add(after));
    assert.deepEqual(read({ hours: 0 }), { deliveryId, expired: false });
    assert.deepEqual(read({ hours: 7 * 24 - 1 }), { deliveryId, expired: false });
    assert.deepEqual(read({ hours: 7 * 24, seconds: 1 }), { deliveryId, expired: true });
    assert.deepEqual(read({ hours: -1 }), { deliveryId, expired: false }, 'clocks differ a little');
  });

  it('needs no encoding in a URL, and is short enough for a text message', () => {
    assert.match(token, /^[\w-]{50,70}$/);
    assert.equal(acknowledgeUrl('https://t.example.com', token), `https://t.example.com/a/${token}`);
    assert.equal(pageUrl('https://t.example.com', 'page_1'), 'https://t.example.com/pages/page_1');
  });

  it('is invalid if anything in it is changed', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_';
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(...letters), (index, letter) => {
        const changed = token.slice(0, index) + letter + token.slice(index + 1);
        assert.equal(readAcknowledgeToken(sealing, changed, NOW) === null, changed !== token);
      }),
      { numRuns: 2_000 },
    );
  });

  it('cannot be made from other signatures, or for a longer time', () => {
    const [suffix = '', expiry = '', signature = ''] = token.split(/-(.{6})-/);
    const longer = `${suffix}-zzzzzz-${signature}`;
    const otherPurpose = `${suffix}-${expiry}-${sealing.sign('calendar', `${suffix}-${expiry}`)}`;
    const stranger = acknowledgeToken(createSealing(randomBytes(32)), deliveryId, NOW);
    const otherDelivery = `${newId('delivery').slice('delivery_'.length)}-${expiry}-${signature}`;
    for (const forged of [longer, otherPurpose, stranger, otherDelivery])
      assert.equal(readAcknowledgeToken(sealing, forged, NOW), null, forged);
  });

  it('never throws, whatever text is given', () => {
    for (const odd of [
      '',
      '-',
      '--',
      token.slice(1),
      `${token}x`,
      ` ${token}`,
      token.toUpperCase(),
      `${token}\n`,
    ])
      assert.equal(readAcknowledgeToken(sealing, odd, NOW), null, odd);
    fc.assert(
      fc.property(fc.string(), (text) => assert.equal(readAcknowledgeToken(sealing, text, NOW), null)),
    );
  });
});
