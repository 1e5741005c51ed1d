import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ROWS, readCsv } from './csv.ts';
import { Unreadable } from './unreadable.ts';

const HEADER = 'email,start_time,end_time,name\n';

async function read(text: string) {
  const { rows, problems } = await readCsv(Buffer.from(text));
  return { rows, details: problems.details(), count: problems.count };
}

function reasonOf(text: string | Buffer): Promise<string> {
  return readCsv(Buffer.from(text)).then(
    () => assert.fail('the file was read'),
    (error) => {
      assert.ok(error instanceof Unreadable, String(error));
      return error.message;
    },
  );
}

test('a row names who is away, from when to when, and why', async () => {
  const { rows, count } = await read(
    `${HEADER}ada@example.com,2026-12-24T08:00:00+01:00,2026-12-27T08:00:00Z,Christmas\n`,
  );
  assert.equal(count, 0);
  assert.deepEqual(rows, [
    {
      row: 2,
      email: 'ada@example.com',
      name: 'Christmas',
      startsAt: '2026-12-24T07:00:00.000Z',
      endsAt: '2026-12-27T08:00:00.000Z',
    },
  ]);
});

test('columns may be in any order and case, with blanks around them and among others, and only two are required', async () => {
  const { rows, count } = await read(
    'Notes, START_TIME ,id,eMail\nx,2026-01-01T00:00:00Z,7,ada@example.com\n',
  );
  assert.equal(count, 0);
  assert.deepEqual(rows, [
    {
      row: 2,
      email: 'ada@example.com',
      name: '',
      startsAt: '2026-01-01T00:00:00.000Z',
      endsAt: '2026-01-02T00:00:00.000Z',
    },
  ]);
});

test('line ends of all systems may be mixed, and the last may be missing', async () => {
  const row = 'ada@example.com,2026-01-01T00:00:00Z,,';
  const { rows, count } = await read(
    `email,start_time,end_time,name\r\n${row}1\n${row}2\r${row}3\r\n${row}4`,
  );
  assert.equal(count, 0);
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['1', '2', '3', '4'],
  );
});

test('a byte order mark is not part of the first header, quoted or not', async () => {
  for (const header of ['email,start_time', '"email","start_time"']) {
    const { rows, count } = await read(`\uFEFF${header}\r\nada@example.com,2026-01-01T00:00:00Z\r\n`);
    assert.equal(count, 0);
    assert.equal(rows.length, 1);
  }
});

test('rows are counted as in a spreadsheet: blank lines count, lines within a cell do not', async () => {
  const bad = 'ada@example.com,tomorrow,,';
  const { details, rows } = await read(
    `${HEADER}\n${bad}\n,,,\nada@example.com,2026-01-01T00:00:00Z,,"two\nlines"\n${bad}\n`,
  );
  assert.deepEqual(
    details.map(({ row, field }) => ({ row, field })),
    [
      { row: 3, field: 'row 3, start_time' },
      { row: 6, field: 'row 6, start_time' },
    ],
  );
  assert.equal(rows[1]?.name, 'two\nlines');
});

test('empty cells at the end of a row may be left out, or be one too many', async () => {
  const { rows, count } = await read(
    [
      HEADER.trim(),
      'ada@example.com,2026-01-01T00:00:00Z',
      'ada@example.com,2026-01-01T00:00:00Z,2026-01-03T00:00:00Z',
      'ada@example.com,2026-01-01T00:00:00Z,,Away, ,',
    ].join('\n'),
  );
  assert.equal(count, 0);
  assert.deepEqual(
    rows.map(({ endsAt, name }) => [endsAt, name]),
    [
      ['2026-01-02T00:00:00.000Z', ''],
      ['2026-01-03T00:00:00.000Z', ''],
      ['2026-01-02T00:00:00.000Z', 'Away'],
    ],
  );
});

