import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { samplesIn } from '../../../testing/moments/samples.ts';
import { adapterContract, RECEIVED_AT } from './adapter.contract.ts';
import { sentry } from './sentry.ts';

adapterContract('sentry', sentry);

const { sample, result } = samplesIn('sentry', sentry);

describe('a Sentry webhook', () => {
  it('about a matched rule begins an alert', () => {
    const event = sample('event-alert-triggered');
    assert.equal(event.action, 'open');
    assert.equal(event.type, 'alert');
    assert.equal(event.name, 'TimeoutError: payment gateway did not answer');
    assert.equal(event.priority, 'high');
    assert.equal(event.severity, 'error');
    assert.equal(event.source, 'Sentry');
    assert.equal(event.sourceUrl, 'https://acme.sentry.io/issues/1170820242/events/e4874d66/');
    assert.equal(String(event.occurredAt), '2026-11-20T01:02:03.456Z');
    assert.match(event.description ?? '', /^payment gateway did not answer after 10000 ms\n/);
    assert.match(event.description ?? '', /\*\*Rule:\*\* Errors at the checkout/);
    assert.match(event.description ?? '', /\*\*Environment:\*\* production/);
  });

  it('about its issue continues it, and ends it', () => {
    const names = [
      'event-alert-triggered',
      'issue-created',
      'issue-assigned',
      'issue-resolved',
      'issue-regressed',
    ];
    const events = names.map((name) => sample(name));
    assert.deepEqual(
      events.map((event) => event.action),
      ['open', 'open', 'acknowledge', 'resolve', 'open'],
    );
    assert.equal(new Set(events.map((event) => event.dedupKey)).size, 1);
    assert.equal(sample('issue-resolved', { action: 'archived' }).action, 'resolve');
    const inUrl = { 'data.event.issue_id': undefined };
    assert.equal(sample('event-alert-triggered', inUrl).dedupKey, events[0]?.dedupKey);
  });

  it('about a metric alert begins and ends a separate moment', () => {
    const [critical, warning, resolved] = ['metric-critical', 'metric-warning', 'metric-resolved'].map(
      (name) => sample(name),
    );
    assert.equal(critical?.name, 'Too many errors');
    assert.equal(resolved?.name, 'Too many errors');
    assert.deepEqual([critical?.priority, warning?.priority], ['high', 'medium']);
    assert.deepEqual([critical?.action, resolved?.action], ['open', 'resolve']);
    assert.equal(critical?.dedupKey, resolved?.dedupKey);
    assert.notEqual(critical?.dedupKey, sample('issue-created', { 'data.issue.id': '6' }).dedupKey);
    assert.equal(String(critical?.occurredAt), '2026-11-20T02:05:00Z');
    assert.equal(String(resolved?.at), '2026-11-20T02:31:00Z');
    assert.equal(critical?.sourceUrl, 'https://acme.sentry.io/alerts/rules/details/7/?alert=6');
    assert.match(critical?.description ?? '', /^1204 events in the last 10 minutes {2}\nFilter: level:error/);
  });

  it('of the older plug-in is an issue alert', () => {
    const event = sample('plugin');
    assert.equal(event.name, 'MemoryError: worker 7');
    assert.equal(event.priority, 'high');
    assert.equal(event.dedupKey, 'issue 27379932');
    assert.equal(String(event.occurredAt), '2026-11-20T01:02:03Z');
  });

  it('has the time in its header', () => {
    const headers = { 'sentry-hook-timestamp': '1795140000' };
    assert.equal(String(sample('issue-resolved', {}, { headers }).at), '2026-11-20T02:00:00Z');
    assert.ok(sample('issue-resolved').at.equals(RECEIVED_AT), 'the body has no time of this');
  });

  it('is about the resource in its header', () => {
    assert.ok('ignored' in result('issue-created', {}, { headers: { 'sentry-hook-resource': 'comment' } }));
    assert.ok('events' in result('issue-created', {}, { headers: { 'sentry-hook-resource': 'issue' } }));
    assert.ok(
      'error' in result('issue-created', {}, { headers: { 'sentry-hook-resource': 'metric_alert' } }),
    );
  });

  it('has its priority from the level', () => {
    const priority = (level: unknown) => sample('issue-created', { 'data.issue.level': level }).priority;
    assert.deepEqual(['fatal', 'error', 'warning', 'info', 'debug', 'odd', null].map(priority), [
      ...['high', 'high', 'medium', 'low', 'low', 'medium', 'medium'],
    ]);
  });
});

describe("Sentry's signature", () => {
  const body = Buffer.from('{"action": "created"}');
  const verified = (signature: string, secret = 'right') =>
    sentry.verify?.({ headers: { 'sentry-hook-signature': signature }, body, secret, now: RECEIVED_AT });

  it('is valid over the raw body with the client secret, and invalid otherwise', () => {
    const right = createHmac('sha256', 'right').update(body).digest('hex');
    assert.equal(verified(right), true);
    assert.equal(verified(right, 'wrong'), false);
    assert.equal(verified(right.slice(1)), false);
    assert.equal(verified(''), false);
    assert.equal(sentry.verify?.({ headers: {}, body, secret: 'right', now: RECEIVED_AT }), false);
  });
});

it('recognizes the older plug-in by the name of its project, too', () => {
  const event = sample('plugin', { project: undefined, project_name: 'Checkout' });
  assert.equal(event.action, 'open');
});
