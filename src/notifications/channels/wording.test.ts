import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CODE_POINT } from '../../../testing/code-point.ts';
import { aNotification, THREE_MORE } from '../../../testing/fakes/notification.ts';
import { clean, moreLine, oneLine, shorten, whence } from './wording.ts';

describe('whence', () => {
  it('names team, stage and round where they exist', () => {
    assert.equal(whence(aNotification()), 'Site Reliability, stage 1');
    assert.equal(whence(aNotification({ stage: '1.5', round: 3 })), 'Site Reliability, stage 1.5, round 3');
    assert.equal(whence(aNotification({ stage: null })), 'Site Reliability, backstop');
    assert.equal(whence(aNotification({ stage: null, type: 'page.expired' })), 'Site Reliability');
    assert.equal(whence(aNotification({ team: null, stage: null })), null);
  });
});

describe('moreLine', () => {
  it('counts in words and names as many as fit', () => {
    assert.equal(moreLine(aNotification(), 90), null);
    assert.equal(
      moreLine(aNotification({ bundled: THREE_MORE.slice(0, 1) }), 90),
      '1 more page: Queue stuck',
    );
    assert.equal(moreLine(aNotification({ bundled: THREE_MORE }), 30), '3 more pages: Queue stuck; Ba…');
  });
});

describe('shorten', () => {
  it('never exceeds the limit or breaks a character, and does not change short texts', () => {
    const texts = fc.string({ unit: 'grapheme', maxLength: 300 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 3, max: 100 }), (text, max) => {
        const short = shorten(text, max);
        assert.ok(short.length <= max);
        assert.ok(short.isWellFormed());
        if (text.length <= max) assert.equal(short, text);
      }),
    );
  });

  it('keeps combined emoji together', () => {
    assert.equal(shorten('ab👩‍👩‍👧‍👦cd', 6), 'ab…');
  });
});

describe('clean and oneLine', () => {
  it('leave nothing that could end a header, close a line or break XML', () => {
    fc.assert(
      fc.property(fc.string({ unit: CODE_POINT }), (text) => {
        assert.doesNotMatch(oneLine(text), /[\p{Cc}\u2028\u2029]/u);
        assert.doesNotMatch(clean(text), /(?![\n\t])\p{Cc}/u);
        assert.ok(clean(text).isWellFormed());
      }),
    );
  });

  it('repair half characters', () => {
    assert.equal(oneLine('disk \ud83d full'), 'disk \ufffd full');
  });

  it('keep the lines of a text', () => {
    assert.equal(clean('one\r\ntwo\rthree\tfour'), 'one\ntwo\nthree\tfour');
  });
});
