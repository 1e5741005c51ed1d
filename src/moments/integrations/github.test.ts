import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { samplesIn } from '../../../testing/moments/samples.ts';
import { adapterContract, RECEIVED_AT, readBody } from './adapter.contract.ts';
import { github } from './github.ts';

adapterContract('github', github);

const { sample, result, body } = samplesIn('github', github);

describe('a GitHub webhook', () => {
  it('begins an incident that is named by its place and title', () => {
    const event = sample('opened');
    assert.equal(event.action, 'open');
    assert.equal(event.type, 'incident');
    assert.equal(event.name, 'checkout#87 Checkout loses baskets after deploy 2.42');
    assert.equal(event.dedupKey, '512345678#87');
    assert.equal(event.priority, 'high');
    assert.equal(event.severity, 'sev2');
    assert.equal(event.source, 'GitHub');
    assert.equal(event.sourceUrl, 'https://github.com/acme/checkout/issues/87');
    assert.equal(String(event.occurredAt), '2026-11-20T02:15:07Z');
    assert.match(
      event.description ?? '',
      /^### What happens\n\nBaskets are \*\*empty\*\*/,
      'it writes Markdown',
    );
    assert.match(event.description ?? '', /\*\*Repository:\*\* acme\/checkout/);
  });

  it('updates it, ends it and reopens it under the same key', () => {
    const events = ['opened', 'labeled', 'assigned', 'closed', 'reopened'].map((name) => sample(name));
    assert.deepEqual(
      events.map((event) => event.action),
      ['open', 'open', 'open', 'resolve', 'open'],
    );
    assert.equal(new Set(events.map((event) => event.dedupKey)).size, 1);
    const times = events.map((event) => event.at.epochMilliseconds);
    assert.deepEqual(times, times.toSorted());
  });

  it('about a closed issue begins nothing, and a deleted issue ends', () => {
    assert.equal(sample('labeled', { 'issue.state': 'closed' }).action, 'resolve');
    for (const action of ['deleted', 'transferred']) {
      const gone = sample('opened', { action });
      assert.equal(gone.action, 'resolve');
      assert.ok(gone.at.equals(RECEIVED_AT), 'nothing tells when');
    }
  });

  it('takes the type of the issue as well as its labels', () => {
    const event = sample('typed-outage');
    assert.equal(event.type, 'incident');
    assert.equal(event.priority, 'medium');
    assert.equal(sample('opened', { 'issue.labels': [{ name: 'near miss' }] }).type, 'near-miss');
  });

  it('has to pass the filter to begin a moment, but not to end it', () => {
    const labels = { 'issue.labels': [{ name: 'customer' }] };
    assert.ok('ignored' in result('opened', labels));
    assert.ok('events' in result('opened', labels, { settings: { filter: { labels: ['Customer'] } } }));
    assert.equal(sample('closed', labels).action, 'resolve');
  });

  it('may come as a form', () => {
    const form = new URLSearchParams({ payload: body('opened') }).toString();
    const read = readBody(github, form);
    assert.deepEqual('events' in read && read.events, [sample('opened')]);
  });

  it('of another event is ignored by its header', () => {
    for (const event of ['push', 'issue_comment', 'pull_request', 'ping'])
      assert.ok('ignored' in result('opened', {}, { headers: { 'x-github-event': event } }), event);
    assert.ok('events' in result('opened', {}, { headers: { 'x-github-event': 'issues' } }));
  });

  it('has its delivery id in a header', () => {
    assert.equal(
      github.senderCallId?.({ headers: { 'x-github-delivery': 'g' }, body: Buffer.alloc(0) }),
      'g',
    );
  });
});

describe("GitHub's signature", () => {
  const raw = Buffer.from('payload=%7B%7D');
  const hex = createHmac('sha256', 'It is a secret').update(raw).digest('hex');
  const verified = (headers: Record<string, string>, secret = 'It is a secret') =>
    github.verify?.({ headers, body: raw, secret, now: RECEIVED_AT });

  it('is valid over the raw body, as a form or not', () => {
    assert.equal(verified({ 'x-hub-signature-256': `sha256=${hex}` }), true);
  });

  it('is invalid with another secret, in the old header, or if it is missing', () => {
    assert.equal(verified({ 'x-hub-signature-256': `sha256=${hex}` }, 'other'), false);
    assert.equal(verified({ 'x-hub-signature-256': hex }), false);
    assert.equal(verified({ 'x-hub-signature': `sha1=${hex}` }), false);
    assert.equal(verified({}), false);
  });
});
