import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { latest, senderTime } from './sender-time.ts';

const text = (value: unknown) => senderTime(value)?.toString() ?? null;

describe("a sender's time", () => {
  it('is read in the formats of senders', () => {
    assert.equal(text('2026-11-20T05:00:00.25Z'), '2026-11-20T05:00:00.25Z');
    assert.equal(text('2026-11-20T06:00:00+01:00'), '2026-11-20T05:00:00Z');
    assert.equal(text('2026-11-20T05:00:00.000+0000'), '2026-11-20T05:00:00Z');
    assert.equal(text('2026-11-20 05:00:00 UTC'), '2026-11-20T05:00:00Z');
    assert.equal(text('2026-11-20 07:00:00 +0200'), '2026-11-20T05:00:00Z');
    assert.equal(text('2026-11-20 07:00:00.25 +0200 CEST'), '2026-11-20T05:00:00.25Z');
    assert.equal(
      text('2026-11-20 05:00:00.112013015 +0000 UTC m=+8560.285724134'),
      '2026-11-20T05:00:00.112013015Z',
    );
    assert.equal(text('0001-01-01 00:00:00 +0000 UTC'), null);
  });

  it('is read from numbers in any unit, also written as text', () => {
    for (const count of [1795150800, 1795150800000, 1795150800000000, 1795150800000000000])
      assert.equal(text(count), '2026-11-20T05:00:00Z');
    assert.equal(text('1795150800000'), '2026-11-20T05:00:00Z');
    assert.equal(text(1795150800.5), '2026-11-20T05:00:00.5Z');
  });

  it('is absent if a sender means none', () => {
    for (const value of [
      '0001-01-01T00:00:00Z',
      0,
      -1,
      '',
      'soon',
      '2026-11-20',
      null,
      {},
      Number.NaN,
      1e300,
    ])
      assert.equal(text(value), null, String(value));
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        senderTime(value);
      }),
    );
    fc.assert(
      fc.property(fc.double(), (value) => {
        senderTime(value);
      }),
    );
  });

  it('of several is the latest existing one', () => {
    const [early, late] = [senderTime(1795150800), senderTime(1795150900)];
    assert.equal(latest(null, late, early, null), late);
    assert.equal(latest(early, null), early);
    assert.equal(latest(null), null);
  });
});
