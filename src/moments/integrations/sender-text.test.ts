import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeBlock, linkLine, markdownText, plainText } from './sender-text.ts';

describe('text of a sender', () => {
  it('is escaped if it is not Markdown, and kept if it is', () => {
    assert.equal(plainText(' 2 * 3 * 4 <b> '), '2 \\* 3 \\* 4 \\<b\\>');
    assert.equal(markdownText(' 2 *three* 4 '), '2 *three* 4');
  });

  it("from a program's output cannot leave its fence", () => {
    assert.equal(codeBlock('DISK *CRITICAL*\n'), '```\nDISK *CRITICAL*\n```');
    assert.equal(codeBlock('````\n# no title'), '`````\n````\n# no title\n`````');
    assert.equal(codeBlock(null), null);
  });

  it('may be the existing links', () => {
    assert.equal(
      linkLine('[a](<https://a>)', null, '[b](<https://b>)'),
      '[a](<https://a>) · [b](<https://b>)',
    );
    assert.equal(linkLine(null), null);
  });
});
