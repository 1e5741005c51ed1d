import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createReadCalendar } from './reading.ts';

const read = createReadCalendar();

function calendar(...lines: string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');
}

function event(...lines: string[]): string {
  return ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');
}

async function times(
  text: string,
  { from = '2026-11-01', to = '2027-03-01', timeZone = 'Europe/Berlin', most = 100 } = {},
) {
  const at = (day: string) => Temporal.Instant.from(`${day}T00:00:00Z`).epochMilliseconds;
  const answer = await read({ text, from: at(from), to: at(to), timeZone, most });
  if ('error' in answer) return answer;
  const iso = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();
  return {
    ...answer,
    occurrences: answer.occurrences.map((one) => `${one.title} ${iso(one.from)}/${iso(one.to)}`),
  };
}

async function list(text: string, options = {}): Promise<string[]> {
  const answer = await times(text, options);
  assert.ok(!('error' in answer), JSON.stringify(answer));
  return answer.occurrences;
}

describe('reading a calendar', () => {
  it('knows the time zones of Windows, which not every calendar defines', async () => {
    const text = calendar(
      event('UID:1', 'SUMMARY:west', 'DTSTART;TZID=Pacific Standard Time:20261120T080000', 'DURATION:PT1H'),
      event(
        'UID:2',
        'SUMMARY:quoted',
        'DTSTART;TZID="W. Europe Standard Time":20261120T080000',
        'DURATION:PT1H',
      ),
    );
    assert.deepEqual(await list(text, { timeZone: 'Asia/Tokyo' }), [
      'quoted 2026-11-20T07:00:00Z/2026-11-20T08:00:00Z',
      'west 2026-11-20T16:00:00Z/2026-11-20T17:00:00Z',
    ]);
  });

  it('reads times in UTC, in a named zone, in a zone defined in the file, and without a zone', async () => {
    const zone = [
      ...['BEGIN:VTIMEZONE', 'TZID:Our Standard Time', 'BEGIN:STANDARD', 'DTSTART:16010101T000000'],
      ...['TZOFFSETFROM:+0530', 'TZOFFSETTO:+0530', 'END:STANDARD', 'END:VTIMEZONE'],
    ];
    const text = calendar(
      ...zone,
      event('UID:1', 'SUMMARY:utc', 'DTSTART:20261120T080000Z', 'DTEND:20261120T090000Z'),
      event('UID:2', 'SUMMARY:named', 'DTSTART;TZID=America/New_York:20261120T080000', 'DURATION:PT1H'),
      event('UID:3', 'SUMMARY:own', 'DTSTART;TZID=Our Standard Time:20261121T080000', 'DURATION:PT30M'),
      event('UID:4', 'SUMMARY:floating', 'DTSTART:20261122T080000', 'DTEND:20261122T090000'),
      event(
        'UID:5',
        'SUMMARY:unknown',
        'DTSTART;TZID=Nowhere:20261123T080000',
        'DTEND;TZID=Nowhere:20261123T090000',
      ),
      event('UID:6', 'SUMMARY:no length', 'DTSTART:20261124T080000Z'),
    );
    assert.deepEqual(await list(text), [
      'utc 2026-11-20T08:00:00Z/2026-11-20T09:00:00Z',
      'named 2026-11-20T13:00:00Z/2026-11-20T14:00:00Z',
      'own 2026-11-21T02:30:00Z/2026-11-21T03:00:00Z',
      'floating 2026-11-22T07:00:00Z/2026-11-22T08:00:00Z',
      'unknown 2026-11-23T07:00:00Z/2026-11-23T08:00:00Z',
    ]);
  });

  it("reads days in the person's zone, including days of 23 hours", async () => {
    const text = calendar(
      event('UID:1', 'SUMMARY:one', 'DTSTART;VALUE=DATE:20261224'),
      event('UID:2', 'SUMMARY:three', 'DTSTART;VALUE=DATE:20270327', 'DTEND;VALUE=DATE:20270330'),
    );
    assert.deepEqual(await list(text, { to: '2027-05-01' }), [
      'one 2026-12-23T23:00:00Z/2026-12-24T23:00:00Z',
      'three 2027-03-26T23:00:00Z/2027-03-29T22:00:00Z',
    ]);
    const [first] = await list(text, { timeZone: 'Pacific/Auckland' });
    assert.equal(first, 'one 2026-12-23T11:00:00Z/2026-12-24T11:00:00Z');
  });

  it('follows rules at their local time, without removed times and with moved ones', async () => {
    const text = calendar(
      event(
        ...['UID:1', 'SUMMARY:yoga', 'DTSTART;TZID=Europe/Berlin:20261020T180000', 'DURATION:PT1H'],
        ...['RRULE:FREQ=WEEKLY;COUNT=6', 'EXDATE:20261103T170000Z'],
      ),
      event(
        ...['UID:1', 'SUMMARY:yoga moved', 'RECURRENCE-ID;TZID=Europe/Berlin:20261110T180000'],
        ...['DTSTART;TZID=Europe/Berlin:20261111T190000', 'DURATION:PT1H'],
      ),
      event(
        'UID:1',
        'SUMMARY:x',
        'RECURRENCE-ID:20261117T170000Z',
        'DTSTART:20261117T170000Z',
        'STATUS:CANCELLED',
        'DURATION:PT1H',
      ),
    );
    assert.deepEqual(await list(text, { from: '2026-10-01' }), [
      'yoga 2026-10-20T16:00:00Z/2026-10-20T17:00:00Z',
      'yoga 2026-10-27T17:00:00Z/2026-10-27T18:00:00Z',
      'yoga moved 2026-11-11T18:00:00Z/2026-11-11T19:00:00Z',
      'yoga 2026-11-24T17:00:00Z/2026-11-24T18:00:00Z',
    ]);
  });

  it('keeps the key of a moved event, and distinguishes single times of a series', async () => {
    const at = (start: string) =>
      read({
        text: calendar(
          event('UID:a@b', 'SUMMARY:x', `DTSTART:${start}`, 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=2'),
        ),
        ...{ from: 0, to: Date.UTC(2030, 0), timeZone: 'UTC', most: 10 },
      });
    const answer = await at('20261120T080000Z');
    assert.ok(!('error' in answer));
    assert.deepEqual(
      answer.occurrences.map(({ key }) => key),
      ['a@b 2026-11-20T08:00:00.000Z', 'a@b 2026-11-21T08:00:00.000Z'],
    );
  });

  it('reads other events if one is invalid, and several calendars in one file', async () => {
    const good = event('UID:1', 'SUMMARY:good', 'DTSTART:20261120T080000Z', 'DURATION:PT1H');
    const answer = await times(
      calendar(
        good,
        event('UID:2', 'SUMMARY:no start'),
        event('UID:3', 'DTSTART:20261340T990000Z', 'RRULE:FREQ=MOON'),
      ),
    );
    assert.ok(!('error' in answer));
    assert.equal(answer.occurrences.length, 1);
    assert.ok(answer.skipped >= 1);
    assert.equal(
      (
        await list(
          calendar(good) +
            calendar(event('UID:9', 'SUMMARY:other', 'DTSTART:20261121T080000Z', 'DURATION:PT1H')),
        )
      ).length,
      2,
    );
  });

  it('ends, whatever the rule', async () => {
    const quick = createReadCalendar(1_500);
    const ask = (rule: string) =>
      quick({
        text: calendar(
          event('UID:1', 'SUMMARY:x', 'DTSTART:19700101T000000Z', 'DURATION:PT1S', `RRULE:${rule}`),
        ),
        ...{ from: Date.UTC(2026, 0), to: Date.UTC(2027, 0), timeZone: 'UTC', most: 100 },
      });
    for (const rule of [
      'FREQ=SECONDLY',
      'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31',
      'FREQ=YEARLY;INTERVAL=999999999;BYMONTHDAY=31;BYMONTH=2',
      'FREQ=MINUTELY;BYSECOND=61',
      'FREQ=DAILY;COUNT=99999999999',
    ]) {
      const answer = await ask(rule);
      assert.ok('error' in answer || answer.occurrences.length <= 366, rule);
    }
  });

  it('gives the reason why a file is not a calendar', async () => {
    for (const text of [
      '',
      '<html></html>',
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n',
      'BEGIN:VCALENDAR\r\nnonsense\r\nEND:VCALENDAR',
      'BEGIN:VCARD\r\nFN:BEGIN:VCALENDAR\r\nEND:VCARD',
    ])
      assert.match(JSON.stringify(await times(text)), /not an? (readable )?iCalendar file/, text);
  });

  it('returns the earliest of too many', async () => {
    const text = calendar(
      event('UID:1', 'SUMMARY:x', 'DTSTART:20261120T080000Z', 'DURATION:PT1H', 'RRULE:FREQ=HOURLY'),
    );
    const answer = await times(text, { most: 3 });
    assert.ok(!('error' in answer));
    assert.deepEqual([answer.occurrences.length, answer.truncated], [3, true]);
  });

  it('ends a repetition at its UNTIL in the zone of the event, also without a definition of that zone', async () => {
    const days = async (start: string, until: string, more: string[] = []) => {
      const text = calendar(
        ...more,
        event('UID:1', 'SUMMARY:off', `DTSTART${start}`, 'DURATION:PT8H', `RRULE:FREQ=DAILY;UNTIL=${until}`),
      );
      return (await list(text)).map((one) => one.slice(4, 20));
    };
    // The last time begins at UNTIL itself, which belongs to the repetition.
    const tokyo = ['2026-11-02T00:00', '2026-11-03T00:00', '2026-11-04T00:00'];
    assert.deepEqual(await days(';TZID=Asia/Tokyo:20261102T090000', '20261104T000000Z'), tokyo);
    const zone = [
      ...['BEGIN:VTIMEZONE', 'TZID:Asia/Tokyo', 'BEGIN:STANDARD', 'DTSTART:19700101T000000'],
      ...['TZOFFSETFROM:+0900', 'TZOFFSETTO:+0900', 'END:STANDARD', 'END:VTIMEZONE'],
    ];
    assert.deepEqual(await days(';TZID=Asia/Tokyo:20261102T090000', '20261104T000000Z', zone), tokyo);
    // The last second of a day in Los Angeles.
    assert.deepEqual(await days(';TZID=America/Los_Angeles:20261102T060000', '20261104T075959Z'), [
      '2026-11-02T14:00',
      '2026-11-03T14:00',
    ]);
    assert.deepEqual(await days(':20261102T090000', '20261103T080000Z', ['X-WR-TIMEZONE:Europe/Berlin']), [
      '2026-11-02T08:00',
      '2026-11-03T08:00',
    ]);
    // A date includes that day, as older calendar programs mean it.
    assert.deepEqual(await days(';TZID=Asia/Tokyo:20261102T090000', '20261104'), tokyo);
    assert.deepEqual(await days(':20261102T000000Z', '20261104'), tokyo);
  });

  it('changes an occurrence and all later ones, until the next such change', async () => {
    const berlin = (name: string, value: string) => `${name};TZID=Europe/Berlin:${value}`;
    const shift = (name: string) => `RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:${name}`;
    const text = calendar(
      event(
        ...['UID:1', 'SUMMARY:off', berlin('DTSTART', '20261008T090000'), 'DURATION:PT4H'],
        'RRULE:FREQ=WEEKLY;COUNT=7',
      ),
      event(
        ...['UID:1', 'SUMMARY:off later', shift('20261022T090000')],
        ...[berlin('DTSTART', '20261023T130000'), berlin('DTEND', '20261023T150000')],
      ),
      event(
        ...['UID:1', 'SUMMARY:once', berlin('RECURRENCE-ID', '20261105T090000')],
        ...[berlin('DTSTART', '20261105T090000'), 'DURATION:PT1H'],
      ),
      event(
        ...['UID:1', 'SUMMARY:over', shift('20261119T090000'), berlin('DTSTART', '20261119T090000')],
        ...['DURATION:PT4H', 'STATUS:CANCELLED'],
      ),
    );
    assert.deepEqual(await list(text, { from: '2026-10-01' }), [
      'off 2026-10-08T07:00:00Z/2026-10-08T11:00:00Z',
      'off 2026-10-15T07:00:00Z/2026-10-15T11:00:00Z',
      'off later 2026-10-23T11:00:00Z/2026-10-23T13:00:00Z',
      // Summer time has ended.
      'off later 2026-10-30T12:00:00Z/2026-10-30T14:00:00Z',
      'once 2026-11-05T08:00:00Z/2026-11-05T09:00:00Z',
      'off later 2026-11-13T12:00:00Z/2026-11-13T14:00:00Z',
    ]);
  });

  it('changes later occurrences of whole days, and those that move to before the end of the question', async () => {
    const text = calendar(
      event('UID:1', 'SUMMARY:day', 'DTSTART;VALUE=DATE:20261103', 'RRULE:FREQ=WEEKLY;COUNT=4'),
      event(
        ...['UID:1', 'SUMMARY:days', 'RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20261110'],
        ...['DTSTART;VALUE=DATE:20261107', 'DTEND;VALUE=DATE:20261109'],
      ),
    );
    assert.deepEqual(await list(text, { to: '2026-11-22', timeZone: 'UTC' }), [
      'day 2026-11-03T00:00:00Z/2026-11-04T00:00:00Z',
      'days 2026-11-07T00:00:00Z/2026-11-09T00:00:00Z',
      'days 2026-11-14T00:00:00Z/2026-11-16T00:00:00Z',
      'days 2026-11-21T00:00:00Z/2026-11-23T00:00:00Z',
    ]);
  });
});
