import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storedPattern } from './pattern.ts';
import { patternWords } from './pattern-words.ts';

const words = (pattern: unknown) => patternWords(storedPattern(pattern).pattern);

test('patterns are described in words', () => {
  assert.equal(words({ every: 'week', handoff: 'Monday 09:00' }), 'every week, hand-off Monday 09:00');
  assert.equal(
    words({ rrule: 'FREQ=WEEKLY;BYDAY=MO,FR', handoff: '09:00' }),
    'every Monday and Friday, hand-off 09:00',
  );
  assert.equal(
    words({ rrule: 'FREQ=MONTHLY;BYMONTHDAY=1,15', handoff: '08:00' }),
    'every month on the 1st and 15th day of the month, hand-off 08:00',
  );
});
