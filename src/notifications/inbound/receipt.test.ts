import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { advance, isFailure, RECEIPT_STATES, type ReceiptState, twilioReceipt } from './receipt.ts';

describe('advance', () => {
  const states = fc.constantFrom(...RECEIPT_STATES);
  const after = (receipts: ReceiptState[]) =>
    receipts.reduce<ReceiptState | null>((state, next) => advance(state, next), null);

  it('changes nothing if a receipt is repeated, whatever arrived in between', () => {
    fc.assert(
      fc.property(fc.array(states, { minLength: 1 }), fc.nat(), (receipts, index) => {
        const again = receipts[index % receipts.length] as ReceiptState;
        assert.equal(after([...receipts, again]), after(receipts));
      }),
    );
  });

  it('reaches the same state in any order unless receipts contradict each other', () => {
    const good = fc.shuffledSubarray(['accepted', 'sent', 'delivered', 'read'] as ReceiptState[], {
      minLength: 1,
    });
    const ranked = RECEIPT_STATES;
    fc.assert(
      fc.property(good, (receipts) => {
        const furthest = [...receipts].sort((a, b) => ranked.indexOf(b) - ranked.indexOf(a))[0];
        assert.equal(after(receipts), furthest);
      }),
    );
  });

  it('never goes from delivered, read or failed to an earlier or opposite state', () => {
    for (const end of ['undelivered', 'failed'] as const) {
      for (const next of RECEIPT_STATES) assert.equal(advance(end, next), end);
      assert.equal(advance('delivered', end), 'delivered');
      assert.equal(advance('read', end), 'read');
      assert.equal(advance('sent', end), end);
    }
    assert.equal(advance('delivered', 'read'), 'read');
    assert.equal(advance('read', 'delivered'), 'read');
  });
});

describe('twilioReceipt', () => {
  it('reads messages and calls', () => {
    assert.deepEqual(twilioReceipt({ MessageSid: 'SM1', MessageStatus: 'delivered' }), {
      state: 'delivered',
      providerId: 'SM1',
      error: null,
    });
    assert.deepEqual(twilioReceipt({ CallSid: 'CA1', CallStatus: 'no-answer' }), {
      state: 'undelivered',
      providerId: 'CA1',
      error: 'Nobody answered the call.',
    });
    assert.equal(twilioReceipt({ SmsSid: 'SM1', SmsStatus: 'sent' })?.state, 'sent');
  });

  it('gives the reason why a message failed', () => {
    const failed = (fields: Record<string, string>) =>
      twilioReceipt({ MessageSid: 'SM1', MessageStatus: 'undelivered', ...fields })?.error;
    assert.equal(
      failed({ ErrorCode: '30003' }),
      'The phone is switched off or out of reach. (Twilio error 30003)',
    );
    assert.match(failed({ ErrorCode: '30999' }) ?? '', /error 30999.*docs\/api\/errors\/30999/);
    assert.equal(failed({}), 'Twilio reports that it could not be delivered.');
    assert.ok(isFailure('undelivered'));
  });

  it('ignores reports that say nothing about a delivery', () => {
    for (const fields of [
      {},
      { MessageSid: 'SM1', MessageStatus: 'receiving' },
      { MessageStatus: 'sent' },
      { CallSid: 'CA1' },
    ]) {
      assert.equal(twilioReceipt(fields as Record<string, string>), null);
    }
    assert.equal(twilioReceipt({ MessageSid: 'SM1', MessageStatus: 'constructor' }), null);
  });
});
