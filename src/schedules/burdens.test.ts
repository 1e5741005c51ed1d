import assert from 'node:assert/strict';
import { it } from 'node:test';
import { burdensIn } from './burdens.ts';

const burdens = burdensIn({ timeZone: 'Europe/Berlin', holidays: new Set(['2026-12-25']) });
/** Local times of Berlin. */
const at = (text: string) =>
  Temporal.PlainDateTime.from(text).toZonedDateTime('Europe/Berlin').epochMilliseconds;
const of = (from: string, to: string) => [...burdens({ from: at(from), to: at(to) })];

it('shifts count as nights, weekends and holidays by local time', () => {
  assert.deepEqual(of('2026-11-18T09:00', '2026-11-19T09:00'), []);
  assert.deepEqual(of('2026-11-18T21:00', '2026-11-19T05:00'), ['night']);
  assert.deepEqual(of('2026-11-18T00:00', '2026-11-18T06:00'), ['night']);
  assert.deepEqual(of('2026-11-20T09:00', '2026-11-21T09:00'), [], 'Friday to Saturday morning');
  assert.deepEqual(of('2026-11-21T09:00', '2026-11-22T09:00'), ['weekend']);
  assert.deepEqual(of('2026-11-16T09:00', '2026-11-23T09:00'), ['weekend'], 'a whole week holds one');
  assert.deepEqual(of('2026-12-25T09:00', '2026-12-26T09:00'), ['holiday']);
  assert.deepEqual(of('2026-12-21T09:00', '2026-12-28T09:00'), ['weekend', 'holiday']);
});

it('the night in which the clocks go back is an hour longer', () => {
  assert.deepEqual(of('2026-10-24T22:00', '2026-10-25T06:00'), ['night', 'weekend']);
});
