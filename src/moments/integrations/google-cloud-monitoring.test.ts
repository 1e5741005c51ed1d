import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { samplesIn } from '../../../testing/moments/samples.ts';
import { adapterContract, RECEIVED_AT, readBody } from './adapter.contract.ts';
import { googleCloudMonitoring } from './google-cloud-monitoring.ts';

adapterContract('google-cloud-monitoring', googleCloudMonitoring);

const { sample, result } = samplesIn('google-cloud-monitoring', googleCloudMonitoring);

describe('an incident of Google Cloud Monitoring', () => {
  it('begins', () => {
    const event = sample('open');
    assert.equal(event.action, 'open');
    assert.equal(event.name, 'Checkout is slow in europe-west3');
    assert.equal(event.type, 'alert');
    assert.equal(event.priority, 'high');
    assert.equal(event.severity, 'Critical');
    assert.deepEqual(event.labels, ['sre', 'team=sre']);
    assert.equal(event.source, 'Google Cloud Monitoring');
    assert.match(
      event.sourceUrl ?? '',
      /^https:\/\/console\.cloud\.google\.com\/monitoring\/alerting\/incidents\//,
    );
    assert.equal(String(event.occurredAt), '2026-11-20T05:01:00Z', 'its times are seconds');
    assert.match(event.description ?? '', /^Request latency for acme-shop .*\n\nSee the \*\*runbook\*\*\.\n/);
    assert.match(event.description ?? '', /\[Runbook\]\(<https:\/\/runbooks\.example\.com\/checkout>\)/);
  });

  it('ends under the same key', () => {
    assert.equal(sample('closed').action, 'resolve');
    assert.equal(sample('closed').dedupKey, sample('open').dedupKey);
    assert.equal(String(sample('closed').at), '2026-11-20T05:11:00Z');
    assert.ok(
      sample('closed', { 'incident.started_at': 0 }).at.equals(RECEIVED_AT),
      'nothing to compare with',
    );
    assert.ok(sample('closed', { 'incident.ended_at': null }).at.equals(RECEIVED_AT));
  });

  it('without a subject is named by policy and condition', () => {
    const name = (policy: string | null, condition: string | null) =>
      sample('open-older', { 'incident.policy_name': policy, 'incident.condition_name': condition }).name;
    assert.equal(name('Disks', 'Usage of a VM'), 'Disks: Usage of a VM');
    assert.equal(name('Disks', 'Disks of a VM'), 'Disks of a VM');
    assert.equal(name('Disks of a VM', 'Disks'), 'Disks of a VM');
    assert.equal(name(null, 'Usage'), 'Usage');
    assert.equal(name(null, null), 'Incident 0.lj2v');
  });

  it('of an older policy has no severity, and its documentation is not Markdown', () => {
    assert.equal(sample('open-older').priority, 'medium');
    assert.match(sample('open-older').description ?? '', /Clean \\\*up\\\*/);
  });

  it('has the priority of its severity', () => {
    const priority = (severity: string) => sample('open', { 'incident.severity': severity }).priority;
    assert.deepEqual(['Critical', 'Error', 'Warning', 'No severity'].map(priority), [
      ...['high', 'high', 'medium', 'medium'],
    ]);
  });

  it('is recognised by its state, in any case', () => {
    assert.equal(sample('open', { 'incident.state': 'CLOSED' }).action, 'resolve');
    assert.equal(sample('open', { 'incident.state': 'ACKNOWLEDGED' }).action, 'acknowledge');
    assert.ok('ignored' in result('open', { 'incident.state': 'snoozed' }));
    const nothing = readBody(googleCloudMonitoring, '{"incident": {"incident_id": "1"}}');
    assert.match('error' in nothing ? nothing.error : '', /"incident_id" and a "state"/);
  });
});

it('reads an incident that a push subscription of Pub/Sub delivers', () => {
  const event = sample('pubsub');
  assert.deepEqual([event.dedupKey, event.action, event.priority], ['0.pubsub', 'open', 'high']);
  assert.equal(event.name, 'Queue: oldest message over 5 minutes');
  assert.ok('error' in result('pubsub', { 'message.data': 'bm8gSlNPTg==' }));
});
