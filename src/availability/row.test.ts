import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseInstant } from '../kit/instant.ts';
import { type Cells, readRow } from './row.ts';

function read(cells: Partial<Cells>) {
  const problems: string[] = [];
  const all = { email: 'ada@example.com', start_time: '', end_time: '', name: '', ...cells };
  const row = readRow(2, all, (column, message) => problems.push(`${column} ${message}`));
  return { ...row, problems };
}

/** Every accepted spelling of a time, with its meaning in milliseconds. */
const written = fc
  .record({
    ms: fc.integer({ min: Date.parse('0001-02-01T00:00:00Z'), max: Date.parse('9999-11-30T00:00:00Z') }),
    offsetMinutes: fc.integer({ min: -14 * 60, max: 14 * 60 }),
    separator: fc.constantFrom('T', ' ', 't'),
    finer: fc.constantFrom('', '0', '999', '999999'),
    zone: fc.constantFrom('offset', 'Z', 'none'),
  })
  .map(({ ms, offsetMinutes, separator, finer, zone }) => {
    const shift = zone === 'offset' ? offsetMinutes : 0;
    const local = new Date(ms + shift * 60_000).toISOString().slice(0, -1).replace('T', separator);
    return { ms, text: `${local}${finer}${zone === 'offset' ? offset(shift) : zone === 'Z' ? 'Z' : ''}` };
  });

function offset(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}

test('a time means the same in any offset, and is returned in UTC to the millisecond', () => {
  fc.assert(
    fc.property(written, ({ ms, text }) => {
      const { startsAt, problems } = read({ start_time: text });
      assert.deepEqual(problems, []);
      assert.equal(startsAt, new Date(ms).toISOString());
    }),
    { numRuns: 2_000 },
  );
});

test('a range is accepted exactly when its end is later than its start', () => {
  fc.assert(
    fc.property(
      written,
      fc.oneof(written, fc.integer({ min: -3, max: 3 })),
      fc.boolean(),
      (start, other, trim) => {
        const end =
          typeof other === 'number'
            ? { ms: start.ms + other, text: new Date(start.ms + other).toISOString() }
            : other;
        const { startsAt, endsAt, problems } = read({
          start_time: trim ? start.text : ` ${start.text} `,
          end_time: end.text,
        });
        assert.equal(problems.length === 0, end.ms > start.ms);
        if (problems.length === 0) assert.ok(String(endsAt) > String(startsAt));
      },
    ),
    { numRuns: 2_000 },
  );
});

test('without an end, an absence lasts 24 hours, even if the clocks change that night', () => {
  assert.equal(read({ start_time: '2026-10-24T22:00:00Z' }).endsAt, '2026-10-25T22:00:00.000Z');
  fc.assert(
    fc.property(written, ({ ms, text }) => {
      assert.equal(read({ start_time: text }).endsAt, new Date(ms + 86_400_000).toISOString());
    }),
  );
});

test('anything that is not a date and time is refused, without an exception', () => {
  const refused = [
    '2026-01-01',
    '20260101000000',
    '2026-1-1T00:00:00Z',
    '2026-01-01T25:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-01-01T00:00:00 Europe/Berlin',
    '2026-01-01T00:00:00[Europe/Berlin]',
    '01/02/2026 10:00',
    '2026-01-01T00:00:00 01:00',
    '1767225600',
    'now',
  ];
  for (const text of refused) {
    const { startsAt, problems } = read({ start_time: text });
    assert.equal(startsAt, null, text);
    assert.match(
      String(problems[0]),
      /^start_time is ".*; give an ISO 8601 date and time such as 2026-11-20T09:00:00Z$/,
    );
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
      const { startsAt, problems } = read({ start_time: text });
      assert.equal(startsAt === null, problems.length > 0);
      if (parseInstant(text) === null) assert.equal(startsAt, null);
    }),
  );
});

test('a name is stored unchanged, including blanks and formulas, up to 500 characters of any script', () => {
  for (const name of [
    '  two blanks ',
    '=HYPERLINK("http://x")',
    "'; drop table users; --",
    '🏖'.repeat(500),
  ]) {
    const row = read({ start_time: '2026-01-01T00:00:00Z', name });
    assert.deepEqual(row.problems, []);
    assert.equal(row.name, name);
  }
  const { problems } = read({ start_time: '2026-01-01T00:00:00Z', name: '🏖'.repeat(501) });
  assert.deepEqual(problems, ['name has 501 characters; give at most 500']);
});

test('the quoted part of a bad cell is short and on one line', () => {
  const { problems } = read({ start_time: `a\nb${'x'.repeat(10_000)}` });
  assert.ok(String(problems[0]).length < 200);
  assert.doesNotMatch(String(problems[0]), /\n/);
});
