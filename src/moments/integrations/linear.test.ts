import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { samplesIn } from '../../../testing/moments/samples.ts';
import { adapterContract } from './adapter.contract.ts';
import { linear } from './linear.ts';

adapterContract('linear', linear);

const { sample, result, body } = samplesIn('linear', linear);

describe('a Linear webhook', () => {
  it('begins an incident that is named by its number and title', () => {
    const event = sample('create');
    assert.equal(event.action, 'open');
    assert.equal(event.type, 'incident');
    assert.equal(event.name, 'INF-342 Search cluster is red');
    assert.equal(event.priority, 'high');
    assert.equal(event.severity, 'Urgent');
    assert.equal(event.source, 'Linear');
    assert.equal(event.sourceUrl, 'https://linear.app/acme/issue/INF-342/search-cluster-is-red');
    assert.equal(String(event.occurredAt), '2026-11-20T03:40:00.12Z');
    assert.match(event.description ?? '', /^Two of five nodes are \*\*gone\*\*\./, 'it writes Markdown');
    assert.match(event.description ?? '', /\*\*Team:\*\* Infrastructure/);
  });

  it('acknowledges when work begins and resolves when it is completed, cancelled or removed', () => {
    const events = ['create', 'started', 'edited', 'completed', 'remove'].map((name) => sample(name));
    assert.deepEqual(
      events.map((event) => event.action),
      ['open', 'acknowledge', 'open', 'resolve', 'resolve'],
    );
    assert.equal(new Set(events.map((event) => event.dedupKey)).size, 1);
    assert.equal(events[2]?.name, 'INF-342 Search cluster is yellow');
    assert.equal(sample('started', { 'data.state.type': 'unstarted' }).action, 'unacknowledge');
    assert.equal(sample('edited', { 'data.state.type': 'canceled' }).action, 'resolve');
    assert.equal(sample('edited', { 'data.trashed': true }).action, 'resolve');
  });

  it('without a priority takes that of its labels', () => {
    const labelled = { 'data.priority': 0, 'data.labels': [{ name: 'P1' }] };
    assert.equal(sample('create', labelled).priority, 'high');
    assert.equal(sample('create', { ...labelled, 'data.priority': 4 }).priority, 'low');
  });

  it('of an older form has the number in parts', () => {
    const { name } = sample('create', { 'data.identifier': undefined });
    assert.equal(name, 'INF-342 Search cluster is red');
  });

  it('has priorities from 1 to 4, and 0 for none', () => {
    const priority = (value: unknown) => sample('create', { 'data.priority': value }).priority;
    assert.deepEqual([0, 1, 2, 3, 4, 9, null].map(priority), [
      ...['medium', 'high', 'high', 'medium', 'low', 'medium', 'medium'],
    ]);
  });

  it('with the label of a near miss is one', () => {
    assert.equal(sample('near-miss').type, 'near-miss');
  });

  it('has to pass the filter to begin a moment, but not to end it', () => {
    const unlabelled = { 'data.labels': [] };
    assert.ok('ignored' in result('create', unlabelled));
    assert.ok('events' in result('create', unlabelled, { settings: { filter: { priorities: ['urgent'] } } }));
    assert.equal(sample('completed', unlabelled).action, 'resolve');
  });

  it('has its delivery id in a header', () => {
    assert.equal(
      linear.senderCallId?.({ headers: { 'linear-delivery': 'd-1' }, body: Buffer.alloc(0) }),
      'd-1',
    );
  });
});

describe("Linear's signature", () => {
  const sent = Temporal.Instant.fromEpochMilliseconds(1795146000500);
  const call = (text: string, now: Temporal.Instant, headers: Record<string, string> = {}) => ({
    headers: { 'linear-signature': createHmac('sha256', 'right').update(text).digest('hex'), ...headers },
    body: Buffer.from(text),
    secret: 'right',
    now,
  });

  it('is valid for a minute around the time in the body', () => {
    for (const seconds of [-60, 0, 60])
      assert.equal(linear.verify?.(call(body('create'), sent.add({ seconds }))), true, String(seconds));
  });

  it('is too old after that, whatever the unsigned header contains', () => {
    for (const seconds of [-61, 61]) {
      const now = sent.add({ seconds });
      const headers = { 'linear-timestamp': String(now.epochMilliseconds) };
      assert.equal(linear.verify?.(call(body('create'), now, headers)), false);
    }
  });

  it('uses the time of the header if the body has none, and is invalid without any', () => {
    const text = body('create', { webhookTimestamp: undefined });
    const headers = { 'linear-timestamp': String(sent.epochMilliseconds) };
    assert.equal(linear.verify?.(call(text, sent, headers)), true);
    assert.equal(linear.verify?.(call(text, sent)), false);
  });

  it('is invalid with another secret, over another body, or if it is missing', () => {
    const right = call(body('create'), sent);
    assert.equal(linear.verify?.({ ...right, secret: 'wrong' }), false);
    assert.equal(linear.verify?.({ ...right, body: Buffer.from(body('edited')) }), false);
    assert.equal(linear.verify?.({ ...right, headers: {} }), false);
    assert.equal(linear.verify?.(call('no JSON', sent)), false);
  });
});
