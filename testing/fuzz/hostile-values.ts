import fc, { type Arbitrary } from 'fast-check';
import { CODE_POINT } from '../code-point.ts';
import { WEB_URL } from '../web-url.ts';
import type { Schema } from './described-api.ts';

/** Strings that are known to break programs. */
const KNOWN = [
  ...[
    '',
    ' ',
    '\t\r\n',
    '\0',
    'a\0b',
    '\ud800',
    'x\udc00',
    '\ufeff',
    '\u202etxt.exe',
    '\u2028',
    '👩‍👩‍👧‍👦',
    'İstanbul',
    'ﬀ',
    'a\u0301',
  ],
  ...[
    "' or 1=1 --",
    '"; drop table pages; --',
    '$1',
    '%s%n%x',
    '{{7*7}}',
    `\${7*7}`,
    '../../../../etc/passwd',
    '%00',
    '%2e%2e%2f',
  ],
  ...[
    'x\r\nset-cookie: a=b',
    '=cmd|" /C calc"!A0',
    '<img src=x onerror=alert(1)>',
    'javascript:alert(1)',
    '\\',
    '"',
    '`id`',
  ],
  ...[
    'null',
    'undefined',
    'true',
    'NaN',
    'Infinity',
    '-0',
    '1e999',
    '0x10',
    '1_000',
    '９',
    '٣',
    '9007199254740993',
    '-1',
    '00',
  ],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '[object Object]'],
  ...[
    '2026-13-45T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '-271821-04-20T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2016-12-31T23:59:60Z',
  ],
  ...[
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999999999Z',
    '2026-11-20',
    '2026-11-20T09:00:00[Europe/Berlin]',
    '2026-11-20T09:00:00+99:99',
  ],
  ...[
    'http://',
    'http://[::1',
    'http://a@b:c@d',
    'https://例え.jp/ä?ö#ü',
    `https://example.com/${'a'.repeat(2_100)}`,
    'data:text/html,x',
    'http://x y',
  ],
  ...['a'.repeat(201), 'b'.repeat(10_001), '😀'.repeat(5_000), '('.repeat(3_000), ' '.repeat(9_000)],
];

/** Any string, including lone surrogates and control characters. */
export const hostileText: Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...KNOWN) },
  { weight: 2, arbitrary: fc.string({ unit: CODE_POINT, maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 300 }) },
);

/** Any JSON value and more: numbers beyond every number type, names of built-in properties. */
export const hostileValue: Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      ...[null, true, false, 0, -1, 1.5, 1e308, -1e308, 2 ** 53, 2 ** 63, 5e-324],
      ...[
        [],
        {},
        [[]],
        [null],
        { length: -1 },
        { toString: 'x' },
        { valueOf: null },
        { $ref: '#' },
        { $ne: null },
      ],
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

const instant = fc.integer({ min: -200, max: 200 }).map((days) =>
  Temporal.Instant.from('2026-11-20T09:00:00Z')
    .add({ hours: 24 * days })
    .toString(),
);

/** A value that matches a schema. `known` are ids and names that exist in the service. */
export function fitting(schema: Schema, known: readonly string[] = []): Arbitrary<unknown> {
  const type = [schema.type].flat()[0];
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => fitting(one)));
  if (schema.properties) return fittingObject(schema);
  if (type === 'integer' || type === 'number')
    return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 100, 1_000_000) });
  if (type === 'boolean') return fc.boolean();
  if (type === 'array') return fc.array(fitting(schema.items ?? {}), { maxLength: 3 });
  if (type !== 'string') return hostileValue;
  if (schema.format === 'date-time') return instant;
  if (schema.format === 'uri') return WEB_URL;
  if (known.length > 0) return fc.constantFrom(...known);
  return fc.string({ minLength: schema.minLength ?? 1, maxLength: Math.min(schema.maxLength ?? 60, 60) });
}

function fittingObject({ properties = {}, required = [] }: Schema): Arbitrary<unknown> {
  const fields = Object.entries(properties).map(
    ([name, schema]) => [name, fitting(schema, RECIPIENTS[name])] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: required, noNullPrototype: true });
}

const RECIPIENTS: Record<string, readonly string[]> = { recipient: ['sre', 'SRE', 'ada@example.com'] };

/** The same with some fields replaced, removed or added. */
export function mutated(schema: Schema): Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {});
  const anyName = fc.oneof(
    fc.constantFrom(...(names.length > 0 ? names : ['x'])),
    fc.constantFrom('__proto__', 'constructor', 'organization_id', 'user_id', 'id', 'state', 'urgancy', ''),
    hostileText,
  );
  const changes = fc.array(fc.tuple(anyName, fc.oneof(hostileValue, fc.constant(undefined))), {
    minLength: 1,
    maxLength: 4,
  });
  return fc.tuple(fitting(schema), changes).map(([good, replaced]) => {
    if (typeof good !== 'object' || good === null) return good;
    return Object.fromEntries([...Object.entries(good), ...replaced]);
  });
}
