import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeBlock, linkLine, markdownText, plainText } from './sender-text.ts';

describe('text of a sender', () => {
  it('is escaped where it is no Markdown, and kept where it is', () => {
    assert.equal(plainText(' 2 * 3 * 4 <b> '), '2 \\* 3 \\* 4 \\<b\\>');
    assert.equal(markdownText(' 2 *three* 4 '), '2 *three* 4');
  });

  it('that a program printed does not get out of its fence', () => {
    assert.equal(codeBlock('DISK *CRITICAL*\n'), '```\nDISK *CRITICAL*\n```');
    assert.equal(codeBlock('````\n# no title'), '`````\n````\n# no title\n`````');
    assert.equal(codeBlock(null), null);
  });

  it('may be links, those that there are', () => {
    assert.equal(
      linkLine('[a](<https://a>)', null, '[b](<https://b>)'),
      '[a](<https://a>) · [b](<https://b>)',
    );
    assert.equal(linkLine(null), null);
  });
});
