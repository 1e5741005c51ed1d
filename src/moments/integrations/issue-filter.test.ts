import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WebhookSettings } from '../settings-contract.ts';
import { filterIssue, type Issue } from './issue-filter.ts';

const filtered = (issue: Partial<Issue>, settings: WebhookSettings = {}) => {
  const result = filterIssue({ labels: [], type: null, priority: null, ...issue }, settings);
  return 'type' in result ? result.type : 'ignored';
};

describe('an issue of a tracker', () => {
  it('is an incident only if a label or its type names one', () => {
    for (const word of ['incident', 'Outage', 'SEV-1', 'sev 5', 'sev:3', 'p2'])
      assert.equal(filtered({ labels: ['ui', word] }), 'incident', word);
    assert.equal(filtered({ type: 'Incident' }), 'incident');
    for (const word of ['type::incident', 'kind/outage', '[System] Incident', 'priority: P1'])
      assert.equal(filtered({ labels: [word] }), 'incident', word);
    for (const word of ['severity::1', 'sev::2', 'priority::1', 'Severity: 5', 'prio/3'])
      assert.equal(filtered({ labels: [word] }), 'incident', word);
    for (const word of ['priority::4', 'severity::6', 'severity::1a', 'area::1', 'weight::1'])
      assert.equal(filtered({ labels: [word] }), 'ignored', word);
    for (const word of ['bug', 'p4', 'sev6', 'incidental', 'no outage'])
      assert.equal(filtered({ labels: [word], type: word }), 'ignored', word);
    assert.equal(filtered({ priority: 'p1' }), 'ignored');
  });

  it('is a near miss by its usual labels and by those of the webhook, whatever the filter', () => {
    for (const word of ['near-miss', 'Near Miss', 'nearmiss', 'near_miss'])
      assert.equal(filtered({ labels: [word, 'p1'] }), 'near-miss', word);
    const settings = { near_miss: { labels: ['close call'] }, filter: { labels: ['prod'] } };
    assert.equal(filtered({ labels: ['Close Call'] }, settings), 'near-miss');
  });

  it('must match every list of a filter, with one word of each', () => {
    const filter = { types: ['Bug', 'Task'], priorities: ['Highest', 'High'] };
    assert.equal(filtered({ type: 'bug', priority: 'high' }, { filter }), 'incident');
    assert.equal(filtered({ type: 'bug', priority: 'Low' }, { filter }), 'ignored');
    assert.equal(filtered({ type: 'bug', labels: ['outage'] }, { filter }), 'ignored');
    assert.equal(filtered({ labels: ['outage'] }, { filter: { labels: [] } }), 'incident');
  });
});
