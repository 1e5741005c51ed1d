import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';
import { CODE_POINT } from '../../testing/code-point.ts';
import { shapeOf } from './shape.ts';
import { distance, FORMATS, findingsToDetails, unknownFieldWarnings } from './validation.ts';

/** The messages about a value: `field message` of every problem. */
function problems(schema: TSchema, value: unknown): string[] {
  return findingsToDetails(shapeOf(schema).findings(value), 'body').map(
    ({ field, message }) => `${field} ${message}`,
  );
}

const field = (schema: TSchema, value: unknown) => problems(Type.Object({ it: schema }), { it: value })[0];

describe('a problem in words', () => {
  it('shows a short value of the wrong type, and what type it is', () => {
    const page = Type.Integer({ minimum: 1 });
    assert.equal(field(page, 'x'), 'it is "x", a string; give a whole number from 1');
    assert.equal(field(page, true), 'it is true, a boolean; give a whole number from 1');
    assert.equal(field(page, 1.5), 'it is 1.5, a number; give a whole number from 1');
    assert.equal(field(page, 'x'.repeat(39)), 'it is a string; give a whole number from 1');
    assert.equal(
      field(Type.String({ maxLength: 9 }), 7),
      'it is 7, a number; give a text of at most 9 characters',
    );
    assert.equal(field(Type.String(), null), 'it is null; give a text');
    assert.equal(field(Type.String(), ['a']), 'it is an array; give a text');
    assert.equal(field(Type.Array(Type.String()), { a: 1 }), 'it is an object; give a JSON array');
    assert.equal(field(Type.Boolean(), 'yes'), 'it is "yes", a string; give true or false');
    assert.equal(field(Type.Object({}), 'a\nb'), 'it is "a\\nb", a string; give a JSON object');
  });

  it('states the value that is out of bounds, and the bounds', () => {
    const share = Type.Number({ minimum: 0, maximum: 1 });
    assert.equal(field(share, 2), 'it is 2, out of range; give a number from 0 to 1');
    const title = Type.String({ minLength: 3, maxLength: 2_000 });
    assert.equal(field(title, ''), 'it is empty; give a text of 3 to 2,000 characters');
    assert.equal(field(title, 'ab'), 'it is shorter than 3 characters; give a text of 3 to 2,000 characters');
    assert.equal(
      field(title, '🔥'.repeat(2_001)),
      'it has 2,001 characters, which is too long; give a text of 3 to 2,000 characters',
    );
  });

  it('names the choices, and what may be null', () => {
    const said = 'it is "loud", which is not among the allowed values; give one of low, high';
    assert.equal(field(Type.Enum(['low', 'high']), 'loud'), said);
    const optional = Type.Union([Type.String({ maxLength: 3 }), Type.Null()]);
    assert.equal(field(optional, 7), 'it is 7, a number; give a text of at most 3 characters');
    assert.equal(field(optional, null), undefined);
  });

  it('distinguishes missing, empty, blank and invalid times', () => {
    const range = Type.Object({
      start: Type.String({ format: 'instant' }),
      text: Type.String({ format: 'text' }),
    });
    const hint = 'give an ISO 8601 date and time such as 2026-11-20T09:00:00Z';
    assert.deepEqual(problems(Type.Object({ range }), { range: {} }), [
      `range.start is missing; ${hint}`,
      'range.text is missing; give a text',
    ]);
    assert.deepEqual(problems(range, { start: 'soon', text: ' \t' }), [
      `start is "soon"; ${hint}`,
      'text is blank; give a text',
    ]);
    assert.deepEqual(problems(range, { start: '', text: 'a\0' }), [
      `start is empty; ${hint}`,
      'text has a NUL character (U+0000); give a text',
    ]);
  });

  it('names every field once, also within lists and odd names', () => {
    const row = Type.Object({ 'a/b~c': Type.Integer() });
    assert.deepEqual(
      problems(Type.Object({ rows: Type.Array(row) }), { rows: [{ 'a/b~c': 1 }, { 'a/b~c': 'x' }, {}] }),
      [
        'rows[1].a/b~c is "x", a string; give a whole number',
        'rows[2].a/b~c is missing; give a whole number',
      ],
    );
    assert.deepEqual(problems(Type.Object({}), 'x'), ['body is "x", a string; give a JSON object']);
  });

  it('stays short and on one line, whatever was sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: CODE_POINT, maxLength: 500 }), (text) => {
        for (const schema of [Type.Integer(), Type.String({ format: 'instant' }), Type.Enum(['a', 'b'])]) {
          const said = field(schema, text) ?? '';
          assert.ok(said.length < 250 && !/[\n\r]/.test(said), said);
        }
      }),
    );
  });
});

