import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CODE_POINT } from '../../testing/code-point.ts';
import { cutName, NAME_LIMIT } from './name.ts';

describe('the name of a moment', () => {
  it('of up to 70 characters does not change', () => {
    assert.deepEqual(cutName('x'.repeat(70)), { name: 'x'.repeat(70), cut: false });
    assert.deepEqual(cutName('🔥'.repeat(70)), { name: '🔥'.repeat(70), cut: false });
  });

  it('is one line', () => {
    assert.equal(cutName(' disk\r\n\tfull\u0000now ').name, 'disk full now');
  });

  it('ends with a whole word if one ends nearby', () => {
    const title = `${'a'.repeat(60)} bbbbb ${'c'.repeat(30)}`;
    assert.equal(cutName(title).name, `${'a'.repeat(60)} bbbbb…`);
    assert.equal(cutName(`aaa ${'b'.repeat(100)}`).name, `aaa ${'b'.repeat(65)}…`);
  });

  it('is never cut within a visible character', () => {
    const family = '👩‍👩‍👧‍👦';
    assert.equal(cutName('x'.repeat(66) + family + 'y'.repeat(9)).name, `${'x'.repeat(66)}…`);
    assert.equal(cutName(`${'e\u0301'.repeat(80)}`).name, `${'é'.repeat(69)}…`);
    assert.equal(cutName('🇩🇪'.repeat(60)).name, `${'🇩🇪'.repeat(34)}…`);
  });

  it('is cut even if one character is endless', () => {
    const { name, cut } = cutName(`e${'\u0301'.repeat(5_000)}`);
    assert.ok(cut && [...name].length === NAME_LIMIT, name);
  });

  it('never has more than 70 characters, and shows that something is missing', () => {
    fc.assert(
      fc.property(fc.string({ unit: CODE_POINT, maxLength: 300 }), (title) => {
        const { name, cut } = cutName(title);
        assert.ok([...name].length <= NAME_LIMIT);
        assert.equal(cut, name.endsWith('…') && !title.trim().endsWith('…') ? true : cut);
        assert.ok(name.isWellFormed() && !/[\p{Cc}\n]/u.test(name));
        if (!cut) assert.equal(cutName(name).name, name);
      }),
    );
  });
});
