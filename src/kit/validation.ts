import { locale, t, tIn } from '../language/contract.ts';
import type { Detail } from './fault.ts';
import { parseInstant } from './instant.ts';
import { oneLine } from './one-line.ts';

/** Excludes U+0000, which PostgreSQL cannot store, and text without a visible character. */
const TEXT =
  '^[^\\u0000]*[^\\u0000-\\u0020\\u007f-\\u00a0\\u00ad\\u061c\\u1680\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\ufeff][^\\u0000]*$';
const OPTIONAL_TEXT = '^[^\\u0000]*$';
const textPattern = new RegExp(TEXT);
const optionalTextPattern = new RegExp(OPTIONAL_TEXT);

/** The custom string formats of our schemas, for the validator of every listener. */
export const FORMATS: Record<string, (value: string) => boolean> = {
  instant: (value) => parseInstant(value) !== null,
  'http-url': isHttpUrl,
  'time-zone': isNamedZone,
  day: isDay,
  text: (value) => textPattern.test(value),
  'optional-text': (value) => optionalTextPattern.test(value),
};

/** The same formats in standard JSON Schema, for the API description. */
export const PUBLISHED_FORMATS: Record<string, Record<string, unknown>> = {
  instant: { format: 'date-time' },
  day: { format: 'date' },
  'http-url': { format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://', maxLength: 2_048 },
  text: { pattern: TEXT },
  'optional-text': { pattern: OPTIONAL_TEXT },
};

/** Normalizes a value to one line where its schema has `ONE_LINE`. */
export const KEYWORDS = [
  {
    keyword: 'x-one-line',
    type: 'string' as const,
    modifying: true,
    errors: false,
    validate(
      _: unknown,
      value: string,
      __: unknown,
      at?: { parentData: unknown; parentDataProperty: unknown },
    ) {
      const parent = at?.parentData as Record<string, unknown> | undefined;
      if (parent) parent[String(at?.parentDataProperty)] = oneLine(value);
      return true;
    },
  },
];

/** The description of this format, for `{problem}; give {expected}`; null for another format. */
function formatHint(format: string): string | null {
  switch (format) {
    case 'instant':
      return tIn('what a field takes', 'an ISO 8601 date and time such as 2026-11-20T09:00:00Z');
    case 'http-url':
      return tIn(
        'what a field takes',
        'an http or https URL of at most 2,048 characters, such as https://example.com/alerts/7',
      );
    case 'time-zone':
      return tIn('what a field takes', 'an IANA time zone such as Europe/Berlin');
    case 'day':
      return tIn('what a field takes', 'a date such as 2026-12-24');
    default:
      return null;
  }
}

function isDay(text: string): boolean {
  try {
    return /^\d{4}-\d\d-\d\d$/.test(text) && Temporal.PlainDate.from(text).toString() === text;
  } catch {
    return false;
  }
}

/** The fields of a validator error that we read. */
export type Finding = {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
  parentSchema?: Record<string, unknown> | undefined;
  data?: unknown;
};

/** Converts validator errors into details: the field, the problem, and what would be accepted. */
export function findingsToDetails(findings: readonly Finding[], root: string): Detail[] {
  const details = new Map<string, Detail>();
  for (const finding of findings) {
    const detail = findingToDetail(finding, root);
    // One error per field is enough: `anyOf` reports one for each branch.
    if (!details.has(detail.field)) details.set(detail.field, detail);
  }
  return [...details.values()];
}

/** The problems of settings below the field `root`. Unlike in a body, unknown settings are problems. */
export function settingFindings(findings: readonly Finding[], root: string): Detail[] {
  const below = (field: string) => [root, field].filter(Boolean).join('.');
  return findingsToDetails(findings, '').map(({ field, message }) => ({ field: below(field), message }));
}

function unknownSetting({ instancePath, params, parentSchema }: Finding): Detail {
  const name = String(params.additionalProperty);
  const known = Object.keys((parentSchema?.properties as object | undefined) ?? {});
  const near = known.find((candidate) => distance(name.toLowerCase(), candidate) <= 2);
  return {
    field: [fieldPath(instancePath), name.slice(0, 100)].filter(Boolean).join('.'),
    message: near
      ? t('is not a setting; did you mean {near}?', { near })
      : t('is not a setting; use one of {known}', { known: known.join(', ') }),
  };
}

function findingToDetail(finding: Finding, root: string): Detail {
  if (finding.keyword === 'additionalProperties') return unknownSetting(finding);
  const path = fieldPath(finding.instancePath);
  if (finding.keyword === 'required') {
    const name = String(finding.params.missingProperty);
    const schema = propertySchema(finding.parentSchema, name);
    return {
      field: path ? `${path}.${name}` : name,
      message: t('is missing; give {expected}', { expected: expected(schema) }),
    };
  }
  return {
    field: path || root,
    message: t('{problem}; give {expected}', {
      problem: problem(finding),
      expected: expected(finding.parentSchema),
    }),
  };
}

/** `/time_range/start` → `time_range.start`, `/rows/3` → `rows[3]`. */
function fieldPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), '');
}

