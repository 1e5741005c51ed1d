import { deflateSync, gzipSync } from 'node:zlib';
import fc, { type Arbitrary } from 'fast-check';
import type { Operation, Parameter } from './described-api.ts';
import { fitting, hostileText, hostileValue, mutated } from './hostile-values.ts';

export type FuzzRequest = {
  operation: Operation;
  method: string;
  /** Path and query as they are sent. */
  url: string;
  headers: Record<string, string>;
  body: Buffer | null;
};

/** Ids and keys that exist, so that some requests get past the first checks. */
export type KnownThings = {
  /** By the name of a path parameter. */
  ids: Record<string, readonly string[]>;
  keys: { good: string; limited: string; foreign: string };
};

export function requestTo(operation: Operation, known: KnownThings): Arbitrary<FuzzRequest> {
  return fc
    .record({
      method: mostly(
        operation.method,
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
      ),
      url: urlOf(operation, known),
      headers: headersOf(known, operation),
      body: bodyOf(operation),
    })
    .map(({ method, url, headers, body }) => {
      const send = method === 'HEAD' ? null : body;
      return { operation, method, url, headers: send ? headers : withoutType(headers), body: send };
    });
}

/** Usually the valid value; otherwise no request would get past the first check. */
function mostly<T>(right: T, other: Arbitrary<T>, weight = 19): Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: other });
}

function urlOf({ path, parameters }: Operation, { ids }: KnownThings): Arbitrary<string> {
  const places = parameters.filter((parameter) => parameter.in === 'path');
  const filled = fc.tuple(...places.map((parameter) => placeOf(parameter, ids)));
  const query = fc.array(fc.oneof(queryOf(parameters), strayQuery), { maxLength: 4 });
  const tail = fc.oneof({ weight: 12, arbitrary: fc.constant('') }, fc.constantFrom('/', '%', '%00', ';x=1'));
  return fc.tuple(filled, query, tail).map(([values, pairs, end]) => {
    const place = places.reduce(
      (all, { name }, index) => all.replace(`{${name}}`, values[index] ?? ''),
      path,
    );
    const search = pairs.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('&');
    return place + end + (search && `?${search}`);
  });
}

function placeOf({ name, schema }: Parameter, ids: KnownThings['ids']): Arbitrary<string> {
  const good = ids[name] ?? (schema.enum as string[] | undefined) ?? [];
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...(good.length > 0 ? good : ['x'])) },
    { weight: 1, arbitrary: hostileText.map((text) => escaped(text) || 'x') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('%', '%zz', '%c0%af', '%ff', '%00', 'a'.repeat(400), '*', ':id'),
    },
  );
}

function queryOf(parameters: readonly Parameter[]): Arbitrary<[string, string]> {
  const here = parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name, schema }) =>
      schema.properties
        ? Object.entries(schema.properties).map(([field, one]) => ({
            name: `${name}[${field}]`,
            schema: one,
          }))
        : [{ name, schema }],
    );
  if (here.length === 0) return strayQuery;
  return fc.oneof(
    ...here.map(({ name, schema }) =>
      fc.tuple(
        fc.constant(name === 'wait' ? 'wait' : name),
        // Only short or invalid waits, because the service really waits that long.
        name === 'wait'
          ? fc.constantFrom('0', '0.01', '-1', '31', '1e-1', 'x', '')
          : fc.oneof(fitting(schema).map(String), hostileText),
      ),
    ),
  );
}

const strayQuery: Arbitrary<[string, string]> = fc.tuple(
  fc.oneof(
    fc.constantFrom(
      '__proto__[x]',
      'constructor[prototype][x]',
      'time_range',
      'time_range[start][x]',
      'page[]',
      'commit',
    ),
    hostileText,
  ),
  fc.oneof(hostileText, fc.constant('save')),
);

function escaped(text: string): string {
  return encodeURIComponent(text.slice(0, 300).toWellFormed());
}

function headersOf({ keys }: KnownThings, operation: Operation): Arbitrary<Record<string, string>> {
  const types = Object.keys(operation.bodies);
  const authorization = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(`Bearer ${keys.good}`, `Token token="${keys.good}"`) },
    fc.constantFrom('', 'Bearer', `Basic ${btoa('a:b')}`, `Bearer ${'x'.repeat(3_000)}`, 'Token token="'),
    fc.constantFrom(
      `Bearer ${keys.limited}`,
      `Bearer ${keys.foreign}`,
      `Bearer ${keys.good.slice(0, -1)}`,
      'none',
    ),
  );
  const contentType = mostly(types[0] ?? 'application/json', fc.constantFrom(...ODD_TYPES, ...types), 6);
  const others = fc.dictionary(
    fc.constantFrom(...ODD_HEADERS),
    fc.oneof(fc.constantFrom(...ODD_VALUES), fc.string({ maxLength: 50 })),
    { maxKeys: 2, noNullPrototype: true },
  );
  return fc.tuple(authorization, contentType, others).map(([credential, type, odd]) => ({
    ...odd,
    ...(credential === 'none' ? {} : { authorization: credential }),
    'content-type': type,
  }));
}

