import assert from 'node:assert/strict';
import { STATUS_CODES } from 'node:http';
import { Ajv, type ValidateFunction } from 'ajv';
import type { Operation, Schema } from './described-api.ts';
import type { FuzzRequest } from './requests.ts';

export type FuzzAnswer = { status: number; headers: Record<string, unknown>; text: string };

/** Internals that no answer may reveal: stack traces, statements, drivers, directories. */
const INSIDES =
  /\bat \S+ \(|\.ts:\d+|node_modules|node:internal|\bselect .+ from \b|\binsert into\b|syntax error at|relation "|violates|pg_catalog|ECONN|undefined|\[object Object\]/i;

const ajv = new Ajv({
  strict: false,
  allErrors: true,
  formats: {
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    email: /^[^@]+@[^@]+$/,
    uri: (text: string) => URL.canParse(text),
  },
});
const compiled = new Map<Schema, ValidateFunction>();

/** Fails unless the API's description allows the answer and an error says what is wrong. */
export function checkAnswer(request: FuzzRequest, answer: FuzzAnswer): void {
  const { operation, method, url } = request;
  const { status, headers, text } = answer;
  assert.ok(status >= 200 && status < 500, `${status}`);
  if (method === 'HEAD' || status === 204) return;
  assert.match(String(headers['content-type']), /^application\/json/, 'content type');
  const value = JSON.parse(text) as Record<string, unknown>;
  if (status >= 400) checkRefusal(request, answer, value);
  const known = method === operation.method && isOf(operation, url) && !LEADS_ELSEWHERE.has(status);
  const schema = operation.answers[status] ?? (status >= 400 ? operation.answers['4XX'] : undefined);
  assert.ok(schema || !known, `${status} is not documented for ${operation.name}`);
  if (schema && known) assertMatches(schema, value);
}

/** Statuses of a path or method that was changed into that of another operation. */
const LEADS_ELSEWHERE = new Set([404, 405, 421]);

function assertMatches(schema: Schema, value: unknown): void {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  assert.ok(validate(value), ajv.errorsText(validate.errors));
}

/** Whether the path is still that of the operation, with any suffix or query. */
function isOf({ path }: Operation, url: string): boolean {
  const pattern = path.replace(/\{\w+\}/g, '[^/]+');
  try {
    return new RegExp(`^${pattern}/?$`).test(decodeURI(url.split('?')[0] ?? ''));
  } catch {
    return false;
  }
}

function checkRefusal(
  request: FuzzRequest,
  { status, headers, text }: FuzzAnswer,
  value: Record<string, unknown>,
): void {
  // Uploads have an error format of their own, as documented in the contract.
  if (value.ok === false) return void assert.ok(String(value.message).length > 10, 'a message');
  const invalid = status === 400 && value.error === 'Invalid request';
  assert.ok(invalid || value.error === STATUS_CODES[status], `${status} says ${value.error}`);
  const details = value.details as { field: string; message: string }[];
  for (const { field, message } of details) {
    assert.ok(field !== '' && message.length >= 5 && message.length < 500, `${field}: ${message}`);
    assert.ok(!INSIDES.test(message) || repeats(message, request), message);
  }
  // Calls with unknown or revoked tokens of webhooks get no explanation.
  const byToken = /^\/(moment|page|heartbeat)\//.test(request.url);
  const silent = byToken && (status === 404 || status === 410);
  assert.ok(silent || details.length > 0, 'no details');
  if (status === 401) assert.ok(headers['www-authenticate'], 'WWW-Authenticate');
  if (status === 405) assert.ok(headers.allow, 'Allow');
  if (status === 429) assert.ok(headers['retry-after'], 'Retry-After');
  assert.ok(text.length < 1_000_000, 'a refusal is short');
}

/** Whether the message only quotes a value of the request. */
function repeats(message: string, { url, body }: FuzzRequest): boolean {
  const found = INSIDES.exec(message)?.[0] ?? '';
  return body?.includes(found) === true || url.includes(encodeURIComponent(found));
}
