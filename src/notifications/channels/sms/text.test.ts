import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { aNotification, THREE_MORE } from '../../../../testing/fakes/notification.ts';
import { smsSegments, smsText } from './text.ts';

describe('smsText', () => {
  it('begins with the title and ends with how to acknowledge', () => {
    assert.equal(
      smsText(aNotification()),
      [
        'Disk full on db-1',
        'Site Reliability, stage 1, high urgency',
        'Reply ACK 4821',
        'https://tocsin.example/a/3kTq9hX0a1b2c3d4e5f6g7',
      ].join('\n'),
    );
  });

  it('marks repeats and bundles in words', () => {
    assert.equal(
      smsText(aNotification({ team: null, stage: null, repeat: true, bundled: THREE_MORE })),
      [
        'Disk full on db-1',
        'high urgency',
        '3 more pages: Queue stuck; Backups late; Certificate expires',
        'Sent again: you may have had this message before.',
        'Reply ACK 4821',
        'https://tocsin.example/a/3kTq9hX0a1b2c3d4e5f6g7',
      ].join('\n'),
    );
  });

  it('asks nobody to acknowledge an expired page, and links to it', () => {
    const text = smsText(aNotification({ type: 'page.expired', stage: null }));
    assert.match(
      text,
      /^Nobody acknowledged: Disk full on db-1\nSite Reliability, high urgency\nhttps:\/\/tocsin/,
    );
    assert.doesNotMatch(text, /ACK/);
  });

  it('replaces typographic quotes, which would double the cost', () => {
    const text = smsText(aNotification({ title: '“Größe” – db‑1’s disk… 50\u00a0€' }));
    assert.match(text, /^"Größe" - db-1's disk\.\.\. 50 €\n/);
    assert.equal(smsSegments(text), 1);
  });

  it('shortens a long title, and drops a link that would leave no room for it', () => {
    const title = '磁'.repeat(200);
    const short = smsText(aNotification({ title }));
    assert.match(short, /^磁{60,}\.\.\.\n/);
    assert.match(short, /https:\/\/tocsin\.example\/a\//);
    const long = smsText(
      aNotification({ title, acknowledgeUrl: `https://tocsin.example/a/${'x'.repeat(200)}` }),
    );
    assert.match(long, /^磁{60,}\.\.\.\n/);
    assert.match(long, /Reply ACK 4821$/);
  });

  it('counts characters that take two places', () => {
    const text = smsText(aNotification({ title: '€{}'.repeat(66) }));
    assert.equal(smsSegments(text), 3);
    assert.match(text, /^(€\{\}){50,}.*\.\.\.\n/);
    assert.match(text, /^Reply ACK 4821$/m);
  });

  it('takes at most three segments and always tells how to acknowledge', () => {
    const words = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.string({ maxLength: 200 }));
    const link = fc
      .integer({ min: 1, max: 300 })
      .map((length) => `https://tocsin.example/a/${'x'.repeat(length)}`);
    fc.assert(
      fc.property(words, words, words, link, fc.boolean(), (title, team, other, acknowledgeUrl, repeat) => {
        const bundled = [{ pageId: 'page_2', title: other }];
        const text = smsText(
          aNotification({ title, team: { name: team, slug: 'sre' }, acknowledgeUrl, repeat, bundled }),
        );
        assert.ok(smsSegments(text) <= 3, `${smsSegments(text)} segments: ${text}`);
        assert.match(text, /^Reply ACK 4821$/m);
        assert.ok(text.isWellFormed());
      }),
      { numRuns: 300 },
    );
  });
});

describe('smsSegments', () => {
  it('counts segments like carriers', () => {
    assert.equal(smsSegments('a'.repeat(160)), 1);
    assert.equal(smsSegments('a'.repeat(161)), 2);
    assert.equal(smsSegments('€'.repeat(80)), 1);
    assert.equal(smsSegments('€'.repeat(81)), 2);
    assert.equal(smsSegments('磁'.repeat(70)), 1);
    assert.equal(smsSegments('磁'.repeat(71)), 2);
    assert.equal(smsSegments('a'.repeat(459)), 3);
    assert.equal(smsSegments('a'.repeat(460)), 4);
  });
});
