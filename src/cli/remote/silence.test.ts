import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createSilence, LONGEST_SILENCE_MS } from './silence.ts';

it('the silence of a server counts from the first request without an answer, with the time that each request took', () => {
  let time = 1_000;
  const silence = createSilence(() => time);
  const asked = time;
  time += 45_000;
  assert.equal(silence.isTooLong(asked), false);
  assert.equal(silence.lasts, true);
  time = asked + LONGEST_SILENCE_MS;
  assert.equal(silence.isTooLong(time - 45_000), false);
  time += 1;
  assert.equal(silence.isTooLong(time - 1), true);

  silence.answered();
  assert.equal(silence.lasts, false);
  assert.equal(silence.isTooLong(time), false);
});
