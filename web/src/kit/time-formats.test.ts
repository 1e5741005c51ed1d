import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import {
  clockTime,
  dateOf,
  exactTime,
  hourOfDay,
  inClock,
  longTime,
  shortRange,
  shortTime,
  timeOfDay,
  zoneName,
} from './time.ts';
import { localeOf, preferTimes } from './time-formats.ts';
import { viewerZone, zoneOf } from './zones.ts';

/** Just after midnight in Berlin, still the day before in London. */
const AT = '2026-11-22T23:05:02.114Z';
const NOW = new Date('2026-11-22T22:00:00Z');

/** Languages separate the hours from `am` by different spaces. */
const plain = (text: string) => text.replace(/\s/g, ' ').toLowerCase();

describe("times in a person's format", () => {
  afterEach(() => preferTimes(null));

  it('are in the zone of the person, day names included', () => {
    preferTimes({ zone: 'Europe/Berlin', clock: '24' });
    assert.equal(shortTime(AT, NOW), 'tomorrow 00:05');
    assert.equal(dateOf(AT), '2026-11-23');
    assert.equal(zoneName(), 'Berlin');
    preferTimes({ zone: 'Europe/London', clock: '24' });
    assert.equal(shortTime(AT, NOW), 'today 23:05');
    assert.equal(dateOf(AT), '2026-11-22');
    assert.equal(viewerZone().name, 'Europe/London');
    assert.equal(exactTime(AT), '23:05:02.114');
  });

  it('never show 24:00, and follow a clock of 12 hours everywhere', () => {
    preferTimes({ zone: 'Europe/Berlin', clock: '24' });
    assert.equal(clockTime('2026-11-22T23:00:00Z'), '00:00');
    preferTimes({ zone: 'Europe/Berlin', clock: '12' });
    assert.equal(plain(clockTime('2026-11-22T23:00:00Z')), '12:00 am');
    assert.equal(plain(clockTime('2026-11-22T14:07:00Z')), '3:07 pm');
    assert.equal(plain(zoneOf('UTC').clock(Date.parse(AT))), '11:05 pm');
    assert.match(plain(longTime(new Date(AT))), /^monday.*, 12:05 am$/);
    assert.equal(plain(shortRange('2026-11-22T22:10:00Z', AT, NOW)), 'today 11:10 pm – tomorrow 12:05 am');
  });

  it('follow a clock of 12 hours in texts of the service, and in hours of no zone', () => {
    const text = 'Monday to Friday 09:00–24:00, hand-off 10:05 (UTC+05:30), 12:30:15';
    preferTimes({ zone: 'Asia/Tokyo', clock: '24' });
    assert.equal(inClock(text), text);
    assert.deepEqual([timeOfDay('24:00'), hourOfDay(7)], ['24:00', '07']);
    preferTimes({ zone: 'Asia/Tokyo', clock: '12' });
    assert.equal(
      plain(inClock(text)),
      'monday to friday 9:00 am–12:00 am, hand-off 10:05 am (utc+05:30), 12:30:15',
    );
    assert.deepEqual([plain(timeOfDay('22:00')), plain(hourOfDay(15))], ['10:00 pm', '3 pm']);
  });

  it('keep the date where it matters', () => {
    preferTimes({ zone: 'UTC', clock: '24' });
    assert.match(shortTime('2026-11-25T09:00:00Z', NOW), /^\w{3} 09:00$/);
    assert.match(shortTime('2027-01-25T09:00:00Z', NOW), /2027 09:00$/);
    assert.match(shortTime('2026-11-21T09:00:00Z', NOW), /21.* 09:00$/);
  });

  it('are in English, in the order of the viewer', () => {
    assert.equal(localeOf(['de-DE', 'en-US']), 'en-US');
    assert.equal(localeOf(['de-DE']), 'en-GB');
    assert.equal(localeOf(['en']), 'en');
  });
});