function propertySchema(
  schema: Record<string, unknown> | undefined,
  name: string,
): Record<string, unknown> | undefined {
  return (schema?.properties as Record<string, Record<string, unknown>> | undefined)?.[name];
}

function problem(finding: Finding): string {
  const { data, params } = finding;
  switch (finding.keyword) {
    case 'type':
      return t('is {value}', { value: typed(data) });
    case 'minLength':
      return data === ''
        ? t('is empty')
        : t('is shorter than {least} characters', { least: Number(params.limit) });
    case 'maxLength':
      return t('has {count} characters, which is too long', {
        count: [...String(data)].length.toLocaleString(locale()),
      });
    case 'minimum':
    case 'maximum':
      return t('is {value}, out of range', { value: String(data) });
    case 'minItems':
      return Array.isArray(data) && data.length === 0 ? t('is empty') : t('has too few entries');
    case 'minProperties':
      return Object.keys(Object(data)).length === 0 ? t('is empty') : t('has too few fields');
    case 'maxItems':
      return t('has more than {most} entries', { most: Number(params.limit) });
    case 'enum':
      return t('is {value}, which is not among the allowed values', { value: shown(data) });
    case 'format':
      if (typeof data === 'string' && data.includes('\0')) return t('has a NUL character (U+0000)');
      if (data === '') return t('is empty');
      return typeof data === 'string' && !textPattern.test(data)
        ? t('is blank')
        : t('is {value}', { value: shown(data) });
    default:
      return t('is {value}, which is not accepted', { value: shown(data) });
  }
}

function typeName(data: unknown): string {
  if (data === null) return 'null';
  if (Array.isArray(data)) return t('an array');
  switch (typeof data) {
    case 'object':
      return t('an object');
    case 'string':
      return t('a string');
    case 'number':
      return t('a number');
    case 'boolean':
      return t('a boolean');
    default:
      return t('a {type}', { type: typeof data });
  }
}

/** The type of a value, with the value itself if it is short, so that the sender recognizes it. */
function typed(data: unknown): string {
  if (data === null || typeof data === 'object') return typeName(data);
  const text = JSON.stringify(data);
  return text.length > 40 ? typeName(data) : `${text}, ${typeName(data)}`;
}