test('every problem is reported at once, row by row', async () => {
  const { rows, details } = await read(
    [
      HEADER.trim(),
      ' ,2026-01-01T00:00:00Z,,',
      'ada@example.com,2026-01-01,,',
      'ada@example.com,,,',
      'ada@example.com,2026-02-30T00:00:00Z,soon,',
      'ada@example.com,2026-01-02T00:00:00Z,2026-01-01T00:00:00Z,',
      'ada@example.com,2026-01-02T00:00:00Z,2026-01-02T01:00:00+01:00,',
      'ada@example.com,soon',
      'ada@example.com,2026-01-02T00:00:00Z,,Smith, Ada',
      `ada@example.com,2026-01-02T00:00:00Z,,${'x'.repeat(501)}`,
      'ada@example.com,2026-01-02T00:00:00Z,,\0',
      'ada@example.com,0000-06-01T00:00:00Z,9999-12-31T23:00:00-02:00,',
      'ada@example.com,9999-12-31T12:00:00Z,,',
    ].join('\n'),
  );
  assert.equal(rows.length, 12);
  const iso = 'give an ISO 8601 date and time such as 2026-11-20T09:00:00Z';
  assert.deepEqual(
    details.map(({ message }) => message),
    [
      'row 2, email is empty; give the email address of a user.',
      `row 3, start_time is "2026-01-01", a date without a time; ${iso}.`,
      `row 4, start_time is empty; ${iso}.`,
      `row 5, start_time is "2026-02-30T00:00:00Z"; ${iso}.`,
      `row 5, end_time is "soon"; ${iso}.`,
      'row 6, end_time is "2026-01-01T00:00:00Z", which is not after start_time; give a later time.',
      'row 7, end_time is "2026-01-02T01:00:00+01:00", which is not after start_time; give a later time.',
      'row 8 has 2 cells where the header has 4; give a cell for every column.',
      `row 8, start_time is "soon"; ${iso}.`,
      'row 9 has 5 cells where the header has 4; quote a cell that contains a comma.',
      'row 10, name has 501 characters; give at most 500.',
      'row 11, name has a NUL character; remove it.',
      'row 12, start_time is "0000-06-01T00:00:00Z"; give an ISO 8601 date and time such as 2026-11-20T09:00:00Z.',
      'row 12, end_time is "9999-12-31T23:00:00-02:00"; give an ISO 8601 date and time such as 2026-11-20T09:00:00Z.',
      'row 13, end_time is missing, and the default of one day after start_time is after the year 9999; give an end.',
    ],
  );
});

test('of a thousand problems, a hundred are described and the others counted', async () => {
  const { details, count } = await read(HEADER + 'ada@example.com,soon,,\n'.repeat(1_234));
  assert.equal(count, 1_234);
  assert.equal(details.length, 101);
  assert.deepEqual(details.at(-1), { field: 'file', message: 'file has 1,134 more problems.' });
});

test('a misplaced quote ends the reading at its row, and the rows before it are kept', async () => {
  const good = 'ada@example.com,2026-01-01T00:00:00Z,,fine\n';
  for (const [bad, message] of [
    ['"ada@example.com,2026-01-01T00:00:00Z', 'has a quoted cell that is never closed; end it with "'],
    ['a"d"a,x', 'has a quote in the middle of a cell; put the whole cell in quotes and double those inside'],
    ['"ada"x,y', 'has a quote in the middle of a cell; put the whole cell in quotes and double those inside'],
    [`"${'x'.repeat(300_000)}"`, 'is too long'],
    [','.repeat(600_000), 'is too long'],
  ] as const) {
    const { rows, details } = await read(`${HEADER}${good}\n${good}${bad}\n${good}`);
    assert.equal(rows.length, 2);
    assert.deepEqual(details, [
      { field: 'row 5', message: `row 5 ${message}; the rows after it were not read.`, row: 5 },
    ]);
  }
});

test('without acceptable headers nothing is read, and the reason names the fix', async () => {
  const reasons = {
    '': 'the file is empty',
    '\r\n\n , ,\n': 'the file is empty',
    'a,b\n1,2\n': 'the header row lacks email and start_time',
    'email,start,name\n': 'the header row lacks start_time',
    'email;start_time;end_time\n':
      'the header row lacks email and start_time; separate the columns by commas',
    'email,start_time,Email,start_time\n': 'the header row names email and start_time more than once',
    '"email,start_time\n': 'row 1 has a quoted cell that is never closed; end it with "',
  };
  for (const [text, reason] of Object.entries(reasons)) assert.equal(await reasonOf(text), reason);
  const notUtf8 = 'the file is not UTF-8 text; save it as "CSV UTF-8"';
  assert.equal(await reasonOf(Buffer.from(`${HEADER}J\u00f6rg`, 'latin1')), notUtf8);
  assert.equal(await reasonOf(Buffer.from(`\uFEFF${HEADER}`, 'utf16le')), notUtf8);
});

test('ignored columns may have the same name, or none', async () => {
  const { rows, count } = await read('email,start_time,,,x,x\nada@example.com,2026-01-01T00:00:00Z,,,,\n');
  assert.equal(count, 0);
  assert.equal(rows.length, 1);
});

test('a hundred thousand rows are read, one more is refused', async () => {
  const row = 'ada@example.com,2026-01-01T00:00:00Z,,\n';
  const most = await read(HEADER + row.repeat(MAX_ROWS));
  assert.equal(most.count, 0);
  assert.equal(most.rows.length, 100_000);
  const more = await read(HEADER + row.repeat(MAX_ROWS + 1));
  assert.deepEqual(more.details, [{ field: 'file', message: 'file has more than 100,000 rows; split it.' }]);
  assert.deepEqual(more.rows, []);
});
