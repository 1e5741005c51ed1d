import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CODE_POINT } from '../../../testing/code-point.ts';
import { MOMENT_TYPES, PRIORITIES } from '../contract.ts';
import type { MomentEvent } from '../event.ts';
import { PARTS_LIMIT } from '../parts.ts';
import type { Adapter, AdapterInput, AdapterResult } from './adapter.ts';

export const RECEIVED_AT = Temporal.Instant.from('2026-11-20T06:00:00Z');
/** Enough for the largest body on a slow machine, and too little for anything that is not linear. */
const PATIENCE_MS = 3_000;

const samplesFolder = new URL('samples/', import.meta.url);

/**
 * Bodies written from the sender's documentation: `samples/<integration>-<what>.json`. Bodies with nothing to record
 * are called `ignored-…`, those that need a confirmation `confirm-…`.
 */
export function samplesOf(integration: string): Map<string, Buffer> {
  const files = readdirSync(samplesFolder).filter((file) => file.startsWith(`${integration}-`));
  return new Map(
    files.map((file) => [
      file.slice(integration.length + 1, -'.json'.length),
      readFileSync(new URL(file, samplesFolder)),
    ]),
  );
}

export function readBody(
  adapter: Adapter,
  body: Buffer | string,
  call: Partial<Omit<AdapterInput, 'body'>> = {},
): AdapterResult {
  return adapter.read({
    ...{ headers: {}, settings: {}, receivedAt: RECEIVED_AT },
    ...call,
    body: Buffer.from(body),
  });
}

export function eventsOf(
  adapter: Adapter,
  body: Buffer | string,
  call: Partial<Omit<AdapterInput, 'body'>> = {},
): MomentEvent[] {
  const result = readBody(adapter, body, call);
  assert.ok('events' in result, `expected events, got ${JSON.stringify(result)}`);
  return result.events;
}

/**
 * The promises of every adapter for any body, from its sender or from a stranger who found the URL. `forms`: whether
 * JSON may be sent in a form.
 */
export function adapterContract(integration: string, adapter: Adapter, { forms = true } = {}): void {
  const samples = samplesOf(integration);

  describe(`${integration} as an adapter`, () => {
    it('has samples, and makes events of all except the ignored ones', () => {
      assert.ok(samples.size > 0);
      for (const [name, body] of samples) {
        const result = readBody(adapter, body);
        const expected = /^(ignored|confirm)-/.exec(name)?.[1] ?? 'events';
        assert.ok(expected in result, `${name}: ${JSON.stringify(result)}`);
        assert.ok(!('events' in result) || result.events.length > 0, name);
        assertWhole(result);
      }
    });

    if (forms)
      it('reads the same from a field of a form', () => {
        for (const [name, body] of samples) {
          const form = new URLSearchParams({ payload: body.toString() }).toString();
          assert.deepEqual(readBody(adapter, form), readBody(adapter, body), name);
          const part = `--b-1\r\ncontent-disposition: form-data; name="data"\r\n\r\n${body}\r\n--b-1--\r\n`;
          assert.deepEqual(readBody(adapter, part), readBody(adapter, body), name);
        }
      });

    it('never throws when it reads the id of a call', () => {
      for (const [, body] of [...samples, ...junk()]) {
        const id = adapter.senderCallId?.({ headers: {}, body: Buffer.from(body) }) ?? null;
        assert.ok(id === null || id !== '');
      }
    });

    it('gives the same result for the same input', () => {
      for (const body of samples.values()) assert.deepEqual(readBody(adapter, body), readBody(adapter, body));
    });

    for (const [what, body] of junk()) {
      it(`describes the problem with ${what}`, () => {
        const result = readBody(adapter, body);
        assert.ok('error' in result, JSON.stringify(result).slice(0, 200));
        assertWhole(result);
      });
    }

    for (const [what, body] of heavy(adapter.bodyLimit)) {
      it(`reads ${what} in time linear in the size of the body`, () => {
        const began = performance.now();
        assertWhole(readBody(adapter, body));
        assert.ok(performance.now() - began < PATIENCE_MS);
      });
    }

    it('reads its samples with very long texts in linear time', () => {
      for (const body of samples.values()) {
        const began = performance.now();
        assertWhole(readBody(adapter, inflated(body, adapter.bodyLimit)));
        assert.ok(performance.now() - began < PATIENCE_MS);
      }
    });

    it('never throws or returns half a moment, however its samples are changed', () => {
      fc.assert(
        fc.property(
          fc.constantFrom(...samples.values()),
          fc.array(change(), { maxLength: 4 }),
          (body, changes) => {
            const value = changes.reduce(
              (changed, apply) => apply(changed),
              JSON.parse(body.toString()) as unknown,
            );
            assertWhole(readBody(adapter, JSON.stringify(value) ?? ''));
          },
        ),
        { numRuns: 500 },
      );
    });

    it('returns only texts that can be stored, whichever text of its samples was cut', () => {
      for (const body of samples.values())
        for (const broken of ['\u0000', '\ud83d'])
          for (const variant of brokenTexts(body, broken)) assertWhole(readBody(adapter, variant));
    });

    it('never throws on lost or changed bytes', () => {
      fc.assert(
        fc.property(
          fc.constantFrom(...samples.values()),
          fc.nat(),
          fc.uint8Array({ maxLength: 8 }),
          (body, at, bytes) => {
            const cut = at % (body.length + 1);
            assertWhole(readBody(adapter, body.subarray(0, cut)));
            assertWhole(
              readBody(adapter, Buffer.concat([body.subarray(0, cut), bytes, body.subarray(cut + 4)])),
            );
          },
        ),
        { numRuns: 300 },
      );
    });
  });
}

