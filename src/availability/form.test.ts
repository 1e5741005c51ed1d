import '../../testing/own-process.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Fault } from '../kit/fault.ts';
import { MAX_FILE_BYTES } from './body.ts';
import { readForm } from './form.ts';
import { Unreadable } from './unreadable.ts';

const MULTIPART = 'multipart/form-data; boundary=XX';
const URLENCODED = 'application/x-www-form-urlencoded';

function read(contentType: string, body: string | Buffer) {
  const { file, ...rest } = readForm(contentType, Buffer.from(body));
  return { file: file.toString(), ...rest };
}

function reasonOf(contentType: string, body: string | Buffer): string {
  try {
    readForm(contentType, Buffer.from(body));
  } catch (error) {
    assert.ok(error instanceof Unreadable, String(error));
    return error.message;
  }
  return assert.fail('the form was read');
}

type Part = { head: string[]; value: string };

function multipart(parts: readonly Part[], boundary = 'XX'): string {
  const written = parts.map(({ head, value }) => `--${boundary}\r\n${head.join('\r\n')}\r\n\r\n${value}\r\n`);
  return `${written.join('')}--${boundary}--\r\n`;
}

const file = (value: string, disposition = 'form-data; name="file"; filename="a.csv"'): Part => ({
  head: [`Content-Disposition: ${disposition}`, 'Content-Type: text/csv'],
  value,
});
const field = (name: string, value: string): Part => ({
  head: [`content-disposition: form-data; name=${name}`],
  value,
});

test('the file and the commit field are found anywhere in the form', () => {
  for (const parts of [
    [file('a,b\r\n'), field('commit', 'save')],
    [field('commit', ' save '), file('a,b\r\n')],
  ]) {
    assert.deepEqual(read(MULTIPART, multipart(parts)), { file: 'a,b\r\n', commit: 'save', warnings: [] });
  }
});

test('parts are fields regardless of their disposition, file name and type', () => {
  for (const disposition of [
    'attachment; name="file"; filename="a.csv"',
    'form-data; filename="x; name=\\"commit\\""; NAME=file',
    'form-data;name="f\\ile"',
    'form-data; filename*=UTF-8\'\'na%20me; name="file"',
  ]) {
    assert.equal(read(MULTIPART, multipart([file('1', disposition)])).file, '1', disposition);
  }
});

test('a multipart body is recognized by its boundary under any form type, or by its first line without one', () => {
  const body = multipart([file('a,b'), field('commit', 'save')]);
  const types = [
    'multipart/form-data; charset=utf-8; boundary="XX"',
    'application/x-www-form-urlencoded; boundary=XX',
    URLENCODED,
    'multipart/form-data',
  ];
  for (const type of types) assert.equal(read(type, body).file, 'a,b', type);
});

test('text before the first boundary and after the last is not part of the form', () => {
  const body = `preamble\r\n${multipart([file('a'), field('commit', 'save')])}epilogue\r\n--XX\r\n`;
  assert.deepEqual(read(MULTIPART, body), { file: 'a', commit: 'save', warnings: [] });
});

test('a file keeps all of its bytes, including dashes and line ends', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const body = Buffer.concat([
        Buffer.from('--XX\r\nContent-Disposition: form-data; name="file"\r\n\r\n'),
        bytes,
        Buffer.from('\r\n--XX--'),
      ]);
      assert.deepEqual(readForm(MULTIPART, body).file, Buffer.from(bytes));
    }),
  );
  const tricky = '\r\n--X\r\n--\r\n\r\n --XX\r\n\n--XX\n';
  assert.equal(read(MULTIPART, multipart([file(tricky)])).file, tricky);
});

test('a body that was cut short is refused, wherever it was cut', () => {
  const [wish, csv] = [field('commit', 'save'), file('email,start_time\r\na@example.com,2026\r\n')];
  for (const whole of [multipart([wish, csv]), multipart([csv, wish])]) {
    for (let length = 0; length < whole.length - 4; length++)
      assert.throws(() => readForm(MULTIPART, Buffer.from(whole.slice(0, length))), Unreadable);
  }
});

test('a urlencoded form is decoded byte by byte', () => {
  const text = 'email,start_time,name\r\nada@example.com,2026-01-01T00:00:00+01:00,"R&D = 100 % Jörg"\n';
  const body = new URLSearchParams({ commit: 'save', file: text }).toString();
  assert.deepEqual(read(URLENCODED, body), { file: text, commit: 'save', warnings: [] });
  assert.deepEqual(
    readForm(URLENCODED, Buffer.from('file=%ff%FE%zz%4')).file,
    Buffer.from('\xff\xfe%zz%4', 'latin1'),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      assert.equal(read(URLENCODED, new URLSearchParams([['file', value]]).toString()).file, value);
    }),
  );
});