/** A value quoted in an error: short, and on one line. */
function shown(data: unknown): string {
  const text = typeof data === 'string' ? JSON.stringify(data) : typeName(data);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

/** Describes what a schema accepts. */
function expected(schema: Record<string, unknown> | undefined): string {
  if (!schema) return tIn('what a field takes', 'another value');
  if (Array.isArray(schema.enum))
    return tIn('what a field takes', 'one of {values}', { values: schema.enum.join(', ') });
  const format = schema.format;
  if (typeof format === 'string' && format !== 'text' && format !== 'optional-text')
    return formatHint(format) ?? described(schema) ?? format;
  if (schema.type === 'string') return expectedText(schema);
  if (schema.type === 'integer' || schema.type === 'number') return expectedNumber(schema);
  if (schema.type === 'object')
    return (schema.minProperties ? described(schema) : null) ?? tIn('what a field takes', 'a JSON object');
  if (schema.type === 'array') return described(schema) ?? tIn('what a field takes', 'a JSON array');
  if (schema.type === 'boolean') return tIn('what a field takes', 'true or false');
  return (
    described(schema) ?? tIn('what a field takes', 'a value of type {type}', { type: String(schema.type) })
  );
}

/** The first sentence of a description, within a sentence. The API description is English. */
function described({ description }: Record<string, unknown>): string | null {
  if (description === undefined || locale() !== 'en') return null;
  const [first = ''] = String(description).split(/\.(?:\s|$)/);
  return first.charAt(0).toLowerCase() + first.slice(1);
}

function expectedText(schema: Record<string, unknown>): string {
  const [example] = Array.isArray(schema.examples) ? schema.examples : [];
  if (schema.pattern !== undefined && example !== undefined)
    return tIn('what a field takes', 'a value such as {example}', { example: String(example) });
  const min = Number(schema.minLength ?? 0);
  const max = schema.maxLength;
  if (max === undefined) return tIn('what a field takes', 'a text');
  const most = Number(max).toLocaleString(locale());
  return min > 0
    ? tIn('what a field takes', 'a text of {least} to {most} characters', { least: min, most })
    : tIn('what a field takes', 'a text of at most {most} characters', { most });
}

function expectedNumber(schema: Record<string, unknown>): string {
  const { minimum, maximum } = schema;
  const values = { least: Number(minimum), most: Number(maximum) };
  if (minimum !== undefined && maximum !== undefined)
    return schema.type === 'integer'
      ? tIn('what a field takes', 'a whole number from {least} to {most}', values)
      : tIn('what a field takes', 'a number from {least} to {most}', values);
  if (minimum !== undefined)
    return schema.type === 'integer'
      ? tIn('what a field takes', 'a whole number from {least}', values)
      : tIn('what a field takes', 'a number from {least}', values);
  return schema.type === 'integer'
    ? tIn('what a field takes', 'a whole number')
    : tIn('what a field takes', 'a number');
}

function isHttpUrl(value: string): boolean {
  // The URL parser silently drops control characters, but they break the text that the URL is inserted into.
  if (value.length > 2_048 || !/^https?:\/\/\P{Cc}*$/iu.test(value)) return false;
  return URL.canParse(value);
}

/** Whether this release of Node.js knows a time zone. */
export function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

/** Offsets such as `+05:30` are not zones: they have no summer time, and PostgreSQL reads their sign the other way. */
function isNamedZone(value: string): boolean {
  return !/^[+-]/.test(value) && isTimeZone(value);
}

/** Warnings about fields that the schema does not have. */
export function unknownFieldWarnings(body: unknown, known: readonly string[]): string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const unknown = Object.keys(body).filter((name) => !known.includes(name));
  const more = unknown.slice(MAX_WARNINGS).map(quoted).join(', ');
  return [
    ...unknown.slice(0, MAX_WARNINGS).map((name) => unknownFieldWarning(name, known)),
    ...(more === '' ? [] : [`these are not fields of this request either and were ignored: ${more}`]),
  ];
}

/** Warnings about query parameters of a request whose fields are all in its body. */
export function queryWarnings(query: unknown): string[] {
  if (typeof query !== 'object' || query === null) return [];
  return Object.keys(query)
    .slice(0, MAX_WARNINGS)
    .map((name) => `${quoted(name)} in the query was ignored; send the fields of this request in its body`);
}

/** Warnings about fields in the body of a request whose parameters are all in its query. */
export function bodyWarnings(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.keys(body)
    .slice(0, MAX_WARNINGS)
    .map(
      (name) => `${quoted(name)} in the body was ignored; send the parameters of this request in its query`,
    );
}

/** This many unknown fields get a warning each; one more warning names the rest. */
const MAX_WARNINGS = 20;

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}

function unknownFieldWarning(name: string, known: readonly string[]): string {
  const near = known.find((candidate) => distance(name.toLowerCase(), candidate) <= 2);
  const hint = near ? `; did you mean ${near}?` : `; known fields are ${known.join(', ')}`;
  return `${quoted(name)} is not a field of this request and was ignored${hint}`;
}

/** The edit distance of two short words; 99 if they are long or their lengths differ by more than two. */
export function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2 || a.length > 40) return 99;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(swap, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 99;
}
