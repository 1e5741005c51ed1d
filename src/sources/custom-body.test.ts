import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CODE_POINT } from '../../testing/code-point.ts';
import { readCustomPage } from './custom-body.ts';

const NOW = Temporal.Instant.from('2026-03-02T10:00:00Z');
const FORM = 'application/x-www-form-urlencoded';

function read(body: unknown, type = 'application/json') {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return readCustomPage({ headers: { 'content-type': type }, body: Buffer.from(text), receivedAt: NOW });
}

function eventOf(body: unknown, type?: string) {
  const reading = read(body, type);
  assert.ok('event' in reading, JSON.stringify(reading));
  return reading.event;
}

function problemsOf(body: unknown, type?: string): string[] {
  const reading = read(body, type);
  assert.ok('problems' in reading, JSON.stringify(reading));
  return reading.problems.map(({ field, message }) => `${field} ${message}`);
}

describe('The body of a custom page', () => {
  it('needs only a title', () => {
    assert.deepEqual(eventOf({ title: 'Disk\nfull' }), {
      action: 'trigger',
      dedupKey: null,
      title: 'Disk full',
      text: 'Disk full',
      sourceUrl: null,
      urgency: null,
      severity: null,
      labels: [],
      source: null,
      by: null,
      occurredAt: NOW,
      at: NOW,
    });
  });

  it('may have every field, words in any case, and numbers for texts', () => {
    const event = eventOf({
      title: 'Disk full',
      text: '98 %',
      source_url: 'https://mon.example.com/7',
      urgency: 'HIGH',
      severity: 2,
      dedup_key: 7,
      action: 'Trigger',
      labels: { service: 'db', shard: 3, none: null },
      occurred_at: '2026-03-02T09:58:00Z',
    });
    assert.equal(event.text, '98 %');
    assert.equal(event.sourceUrl, 'https://mon.example.com/7');
    assert.equal(event.urgency, 'high');
    assert.equal(event.severity, '2');
    assert.equal(event.dedupKey, '7');
    assert.deepEqual(event.labels, ['service=db', 'shard=3']);
    assert.equal(event.occurredAt.toString(), '2026-03-02T09:58:00Z');
  });

  it('may be a form', () => {
    const form = 'title=Disk+full&text=&labels.service=db&labels[env]=prod&urgency=low';
    const event = eventOf(form, `${FORM}; charset=utf-8`);
    assert.equal(event.title, 'Disk full');
    assert.equal(event.text, 'Disk full');
    assert.equal(event.urgency, 'low');
    assert.deepEqual(event.labels, ['service=db', 'env=prod']);
    const object = new URLSearchParams({ title: 'x', labels: '{"a":"b"}' }).toString();
    assert.deepEqual(eventOf(object, FORM).labels, ['a=b']);
    assert.deepEqual(problemsOf('title=x&labels=db', FORM), ['labels is "db", a string; give a JSON object']);
  });

  it('may be a multipart form, as curl -F sends', () => {
    const fields = { title: 'Disk full: 98 %', urgency: 'low', 'labels[env]': 'prod' };
    const parts = Object.entries(fields).map(
      ([name, value]) => `--b1\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const event = eventOf(`${parts.join('')}--b1--\r\n`, 'multipart/form-data; boundary=b1');
    assert.deepEqual([event.title, event.urgency], ['Disk full: 98 %', 'low']);
    assert.deepEqual(event.labels, ['env=prod']);
  });

  it('may be JSON with the content type of a form, as curl sends it', () => {
    assert.equal(eventOf(' {"title":"x"}', FORM).title, 'x');
  });

  it('acknowledges and resolves with only the key', () => {
    const event = eventOf({ action: 'resolve', dedup_key: 'disk' });
    assert.equal(event.action, 'resolve');
    assert.equal(event.dedupKey, 'disk');
    assert.deepEqual(problemsOf({ action: 'acknowledge' }), [
      'dedup_key is missing; give the key of the page that this call is to acknowledge',
    ]);
  });

  it('names every problem', () => {
    assert.deepEqual(
      problemsOf({
        title: 'x'.repeat(201),
        text: 7,
        source_url: 'ftp://x',
        urgency: 'urgent',
        action: 'close',
        dedup_key: 'k'.repeat(256),
        labels: { a: { b: 1 } },
        occurred_at: '2026-03-02T10:00:06Z',
      }),
      [
        'title has 201 characters, which is too long; give a text of at most 200 characters',
        'source_url is "ftp://x"; give an http or https URL of at most 2,048 characters, such as https://example.com/alerts/7',
        'urgency is "urgent", which is not among the allowed values; give one of low, medium, high',
        'dedup_key has 256 characters, which is too long; give a text of at most 255 characters',
        'action is "close", which is not among the allowed values; give one of trigger, acknowledge, resolve',
        'labels.a is an object; give a text of at most 1,000 characters',
        'occurred_at is 2026-03-02T10:00:06Z, which is in the future (it is 2026-03-02T10:00:00.000Z now); give the time when it happened, or leave it out for now',
      ],
    );
    assert.deepEqual(problemsOf({}), ['title is missing; give a text of 1 to 200 characters']);
    assert.deepEqual(problemsOf({ title: ' ' }), ['title is blank; give a text of at most 200 characters']);
    assert.deepEqual(problemsOf('[]'), ['body is JSON but not an object; send a JSON object with a title']);
    assert.deepEqual(problemsOf(''), ['body is empty; send a JSON object with a title']);
  });

  it('accepts a key of 255 characters and 100 labels', () => {
    const labels = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`l${index}`, 'x']));
    const event = eventOf({ title: 'x', dedup_key: 'k'.repeat(255), labels });
    assert.equal(event.labels.length, 100);
    assert.deepEqual(problemsOf({ title: 'x', labels: { ...labels, more: 'x' } }).length, 1);
  });

  it('warns about unknown fields', () => {
    const reading = read({ title: 'x', dedupkey: 'a' });
    assert.deepEqual('warnings' in reading && reading.warnings, [
      '"dedupkey" is not a field of this request and was ignored; did you mean dedup_key?',
    ]);
  });

  it('is read or refused, whatever it contains', () => {
    const types = fc.constantFrom('application/json', FORM, '');
    const anything = fc.oneof(
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      fc.json().map((text) => Buffer.from(text)),
      fc
        .record({ title: fc.string({ unit: CODE_POINT }), labels: fc.anything() }, { requiredKeys: [] })
        .map((object) => Buffer.from(JSON.stringify(object) ?? '')),
    );
    fc.assert(
      fc.property(anything, types, (body, type) => {
        const reading = readCustomPage({ headers: { 'content-type': type }, body, receivedAt: NOW });
        if ('problems' in reading) assert.ok(reading.problems.length > 0);
        else {
          assert.ok(reading.event.title.isWellFormed() && !reading.event.title.includes('\0'));
          assert.ok(reading.event.labels.every((label) => label.isWellFormed() && !label.includes('\0')));
        }
      }),
    );
  });
});