/** Everything that the store and the readers of moments rely on. */
function assertWhole(result: AdapterResult): void {
  if ('confirm' in result) {
    for (const text of Object.values(result.confirm)) assert.match(text, /\S/);
    return;
  }
  if (!('events' in result)) {
    const reason = 'error' in result ? result.error : result.ignored;
    assert.match(reason, /^\S.*\.$/s);
    assert.ok(reason.isWellFormed() && !reason.includes('\u0000'), JSON.stringify(reason));
    return;
  }
  for (const event of result.events) assertWholeEvent(event);
  for (const { at: _, ...order } of result.orders ?? []) assertStorable(order);
}

/** The database stores neither NUL nor half of a surrogate pair, and a call with such a text would page nobody. */
function assertStorable(value: unknown): void {
  if (typeof value === 'string')
    assert.ok(value.isWellFormed() && !value.includes('\u0000'), JSON.stringify(value));
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) assertStorable(inner);
}

function assertWholeEvent(event: MomentEvent): void {
  const length = [...event.name].length;
  assert.ok(length >= 1 && length <= 70, `a name of ${length} characters`);
  assert.ok(MOMENT_TYPES.includes(event.type));
  assert.ok(PRIORITIES.includes(event.priority));
  assert.ok(['open', 'acknowledge', 'unacknowledge', 'resolve'].includes(event.action));
  const { name, description, source, sourceUrl, dedupKey, by = null, comment = null } = event;
  assertStorable([event.severity, event.labels, event.fullName]);
  for (const text of [name, description, source, sourceUrl, dedupKey, by, comment])
    if (text !== null) {
      assertStorable(text);
      assert.notEqual(text, '');
    }
  if (event.sourceUrl !== null) assert.match(event.sourceUrl, /^https?:\/\//i);
  if (event.dedupKey !== null) assert.ok(event.dedupKey.length <= 255);
  assert.ok((by?.length ?? 0) <= 200 && (comment?.length ?? 0) <= 2_000);
  const parts = Object.entries(event.parts ?? {});
  assert.ok(parts.length <= PARTS_LIMIT);
  for (const [name, { at }] of parts) assert.ok(/^[0-9a-f]{12}$/.test(name) && Number.isSafeInteger(at));
  for (const time of [event.occurredAt, event.at]) {
    assert.ok(time instanceof Temporal.Instant);
    assert.ok(time.epochMilliseconds <= RECEIVED_AT.epochMilliseconds + 5_000);
    assert.equal(time.epochNanoseconds % 1_000n, 0n);
  }
}

function junk(): [string, Buffer | string][] {
  return [
    ['an empty body', ''],
    ['blanks', ' \r\n'],
    ['no JSON', 'ok'],
    ['HTML', '<!doctype html><title>503</title>'],
    ['cut-off JSON', '{"status": "firing", "alerts": [{"sta'],
    ['null', 'null'],
    ['a number', '17'],
    ['a text', '"firing"'],
    ['a list', '[{"status": "firing"}]'],
    ['an empty object', '{}'],
    ['only inherited names', '{"toString": 1, "__proto__": {"name": "x"}}'],
    ['bytes that are no text', Buffer.from([0xde, 0xad, 0xbe, 0xef])],
    ['depth', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
    ['unclosed depth', '['.repeat(200_000)],
  ];
}

function heavy(bytes: number): [string, Buffer | string][] {
  return [
    ['garbage', Buffer.alloc(bytes, 0xa5)],
    ['blanks', ' '.repeat(bytes)],
    ['brackets', '['.repeat(bytes)],
    ['one long text', JSON.stringify({ name: '\\`*_'.repeat(bytes / 8), type: 'alert' })],
    ['accents', JSON.stringify({ name: `e${'\u0301'.repeat(bytes / 8)}`, type: 'alert' })],
  ];
}

/** The sample with its longer texts extended until the body reaches its limit. */
function inflated(body: Buffer, bytes: number): string {
  const isLong = (value: unknown) => typeof value === 'string' && value.length > 12;
  let texts = 0;
  const value = JSON.parse(body.toString(), (_, inner: unknown) => {
    if (isLong(inner)) texts++;
    return inner;
  }) as unknown;
  const filling = ' *`<\u0301 🔥'.repeat(Math.floor(bytes / 16 / Math.max(1, texts)));
  return JSON.stringify(value, (_, inner: unknown) => (isLong(inner) ? `${inner}${filling}` : inner));
}

/** Copies of the sample, each with such a character in the middle of another text. */
function* brokenTexts(body: Buffer, broken: string): Generator<string> {
  const sample = JSON.parse(body.toString()) as unknown;
  let texts = 0;
  for (let chosen = 0; chosen === 0 || chosen < texts; chosen++) {
    texts = 0;
    yield JSON.stringify(sample, (_, inner: unknown) => {
      if (typeof inner !== 'string' || texts++ !== chosen) return inner;
      const middle = Math.ceil(inner.length / 2);
      return inner.slice(0, middle) + broken + inner.slice(middle);
    });
  }
}

type Change = (value: unknown) => unknown;

/** Replaces or removes something at a place that `steps` lead to. */
function change(): fc.Arbitrary<Change> {
  return fc
    .record({
      steps: fc.array(fc.nat({ max: 50 }), { maxLength: 5 }),
      value: fc.option(odd(), { nil: undefined }),
    })
    .map(
      ({ steps, value }) =>
        (whole) =>
          changed(whole, steps, value),
    );
}

function changed(whole: unknown, steps: readonly number[], value: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined || typeof whole !== 'object' || whole === null) return value;
  const names = Object.keys(whole);
  const name = names[step % Math.max(1, names.length)];
  if (name === undefined) return value;
  const inner = changed((whole as Record<string, unknown>)[name], rest, value);
  if (Array.isArray(whole)) return whole.with(Number(name), inner);
  const { [name]: _, ...others } = whole as Record<string, unknown>;
  return inner === undefined ? others : { ...others, [name]: inner };
}

/** Unexpected values. */
function odd(): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: CODE_POINT, maxLength: 300 }),
    fc.constantFrom(
      '',
      ' ',
      '\u0000',
      '\ud800',
      '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:59Z',
      '2026-02-30T00:00:00Z',
    ),
    fc.constantFrom(
      'javascript:alert(1)',
      'http://',
      'resolved',
      'FIRING',
      'firing',
      -1,
      1e308,
      true,
      [],
      {},
    ),
    fc.constant({ toString: 1, constructor: { name: 2 }, hasOwnProperty: 3 }),
  );
}
