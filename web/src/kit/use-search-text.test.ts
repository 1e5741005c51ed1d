import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withSent } from './use-search-text.ts';

describe('the texts that a search field has sent to the address', () => {
  const after = (...texts: string[]) => texts.reduce<readonly string[]>(withSent, []);

  it('are bounded however long somebody types, and the latest are kept', () => {
    const texts = Array.from({ length: 1_000 }, (_, at) => `text ${at}`);
    assert.deepEqual(after(...texts), texts.slice(-8));
  });

  it('have each text once, the latest last', () => {
    assert.deepEqual(after('a', 'ab', 'a'), ['ab', 'a']);
  });
});