test('unencoded CSV text is refused before it is split', () => {
  const reason = 'the CSV text is not URL-encoded; with curl use --data-urlencode file@absences.csv';
  assert.equal(
    reasonOf(URLENCODED, 'file=email,start_time,name\na@example.com,2026,R&D\nb@example.com,2026,x'),
    reason,
  );
  assert.equal(reasonOf(URLENCODED, 'email,start_time\na@example.com,2026\n'), reason);
});

test('without exactly one file, the reason names what was found instead', () => {
  const none = 'the form has no field named "file"';
  assert.equal(reasonOf(URLENCODED, ''), `${none}; send the CSV in it`);
  assert.equal(reasonOf(URLENCODED, 'commit=save&csv=1'), `${none}, only "commit", "csv"`);
  assert.equal(reasonOf(MULTIPART, multipart([field('csv', '1')])), `${none}, only "csv"`);
  const twice = 'the form has several fields named "file"; send one file';
  assert.equal(reasonOf(MULTIPART, multipart([file('1'), file('2')])), twice);
  assert.equal(reasonOf(URLENCODED, 'file=1&file=2'), twice);
});

test('a multipart body without its boundary is refused with that reason', () => {
  assert.match(reasonOf('multipart/form-data', 'hello'), /has no boundary/);
  assert.match(reasonOf(MULTIPART, 'hello'), /does not contain the boundary/);
  assert.match(reasonOf(MULTIPART, multipart([file('1')], 'XXY')), /has text after the boundary/);
});

test('unknown fields are named, with the nearest known one', () => {
  const { warnings } = read(URLENCODED, 'file=1&comit=save&notify=yes');
  assert.deepEqual(warnings, [
    '"comit" is not a field of this request and was ignored; did you mean commit?',
    '"notify" is not a field of this request and was ignored; known fields are file, commit',
  ]);
});

test('a file over 10 MiB is refused, however small the rest', () => {
  const most = Buffer.alloc(MAX_FILE_BYTES, 'x').toString();
  assert.equal(readForm(URLENCODED, Buffer.from(`file=${most}`)).file.length, MAX_FILE_BYTES);
  for (const [type, body] of [
    [URLENCODED, `file=${most}x`],
    [MULTIPART, multipart([file(`${most}x`)])],
  ] as const) {
    assert.throws(
      () => readForm(type, Buffer.from(body)),
      (error) => error instanceof Fault && error.status === 413,
    );
  }
});

test('a million parts, fields, false boundaries or parameters are refused or read at once', () => {
  const million = 1_000_000;
  const bombs: [string, string][] = [
    [
      MULTIPART,
      multipart([field('a', '1')])
        .slice(0, -6)
        .repeat(200_000),
    ],
    [MULTIPART, '--XX\r\n'.repeat(million)],
    [MULTIPART, '\r\n--XXX'.repeat(million)],
    [MULTIPART, `--XX\r\n${'a: b\r\n'.repeat(million)}\r\n\r\n--XX--`],
    [MULTIPART, `--XX${' '.repeat(10 * million)}`],
    [`multipart/form-data${';x="\\"'.repeat(2_000)}`, '--XX\r\n'],
    [`${URLENCODED}; boundary=${'-'.repeat(10_000)}`, '-'.repeat(10 * million)],
    [URLENCODED, 'a&'.repeat(million)],
    [URLENCODED, '&'.repeat(10 * million)],
    [URLENCODED, '='.repeat(10 * million)],
  ];
  for (const [type, body] of bombs) {
    const bytes = Buffer.from(body);
    const before = process.threadCpuUsage();
    assert.throws(() => readForm(type, bytes), Unreadable);
    // Processor time does not include other work on the machine.
    const { user, system } = process.threadCpuUsage(before);
    assert.ok(user + system < 2_000_000, `${type.slice(0, 40)} ${body.slice(0, 20)}`);
  }
});

test('any bytes under any form type are read or refused, and cause no other error', () => {
  const pieces = fc.constantFrom(
    '--XX',
    '--XX--',
    '\r\n',
    '\n',
    'Content-Disposition: form-data; name="file"',
    'content-disposition: attachment; name=commit; "',
    ': ',
    '=',
    '&',
    'file',
    '%4',
    '\0',
    'é',
  );
  const body = fc.array(fc.oneof({ weight: 5, arbitrary: pieces }, fc.string()), { maxLength: 30 });
  const type = fc.constantFrom(MULTIPART, URLENCODED, `${URLENCODED}; boundary=XX`, 'multipart/form-data');
  fc.assert(
    fc.property(type, body, (contentType, texts) => {
      try {
        readForm(contentType, Buffer.from(texts.join('')));
      } catch (error) {
        assert.ok(error instanceof Unreadable, String(error));
      }
    }),
    { numRuns: 3_000 },
  );
});
