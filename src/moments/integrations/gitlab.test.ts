import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { samplesIn } from '../../../testing/moments/samples.ts';
import { adapterContract, RECEIVED_AT, readBody } from './adapter.contract.ts';
import { gitlab } from './gitlab.ts';

adapterContract('gitlab', gitlab);

const { sample, result } = samplesIn('gitlab', gitlab);

describe('a GitLab webhook', () => {
  it('begins an incident that is named by its place and title', () => {
    const event = sample('issue-open');
    assert.equal(event.action, 'open');
    assert.equal(event.type, 'incident');
    assert.equal(event.name, 'invoices#23 Queue of invoices does not move');
    assert.equal(event.dedupKey, '14#23');
    assert.equal(event.priority, 'high');
    assert.equal(event.source, 'GitLab');
    assert.equal(event.sourceUrl, 'https://gitlab.example.com/billing/invoices/-/issues/23');
    assert.equal(String(event.occurredAt), '2026-11-20T03:05:55Z');
    assert.match(event.description ?? '', /^Nothing since \*\*03:00\*\*/, 'it writes Markdown');
  });

  it('acknowledges when somebody takes the issue and resolves when it is closed', () => {
    const events = ['issue-open', 'issue-assigned', 'issue-close'].map((name) => sample(name));
    assert.deepEqual(
      events.map((event) => event.action),
      ['open', 'acknowledge', 'resolve'],
    );
    assert.equal(new Set(events.map((event) => event.dedupKey)).size, 1);
  });

  it('about an incident needs no label, and follows its own status', () => {
    const events = ['incident-open', 'incident-acknowledged', 'incident-close'].map((name) => sample(name));
    assert.deepEqual(
      events.map((event) => event.action),
      ['open', 'acknowledge', 'resolve'],
    );
    assert.equal(events[0]?.priority, 'high');
    const resolved = { 'object_attributes.escalation_status': 'resolved' };
    assert.equal(sample('incident-acknowledged', resolved).action, 'resolve');
    assert.equal(sample('incident-acknowledged', { changes: {} }).action, 'open', 'some other update');
    const again = { 'object_attributes.escalation_status': 'triggered' };
    assert.equal(sample('incident-acknowledged', again).action, 'unacknowledge');
    const given = { 'changes.assignees': { previous: [{ name: 'Ada' }], current: [] } };
    assert.equal(sample('issue-assigned', given).action, 'unacknowledge');
  });

  it('takes its priority from the severity, otherwise from the labels', () => {
    const priority = (severity: string, label: string) =>
      sample('incident-open', { 'object_attributes.severity': severity, labels: [{ title: label }] })
        .priority;
    assert.equal(priority('HIGH', 'p5'), 'high');
    assert.equal(priority('medium', 'p1'), 'medium');
    assert.equal(priority('LOW', 'x'), 'low');
    assert.equal(priority('UNKNOWN', 'priority::4'), 'low');
    assert.equal(priority('UNKNOWN', 'x'), 'medium');
  });

  it('that is a test has no action, so the state decides', () => {
    assert.equal(sample('issue-open', { 'object_attributes.action': undefined }).action, 'open');
    assert.equal(sample('issue-close', { 'object_attributes.action': undefined }).action, 'resolve');
  });

  it('has to pass the filter to begin a moment, but not to end it', () => {
    assert.ok('ignored' in result('issue-open', { labels: [] }));
    assert.ok(
      'events' in result('issue-open', { labels: [] }, { settings: { filter: { types: ['issue'] } } }),
    );
    assert.equal(sample('issue-close', { labels: [] }).action, 'resolve');
  });

  it('opens an acknowledged moment if the issue first matches when somebody takes it', () => {
    const event = sample('issue-assigned', { labels: [{ title: 'severity::1' }] });
    assert.deepEqual([event.action, event.opens, event.priority], ['acknowledge', true, 'high']);
    assert.equal(event.by, 'Ada Lovelace');
    assert.equal(sample('issue-assigned', { labels: [] }).opens, false, 'it does not match');
  });

  it('about a member or a subgroup is ignored', () => {
    for (const event_name of [
      'user_add_to_group',
      'user_update_for_group',
      'subgroup_create',
      'project_destroy',
    ])
      assert.match(
        JSON.stringify(readBody(gitlab, JSON.stringify({ event_name, group_name: 'Billing' }))),
        new RegExp(`ignored.*${event_name}`),
      );
    assert.ok('error' in readBody(gitlab, '{"group_name": "Billing"}'));
  });

  it('has its delivery id in a header', () => {
    const id = (headers: Record<string, string>) => gitlab.senderCallId?.({ headers, body: Buffer.alloc(0) });
    assert.equal(id({ 'webhook-id': 'new', 'idempotency-key': 'old' }), 'new');
    assert.equal(id({ 'idempotency-key': 'old' }), 'old');
  });
});

describe("GitLab's secret", () => {
  const body = Buffer.from('{"object_kind": "issue"}');
  const signing = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

  function signed(secret: string, at: Temporal.Instant): Record<string, string> {
    const signature = new StandardWebhook(secret).sign(
      'w-1',
      new Date(at.epochMilliseconds),
      body.toString(),
    );
    return {
      'webhook-id': 'w-1',
      'webhook-timestamp': String(Math.floor(at.epochMilliseconds / 1_000)),
      'webhook-signature': signature,
    };
  }

  const verified = (secret: string, headers: Record<string, string>) =>
    gitlab.verify?.({ headers, body, secret, now: RECEIVED_AT });

  it('must equal a configured token', () => {
    assert.equal(verified('s3cret', { 'x-gitlab-token': 's3cret' }), true);
    assert.equal(
      verified('s3cret', { 'x-gitlab-token': 's3cret', 'webhook-id': 'w', 'webhook-timestamp': '1' }),
      true,
    );
    assert.equal(verified('s3cret', { 'x-gitlab-token': 'other' }), false);
    assert.equal(verified('s3cret', {}), false);
  });

  it('must be a recent signature for a signing token', () => {
    assert.equal(verified(signing, signed(signing, RECEIVED_AT)), true);
    assert.equal(verified(signing, signed(signing, RECEIVED_AT.subtract({ minutes: 6 }))), false);
    const other = `whsec_${Buffer.alloc(32, 6).toString('base64')}`;
    assert.equal(verified(signing, signed(other, RECEIVED_AT)), false);
    assert.equal(verified(signing, { 'x-gitlab-token': signing }), false, 'it is never shown');
  });

  it('may be either', () => {
    assert.equal(gitlab.checkSecret?.('s3cret'), null);
    assert.equal(gitlab.checkSecret?.(signing), null);
    assert.match(gitlab.checkSecret?.('whsec_short') ?? '', /Standard Webhooks/);
  });
});
