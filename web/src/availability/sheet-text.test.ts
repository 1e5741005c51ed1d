import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { textOfSheet } from './sheet-text.ts';

const read = (bytes: Buffer, language = 'de') => textOfSheet(new Uint8Array(bytes).buffer, language);

describe('the text of a file that a spreadsheet wrote', () => {
  it('is UTF-8, with or without a mark', () => {
    assert.equal(read(Buffer.from('Jörg 木 €')), 'Jörg 木 €');
    assert.equal(read(Buffer.from('\ufeffJörg')), 'Jörg');
  });

  it('is what Excel on Windows saves as CSV or as Unicode text', () => {
    assert.equal(read(Buffer.from([0x4a, 0xf6, 0x72, 0x67, 0x20, 0x80])), 'Jörg €');
    assert.equal(read(Buffer.from('\ufeffJörg 木', 'utf16le')), 'Jörg 木');
    // 休み in Shift_JIS
    assert.equal(read(Buffer.from([0x8b, 0x78, 0x82, 0xdd]), 'ja'), '休み');
    // No text of Shift_JIS ends with the first byte of a letter.
    assert.equal(read(Buffer.from([0x4a, 0xf6]), 'ja'), 'Jö');
  });
});
