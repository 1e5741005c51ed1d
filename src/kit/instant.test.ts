import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { instantText, parseInstant } from './instant.ts';

const read = (text: string) => parseInstant(text)?.toString() ?? null;
const DAY_NS = 86_400_000_000_000n;
const ns = (text: string) => Temporal.Instant.from(text).epochNanoseconds;

/** The local text of an instant at an offset of whole minutes, with the given `-`, `:` and `T`. */
const written = fc
  .record({
    ns: fc.bigInt({ min: ns('0001-01-02T00:00:00Z'), max: ns('9999-12-30T00:00:00Z') }),
    minutes: fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 }),
    digits: fc.integer({ min: 0, max: 9 }),
    separator: fc.constantFrom('T', 't', ' '),
    comma: fc.boolean(),
    basic: fc.boolean(),
    zone: fc.constantFrom('offset', 'bare', 'Z', 'z', ''),
    blank: fc.constantFrom('', ' ', '\n'),
  })
  .map(({ ns, minutes, digits, separator, comma, basic, zone, blank }) => {
    const grain = 10n ** BigInt(9 - digits);
    const at = new Temporal.Instant(ns - (((ns % grain) + grain) % grain));
    const shift = zone === 'offset' || zone === 'bare' ? minutes : 0;
    const local = new Temporal.Instant(at.epochNanoseconds + BigInt(shift) * 60_000_000_000n);
    let text = local
      .toString({ fractionalSecondDigits: digits as 0 })
      .replace('Z', '')
      .replace('T', separator);
    if (basic) text = text.replaceAll('-', '').replaceAll(':', '');
    if (comma) text = text.replace('.', ',');
    return { at, text: `${blank}${text}${offset(zone, shift)}${blank}` };
  });

