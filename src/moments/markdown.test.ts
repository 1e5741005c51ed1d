import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { codeSpan, markdownLink, plainMarkdown } from './markdown.ts';

describe("strangers' text in Markdown", () => {
  it('is shown as it was written', () => {
    assert.equal(
      plainMarkdown('disk *is* [full](http://x) <b>'),
      'disk \\*is\\* \\[full\\](http://x) \\<b\\>',
    );
    assert.equal(
      plainMarkdown('# no heading\n- no list\n1. no list'),
      '\\# no heading  \n\\- no list  \n1\\. no list',
    );
    assert.equal(plainMarkdown('a\n---'), 'a  \n\\---');
    assert.equal(plainMarkdown('    no code'), ' no code');
    assert.equal(plainMarkdown('93.5 % of db-01'), '93.5 % of db-01');
  });

  it('has no fence that its code could close', () => {
    assert.equal(codeSpan('a="b"'), '`a="b"`');
    assert.equal(codeSpan('a `` b'), '``` a `` b ```');
  });

  it('cannot change the target of a link', () => {
    assert.equal(markdownLink('Source', null), null);
    assert.equal(markdownLink('Source', 'http://x/?a=<b>)'), '[Source](<http://x/?a=%3Cb%3E)>)');
  });

  it('leaves no Markdown sign unescaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'\\`*_[]<>~|& a#-+=1.)\n') }), (text) => {
        assert.doesNotMatch(plainMarkdown(text).replace(/\\./g, ''), /[`*_[\]<>~|&]/);
        assert.doesNotMatch(plainMarkdown(text), /^\s*(#|\d+[.)](\s|$)|[-+=]([-+=\s]|$))/m);
      }),
    );
  });
});
