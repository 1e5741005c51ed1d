import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lengthWords, waitWords } from './length-words.ts';

const HOUR = 3_600_000;

describe('how long something is', () => {
  it('is given in days, hours or minutes', () => {
    assert.equal(lengthWords(7 * 24 * HOUR), '7 days');
    assert.equal(lengthWords(36 * HOUR), '36 hours');
    assert.equal(lengthWords(HOUR), '1 hour');
    assert.equal(lengthWords(90 * 60_000), '90 minutes');
    assert.equal(lengthWords(1_000), '1 minute');
  });

  it('is a week even if the clock changed in it', () => {
    assert.equal(lengthWords(7 * 24 * HOUR - HOUR), '7 days');
    assert.equal(lengthWords(7 * 24 * HOUR + HOUR), '7 days');
  });

  it('is waited for', () => {
    assert.equal(waitWords(0), 'now');
    assert.equal(waitWords(49 * HOUR), 'in 2 days');
  });
});