function offset(zone: string, minutes: number): string {
  if (zone !== 'offset' && zone !== 'bare') return zone;
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(hours)}${zone === 'bare' ? '' : ':'}${two(rest)}`;
}

/** Texts that look like times, most of them with an error. */
const lookalike = fc
  .tuple(
    fc.constantFrom('2026', '2024', '0000', '0001', '9999', '10000', '-2026', '+002026'),
    ...[14, 33].map((max) => fc.integer({ min: 0, max })),
    fc.constantFrom('T', 't', ' ', '', '_'),
    ...[25, 61, 62].map((max) => fc.integer({ min: 0, max })),
    fc.constantFrom('', '.5', ',25', '.', '.1234567890', '.123456789'),
    fc.constantFrom('', 'Z', 'z', '+01:00', '-0130', '+14', '+24:00', '+01:60', '[UTC]', ' UTC', 'Z+01:00'),
  )
  .map(([year, month, day, t, h, m, s, fraction, zone]) => {
    const two = (value: unknown) => String(value).padStart(2, '0');
    return `${year}-${two(month)}-${two(day)}${t}${two(h)}:${two(m)}:${two(s)}${fraction}${zone}`;
  });

function temporal(text: string): bigint | null {
  try {
    return Temporal.Instant.from(text).epochNanoseconds;
  } catch {
    return null;
  }
}

describe('reading a time', () => {
  it('returns the instant again, however it was written', () => {
    fc.assert(
      fc.property(written, ({ at, text }) => assert.equal(read(text), at.toString(), text)),
      { numRuns: 5_000 },
    );
  });

  it('reads exactly the texts that Temporal reads', () => {
    let good = 0;
    fc.assert(
      fc.property(fc.oneof(lookalike, fc.string()), (text) => {
        const at = parseInstant(text);
        if (!at) return;
        good++;
        const zoned = /(z|[+-]\d\d(:?\d\d)?)$/i.test(text.slice(10)) ? text : `${text}Z`;
        const endsDay = /[t ]24:/i.test(zoned);
        const expected = temporal(zoned.replace(/([t ])24:/i, '$100:'));
        assert.equal(at.epochNanoseconds, endsDay && expected !== null ? expected + DAY_NS : expected, text);
      }),
      { numRuns: 20_000 },
    );
    assert.ok(good > 100, `only ${good} of them were times`);
  });

  it('reads a time without an offset as UTC', () => {
    assert.equal(read('2026-11-20T09:00:00'), '2026-11-20T09:00:00Z');
    assert.equal(read('2026-11-20 09:00'), '2026-11-20T09:00:00Z');
    assert.equal(read('2026-11-20T09+01'), '2026-11-20T08:00:00Z');
  });

  it('reads the format of calendars', () => {
    assert.equal(read('20261120T090000Z'), '2026-11-20T09:00:00Z');
    assert.equal(read('20261120T0900+0100'), '2026-11-20T08:00:00Z');
  });

  it('refuses years that cannot be written, after the offset was applied', () => {
    assert.equal(read('0001-01-01T00:00:00Z'), '0001-01-01T00:00:00Z');
    assert.equal(read('0001-01-01T00:59:59+01:00'), null);
    assert.equal(read('0000-12-31T23:00:00-01:00'), '0001-01-01T00:00:00Z');
    assert.equal(read('0000-01-01T00:00:00Z'), null);
    assert.equal(read('9999-12-31T23:59:59.999Z'), '9999-12-31T23:59:59.999Z');
    assert.equal(read('9999-12-31T23:30:00-00:30'), null);
    assert.equal(read('9999-12-31T23:59:59.9999999Z'), null, 'the database rounds it to the year 10000');
  });

  it('reads a leap second as the second before it, and nothing else as a leap second', () => {
    assert.equal(read('2016-12-31T23:59:60Z'), '2016-12-31T23:59:59Z');
    assert.equal(read('2017-01-01T05:29:60.250+05:30'), '2016-12-31T23:59:59.25Z');
    assert.equal(read('2016-12-31T23:58:60Z'), null);
    assert.equal(read('2016-12-31T23:59:60+01:00'), null);
    assert.equal(read('2016-12-31T23:59:61Z'), null);
  });

  it('reads 24:00 as the end of that day, and nothing later', () => {
    for (const text of ['24:00:00Z', '24:00Z', '24:00', '24:00:00', '24:00:00.000Z', '24Z', '24:00:00,0'])
      assert.equal(read(`2026-11-20T${text}`), '2026-11-21T00:00:00Z', text);
    assert.equal(read('20261120T240000Z'), '2026-11-21T00:00:00Z');
    assert.equal(read('2026-12-31 24:00:00+01:00'), '2026-12-31T23:00:00Z');
    assert.equal(read('2028-02-28T24:00Z'), '2028-02-29T00:00:00Z');
    assert.equal(read('9999-12-31T24:00:00+00:01'), '9999-12-31T23:59:00Z');
    for (const text of ['24:00:00.001Z', '24:00:00.000000001', '24:00:01Z', '24:01Z', '24:30', '24:00:60Z'])
      assert.equal(read(`2026-11-20T${text}`), null, text);
    assert.equal(read('2026-02-29T24:00Z'), null);
    assert.equal(read('9999-12-31T24:00:00Z'), null, 'it would be in the year 10000');
  });

  it('refuses everything else', () => {
    for (const text of [
      ...['', ' ', 'now', '1763629200', '2026-11-20', '20261120', '20261120090000', 'T09:00:00Z', '09:00'],
      ...['2026-11-20T25:00Z', '2026-11-20T25:00:00Z', '2026-11-20T09:60Z'],
      ...[
        '2026-02-29T00:00Z',
        '2026-13-01T00:00Z',
        '2026-00-10T00:00Z',
        '2026-324T09:00Z',
        '2026-W47-5T09:00Z',
      ],
      ...['2026-11-20T09:00:00.1234567890Z', '2026-11-20T09:00:00.Z', '2026-11-20T09:00.5Z'],
      ...[
        '2026-11-20T09:00:00 Z',
        '2026-11-20T09:00:00 01:00',
        '2026-11-20T09:00:00+1',
        '2026-11-20T09:00:00+01:00:00',
      ],
      ...[
        '2026-11-20T09:00:00+24:00',
        '2026-11-20T09:00:00−01:00',
        '2026-11-20T09:00Z[UTC]',
        '+002026-11-20T09:00Z',
      ],
      ...['2026/11/20T09:00Z', '2026-11-20T09:00:00Z\u0000', '２０２６-11-20T09:00Z', '2026-11-20TT09:00Z'],
    ])
      assert.equal(read(text), null, JSON.stringify(text));
  });
});

describe('writing a time', () => {
  it('is in UTC with milliseconds, and is read back to the millisecond', () => {
    assert.equal(
      instantText(Temporal.Instant.from('2026-11-20T09:00:00.1239+01:00')),
      '2026-11-20T08:00:00.123Z',
    );
    fc.assert(
      fc.property(written, ({ at }) => {
        assert.match(instantText(at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        assert.equal(parseInstant(instantText(at))?.epochMilliseconds, at.epochMilliseconds);
      }),
    );
  });
});