const ODD_TYPES = [
  ...[
    'application/json; charset=utf-16',
    'application/json;',
    'APPLICATION/JSON',
    'application/vnd.api+json',
    'text/plain',
    '',
  ],
  ...[
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'application/xml',
    '*/*',
    'a',
  ],
];
const ODD_HEADERS = [
  ...[
    'idempotency-key',
    'accept',
    'content-encoding',
    'x-http-method-override',
    'x-forwarded-for',
    'x-forwarded-proto',
  ],
  ...[
    'host',
    'origin',
    'cookie',
    'range',
    'if-none-match',
    'accept-encoding',
    'x-request-id',
    'webhook-signature',
    'content-length-x',
  ],
];
const ODD_VALUES = [
  ...[
    '',
    'gzip',
    'br',
    'identity',
    'DELETE',
    '*',
    '127.0.0.1',
    'a'.repeat(256),
    'a'.repeat(4_000),
    'tocsin=x; tocsin=y',
  ],
  ...['one', 'two', 'bytes=0-1', 'null', 'evil.example', '__Host-tocsin=;;;=', 'v1,AAAA'],
];

function withoutType({ 'content-type': _, ...headers }: Record<string, string>): Record<string, string> {
  return headers;
}

function bodyOf(operation: Operation): Arbitrary<Buffer | null> {
  const schema = operation.bodies['application/json'];
  if (operation.method === 'GET')
    return fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, text(strayQueryBody));
  if (operation.elsewhere || !schema) return uploads;
  return fc.oneof(
    { weight: 4, arbitrary: text(fitting(schema)) },
    { weight: 6, arbitrary: text(mutated(schema)) },
    { weight: 2, arbitrary: text(hostileValue) },
    { weight: 2, arbitrary: brokenJson },
  );
}

const strayQueryBody = fc.dictionary(
  fc.constantFrom('page', 'per_page', 'name_eq', 'time_range', 'time_range[start]', 'start', '__proto__'),
  hostileValue,
  { noNullPrototype: true },
);

function text(value: Arbitrary<unknown>): Arbitrary<Buffer> {
  return value.map((one) => Buffer.from(JSON.stringify(one) ?? ''));
}

/** Broken JSON, and valid JSON that few parsers expect. */
const brokenJson: Arbitrary<Buffer> = fc.oneof(
  fc
    .constantFrom(
      ...[
        '{',
        '}',
        '[',
        '{"a":}',
        "{'a':1}",
        '{"a":1,}',
        '{"a":1}{"b":2}',
        '/* */{}',
        'NaN',
        '{"a":NaN}',
        '{"a":1e400}',
      ],
      ...[
        '{"title":"a","title":"b","recipient":"sre","text":"c"}',
        '{"__proto__":{"admin":true}}',
        '{"a":{"__proto__":null}}',
      ],
      ...[
        '{"constructor":{"prototype":{"admin":true}}}',
        '{"a":01}',
        '{"a":"\\u12"}',
        '{"a":"\\ud800"}',
        '"\\',
        '\ufeff{}',
      ],
      ...[
        `${'['.repeat(50)}${']'.repeat(50)}`,
        '['.repeat(100_000),
        '{"a":'.repeat(20_000),
        `{"a":${'9'.repeat(50_000)}}`,
      ],
      `{${Array.from({ length: 5_000 }, (_, index) => `"k${index}":${index}`).join(',')}}`,
    )
    .map((raw) => Buffer.from(raw)),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  hostileValue.map((value) => gzipSync(JSON.stringify(value) ?? '')),
  hostileValue.map((value) => deflateSync(JSON.stringify(value) ?? '')),
  hostileValue.map((value) => Buffer.from(JSON.stringify(value) ?? '', 'utf16le')),
);

const cell = fc.oneof(
  hostileText,
  fc.constantFrom('ada@example.com', '2026-12-01T00:00:00Z', '2026-12-02T00:00:00Z'),
);

/** Multipart forms with tables, valid and broken. The boundary matches the content type `…; boundary=x`. */
const uploads: Arbitrary<Buffer> = fc
  .tuple(
    fc.constantFrom(
      'email,start_time',
      'Email,START_TIME,end_time,name',
      'email',
      '',
      '"email","start_time"',
      'a,b',
    ),
    fc.array(fc.array(cell, { maxLength: 5 }), { maxLength: 5 }),
    fc.constantFrom('\n', '\r\n', '\r'),
    fc.constantFrom('multipart', 'urlencoded', 'raw', 'unfinished'),
  )
  .map(([header, rows, newLine, form]) => {
    const csv = [header, ...rows.map((row) => row.map(quoted).join(','))].join(newLine);
    const part = `--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${csv}\r\n`;
    if (form === 'multipart') return Buffer.from(`${part}--x--\r\n`);
    if (form === 'unfinished') return Buffer.from(part);
    return Buffer.from(form === 'raw' ? csv : new URLSearchParams({ file: csv }).toString());
  });

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