describe('formats', () => {
  it('accept http URLs without characters that would break their context', () => {
    const isUrl = (text: string) => FORMATS['http-url']?.(text);
    for (const good of ['https://example.com/a?b=c#d', 'HTTP://LOCALHOST:8080', 'https://例え.jp/é'])
      assert.equal(isUrl(good), true, good);
    for (const bad of [
      '',
      'example.com',
      'ftp://a',
      'javascript:alert(1)',
      'https://',
      ' https://a',
      'http://a b/',
    ])
      assert.equal(isUrl(bad), false, bad);
    for (const bad of [
      'http://a/\0',
      'http://a/\n',
      'http://a/\r\nBcc: x',
      'http://a/\u007f',
      'http://a/\u0085',
    ])
      assert.equal(isUrl(bad), false, JSON.stringify(bad));
    const long = `https://example.com/${'x'.repeat(2_048 - 20)}`;
    assert.deepEqual([isUrl(long), isUrl(`${long}x`)], [true, false]);
  });

  it('accept IANA time zones and non-blank texts', () => {
    const formats = (name: string, texts: string[]) => texts.map((text) => FORMATS[name]?.(text));
    assert.deepEqual(formats('time-zone', ['Europe/Berlin', 'UTC', 'Mars/Base', '', '+05:30', '-08']), [
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    assert.deepEqual(formats('day', ['2026-12-24', '2026-02-29', '24.12.2026', '']), [
      true,
      false,
      false,
      false,
    ]);
    assert.deepEqual(formats('text', ['a', ' a ', '', ' \n', 'a\0']), [true, true, false, false, false]);
    const invisible = ['\u200b', '\u2060\u00ad', '\u200d\ufeff'];
    assert.deepEqual(formats('text', [...invisible, '👩\u200d👩']), [false, false, false, true]);
    assert.deepEqual(formats('optional-text', ['', ' ', 'a\0']), [true, true, false]);
  });
});

describe('unknown fields', () => {
  it('are named, with the nearest known one', () => {
    const known = ['title', 'text', 'urgency'];
    assert.deepEqual(unknownFieldWarnings({ title: 1, urgancy: 2, colour: 3 }, known), [
      '"urgancy" is not a field of this request and was ignored; did you mean urgency?',
      '"colour" is not a field of this request and was ignored; known fields are title, text, urgency',
    ]);
    assert.deepEqual(unknownFieldWarnings({ TITLE: 1 }, known), [
      '"TITLE" is not a field of this request and was ignored; did you mean title?',
    ]);
    for (const odd of [null, [], 'x', 7, undefined]) assert.deepEqual(unknownFieldWarnings(odd, known), []);
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`${index}${'y'.repeat(500)}`, 1]),
    );
    const warnings = unknownFieldWarnings(many, known);
    assert.equal(warnings.length, 21);
    const rest = String(warnings.pop());
    assert.ok(warnings.every((warning) => warning.length < 250));
    assert.equal(rest.match(/"\d+y+"/g)?.length, 480);
    assert.ok(rest.length < JSON.stringify(many).length);
  });

  it('are near if few letters differ', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        assert.equal(distance(a, a), 0);
        assert.equal(distance(a, b), distance(b, a));
        assert.equal(distance(a, b) === 0, a === b);
        const [ab, bc, ac] = [distance(a, b), distance(b, c), distance(a, c)];
        if (ab + bc < 3) assert.ok(ac <= ab + bc, 'no detour is shorter');
      }),
    );
    assert.deepEqual(
      [distance('urgancy', 'urgency'), distance('text', 'txet'), distance('a', 'abcd')],
      [1, 2, 99],
    );
  });
});
