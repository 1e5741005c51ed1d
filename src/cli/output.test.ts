import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { table } from './output.ts';

describe('a table', () => {
  it('has columns as wide as their widest cell, and no trailing blanks', () => {
    assert.equal(
      table([
        ['Übung', 'a', ''],
        ['x', 'bcd', 'last'],
      ]),
      'Übung  a\nx      bcd  last',
    );
    assert.equal(table([]), '');
  });
});
