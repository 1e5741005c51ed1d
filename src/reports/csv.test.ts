import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { CODE_POINT } from '../../testing/code-point.ts';
import { csvText } from './csv.ts';

describe('tables for spreadsheets', () => {
  it('are read back unchanged, except for texts that look like a formula', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.string({ unit: CODE_POINT }), fc.double({ noNaN: true, noDefaultInfinity: true })),
        ),
        (rows) => {
          const text = csvText(['text', 'number'], rows);
          const [header, ...read] = parse(text, { record_delimiter: '\r\n' }) as string[][];
          assert.deepEqual(header, ['text', 'number']);
          assert.deepEqual(
            read,
            rows.map(([words, number]) => [
              /^[=+\-@\t\r\n＝＋－＠]/.test(words) ? `'${words}` : words,
              String(number),
            ]),
          );
        },
      ),
    );
  });

  it('run nothing, and leave numbers alone', () => {
    const rows = [
      ['=HYPERLINK("http://evil")', -1.5],
      ['@SUM(A1)', null],
      // Some read the wide forms as well.
      ['＝1+1', 1],
      ['a, "b"\nc', 0],
      ['a;=1+1', 0],
      ['a\tb', 0],
    ] as const;
    assert.equal(
      csvText(['a', 'b'], rows),
      `a,b\r\n"'=HYPERLINK(""http://evil"")",-1.5\r\n'@SUM(A1),\r\n'＝1+1,1\r\n"a, ""b""\nc",0\r\n"a;=1+1",0\r\n"a\tb",0\r\n`,
    );
  });
});
