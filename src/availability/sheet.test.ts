import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readCsv } from './csv.ts';
import { delimiterOf, parseSheetTime, sheetOf } from './sheet.ts';

const BERLIN = sheetOf('Europe/Berlin', 'de');
const ENGLISH = sheetOf('UTC', 'en');

function read(text: string, sheet = BERLIN, edge: 'start' | 'end' = 'start'): string | null {
  return parseSheetTime(text, sheet, edge)?.toString() ?? null;
}

describe('a time as a spreadsheet writes it', () => {
  it('is a time of the zone', () => {
    assert.equal(read('24.12.2026 09:00'), '2026-12-24T08:00:00Z');
    assert.equal(read('24.12.26 9:05:30'), '2026-12-24T08:05:30Z');
    assert.equal(read('24/12/2026, 17:00'), '2026-12-24T16:00:00Z');
    assert.equal(read('2026/12/24 24:00'), '2026-12-24T23:00:00Z');
    assert.equal(read('1.7.2026 12:00 AM'), '2026-06-30T22:00:00Z');
    assert.equal(read('1.7.2026 12:30 p.m.'), '2026-07-01T10:30:00Z');
  });

  it('is a whole day without a time of day', () => {
    assert.equal(read('24.12.2026'), '2026-12-23T23:00:00Z');
    assert.equal(read('24.12.2026', BERLIN, 'end'), '2026-12-24T23:00:00Z');
    assert.equal(read('2026-12-24', BERLIN, 'end'), '2026-12-24T23:00:00Z');
    // The clocks are put back on this day.
    assert.equal(read('25.10.2026'), '2026-10-24T22:00:00Z');
    assert.equal(read('25.10.2026', BERLIN, 'end'), '2026-10-25T23:00:00Z');
  });

  it('has the day first, except in English, where it must be clear', () => {
    assert.equal(read('3/4/2026'), '2026-04-02T22:00:00Z');
    assert.equal(read('3.4.2026', ENGLISH), '2026-04-03T00:00:00Z');
    assert.equal(read('3/4/2026', ENGLISH), 'unclear');
    assert.equal(read('3/3/2026', ENGLISH), '2026-03-03T00:00:00Z');
    assert.equal(read('24/12/2026 9:00', ENGLISH), '2026-12-24T09:00:00Z');
    assert.equal(read('12/24/2026 9:00 PM', ENGLISH), '2026-12-24T21:00:00Z');
    // A file from another country can still be clear.
    assert.equal(read('12/24/2026'), '2026-12-23T23:00:00Z');
  });

  it('is nothing else', () => {
    for (const text of [
      ...['', 'x', '24.12', '31.2.2026', '24.13.2026', '24.12.2026 25:00', '24.12.2026 9', '24.12/2026'],
      ...[
        '24.12.2026 13:00 PM',
        '24.12.2026 24:01',
        '24.12.2026 09:60',
        '2026/12/2024',
        '123.12.2026',
        '1.1.026',
      ],
    ])
      assert.equal(read(text), null, text);
  });

  it('is read as it was written, in all languages', () => {
    const minute = fc
      .integer({ min: Date.UTC(1990, 0), max: Date.UTC(2090, 0) })
      .map((ms) => ms - (ms % 60_000));
    for (const [locale, language] of [
      ['de', 'de'],
      ['fr', 'fr'],
      ['es', 'es'],
      ['pt-BR', 'pt-BR'],
      ['ja', 'ja'],
    ] as const) {
      const sheet = sheetOf('UTC', language);
      const form = new Intl.DateTimeFormat(locale, {
        dateStyle: 'short',
        timeStyle: 'short',
        timeZone: 'UTC',
      });
      fc.assert(
        fc.property(minute, (at) => {
          const year = new Date(at).getUTCFullYear();
          const text = form.format(at);
          // Two digits are a year of this century.
          const isShort = !text.includes(String(year));
          fc.pre(!isShort || year >= 2000);
          assert.equal(read(text, sheet), Temporal.Instant.fromEpochMilliseconds(at).toString(), text);
        }),
      );
    }
  });
});

describe('a file of a spreadsheet', () => {
  it('may have semicolons or tabs', async () => {
    assert.equal(delimiterOf(Buffer.from('email,start_time\na;b;c')), ',');
    for (const one of [';', '\t']) {
      const file = Buffer.from(
        ['email', 'start_time', 'end_time', 'name'].join(one) +
          '\r\n' +
          ['ada@example.com', '24.12.2026', '26.12.2026', 'Urlaub, lang'].join(one),
      );
      assert.equal(delimiterOf(file), one);
      const { rows, problems } = await readCsv(file, undefined, BERLIN);
      assert.equal(problems.count, 0);
      assert.deepEqual(rows, [
        {
          ...{ row: 2, email: 'ada@example.com', name: 'Urlaub, lang' },
          ...{ startsAt: '2026-12-23T23:00:00.000Z', endsAt: '2026-12-26T23:00:00.000Z' },
        },
      ]);
    }
  });

  it('has absences of a day without an end, and lists what is unclear', async () => {
    const file = Buffer.from('email;start_time\na@example.com;25.10.2026\nb@example.com;24.12.2026 09:00');
    const { rows } = await readCsv(file, undefined, BERLIN);
    assert.deepEqual(
      rows.map(({ endsAt }) => endsAt),
      ['2026-10-25T23:00:00.000Z', '2026-12-25T08:00:00.000Z'],
    );
    const unclear = await readCsv(
      Buffer.from('email,start_time\na@example.com,3/4/2026'),
      undefined,
      ENGLISH,
    );
    assert.deepEqual(
      unclear.problems.details().map(({ message }) => message),
      [
        'row 2, start_time is "3/4/2026", in which the day and the month could be the other way round; begin with the year, as in 2026-12-24.',
      ],
    );
  });

  it('has 24 hours from a time in ISO 8601, in any zone', async () => {
    const file = Buffer.from('email,start_time\na@example.com,2026-12-24 09:00');
    for (const zone of ['America/New_York', 'Asia/Tokyo']) {
      const { rows } = await readCsv(file, undefined, sheetOf(zone, 'en'));
      assert.deepEqual(
        rows.map(({ startsAt, endsAt }) => [startsAt, endsAt]),
        [['2026-12-24T09:00:00.000Z', '2026-12-25T09:00:00.000Z']],
      );
    }
  });

  it('is refused from a program', async () => {
    await assert.rejects(
      readCsv(Buffer.from('email;start_time\na@example.com;24.12.2026')),
      /separate the columns by commas/,
    );
    const { problems } = await readCsv(Buffer.from('email,start_time\na@example.com,24.12.2026 09:00'));
    assert.equal(problems.count, 1);
  });
});
