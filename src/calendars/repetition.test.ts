import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  occurrenceAt,
  occurrencesBetween,
  occurrencesFrom,
  type Repetition,
  readRule,
} from './repetition.ts';

const BERLIN = 'Europe/Berlin';

/** 2 March 2026 is a Monday; Berlin is an hour ahead. */
function window(recurrence: string, more: Partial<Repetition> = {}): Repetition {
  const first = {
    startsAt: Temporal.Instant.from('2026-03-02T01:00:00Z'),
    endsAt: Temporal.Instant.from('2026-03-02T03:00:00Z'),
  };
  return { recurrence, zone: BERLIN, first, until: null, ...more };
}

function at(repetition: Repetition, time: string): string | null {
  const found = occurrenceAt(repetition, Temporal.Instant.from(time));
  return found && `${found.startsAt} ${found.endsAt}`;
}

describe('A window that repeats', () => {
  it('holds at its current occurrence, or otherwise has a next one', () => {
    const daily = window('FREQ=DAILY');
    assert.equal(at(daily, '2026-02-01T00:00:00Z'), '2026-03-02T01:00:00Z 2026-03-02T03:00:00Z');
    assert.equal(at(daily, '2026-03-02T02:59:59Z'), '2026-03-02T01:00:00Z 2026-03-02T03:00:00Z');
    assert.equal(at(daily, '2026-03-02T03:00:00Z'), '2026-03-03T01:00:00Z 2026-03-03T03:00:00Z');
  });

  it('begins on the first date of its rule', () => {
    assert.equal(
      at(window('FREQ=WEEKLY;BYDAY=SU'), '2026-03-02T02:00:00Z'),
      '2026-03-08T01:00:00Z 2026-03-08T03:00:00Z',
    );
    assert.equal(
      at(window('FREQ=MONTHLY;BYDAY=1MO'), '2026-03-03T00:00:00Z'),
      '2026-04-06T00:00:00Z 2026-04-06T02:00:00Z',
    );
  });

  it('follows the local clock, and is shorter if an hour is missing', () => {
    // The clocks go forward on 29 March at 02:00, and back on 25 October at 03:00.
    assert.equal(
      at(window('FREQ=DAILY'), '2026-03-28T12:00:00Z'),
      '2026-03-29T01:00:00Z 2026-03-29T02:00:00Z',
    );
    assert.equal(
      at(window('FREQ=DAILY'), '2026-10-24T12:00:00Z'),
      '2026-10-25T00:00:00Z 2026-10-25T03:00:00Z',
    );
  });

  it('crosses midnight, and lasts for days', () => {
    const first = {
      startsAt: Temporal.Instant.from('2026-03-06T20:00:00Z'),
      endsAt: Temporal.Instant.from('2026-03-09T06:00:00Z'),
    };
    const weekends = window('FREQ=WEEKLY;BYDAY=FR', { first });
    assert.equal(at(weekends, '2026-03-16T05:59:00Z'), '2026-03-13T20:00:00Z 2026-03-16T06:00:00Z');
    assert.equal(at(weekends, '2026-03-16T06:00:00Z'), '2026-03-20T20:00:00Z 2026-03-23T06:00:00Z');
  });

  it('ends with the last occurrence that begins before its end', () => {
    const until = Temporal.Instant.from('2026-03-04T01:00:00Z');
    const daily = window('FREQ=DAILY', { until });
    assert.equal(at(daily, '2026-03-02T12:00:00Z'), '2026-03-03T01:00:00Z 2026-03-03T03:00:00Z');
    assert.equal(at(daily, '2026-03-03T03:00:00Z'), null);
  });

  it('gives the first occurrence that has not ended, for any time', () => {
    const rule = fc.constantFrom(
      'FREQ=DAILY',
      'FREQ=DAILY;INTERVAL=3',
      'FREQ=WEEKLY;BYDAY=MO,TH',
      'FREQ=MONTHLY;BYDAY=-1FR',
    );
    fc.assert(
      fc.property(rule, fc.integer({ min: 0, max: 600 * 24 * 60 }), (recurrence, minutes) => {
        const repetition = window(recurrence);
        const now = repetition.first.startsAt.add({ minutes });
        const found = occurrenceAt(repetition, now);
        assert.ok(found);
        assert.ok(Temporal.Instant.compare(found.endsAt, now) > 0);
        assert.equal(
          occurrenceAt(repetition, found.startsAt)?.startsAt.toString(),
          found.startsAt.toString(),
        );
        const next = occurrenceAt(repetition, found.endsAt);
        assert.ok(next && Temporal.Instant.compare(next.startsAt, found.endsAt) >= 0);
      }),
    );
  });
});

describe('Everything that repeats within a time', () => {
  it('is the same as each next occurrence that begins before its end', () => {
    const rule = fc.constantFrom(
      'FREQ=DAILY;INTERVAL=2',
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU',
      'FREQ=WEEKLY;BYDAY=MO,TH',
      'FREQ=MONTHLY;BYDAY=-1FR',
    );
    const hours = fc.integer({ min: -1_000, max: 10_000 });
    fc.assert(
      fc.property(
        rule,
        hours,
        fc.integer({ min: 1, max: 2_000 }),
        fc.boolean(),
        (text, after, long, ends) => {
          const until = ends ? Temporal.Instant.from('2026-09-01T00:00:00Z') : null;
          const repetition = window(text, { until });
          const from = repetition.first.startsAt.add({ hours: after });
          const to = from.add({ hours: long });
          const isBefore = ({ startsAt }: { startsAt: Temporal.Instant }) =>
            Temporal.Instant.compare(startsAt, to) < 0;
          const words = (found: ReturnType<typeof occurrencesFrom>) =>
            found.map(({ startsAt, endsAt }) => `${startsAt} ${endsAt}`);
          assert.deepEqual(
            words(occurrencesBetween(repetition, from, to)),
            words(occurrencesFrom(repetition, from, 60).filter(isBefore)),
          );
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('The rule of a window', () => {
  const problems = (text: string) => {
    const read = readRule(text, BERLIN);
    return 'problems' in read ? read.problems.map(({ message }) => message) : [];
  };

  it('may have UNTIL, a date of the zone or a time', () => {
    const until = (text: string) => {
      const read = readRule(text, BERLIN);
      return 'until' in read ? [read.recurrence, read.until?.toString()] : read.problems;
    };
    assert.deepEqual(until('RRULE:freq=weekly;byday=SU'), ['FREQ=WEEKLY;BYDAY=SU', undefined]);
    assert.deepEqual(until('FREQ=DAILY;UNTIL=20260704'), ['FREQ=DAILY', '2026-07-04T22:00:00Z']);
    assert.deepEqual(until('FREQ=DAILY;UNTIL=20260704T120000Z'), ['FREQ=DAILY', '2026-07-04T12:00:00Z']);
  });

  it('is refused with the fix', () => {
    assert.deepEqual(problems('FREQ=DAILY;COUNT=3'), [
      'has COUNT, which is not supported; give UNTIL instead',
    ]);
    assert.deepEqual(problems('FREQ=DAILY;BYHOUR=3'), [
      'has a time of day; leave it out, because every occurrence begins at the same time as the first',
    ]);
    assert.deepEqual(problems('FREQ=DAILY;UNTIL=soon'), [
      'has an UNTIL that is not a date; give a date such as 20271231, or a time such as 20271231T000000Z',
    ]);
    assert.equal(problems('FREQ=HOURLY').length, 1);
    assert.equal(problems('').length > 0, true);
  });
});
