import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { samplesIn } from '../../../testing/moments/samples.ts';
import { adapterContract } from './adapter.contract.ts';
import { statuspage } from './statuspage.ts';

adapterContract('statuspage', statuspage);

const { sample, result } = samplesIn('statuspage', statuspage);

describe('a report of a status page', () => {
  it('begins an incident', () => {
    const event = sample('investigating');
    assert.equal(event.action, 'open');
    assert.equal(event.type, 'incident');
    assert.equal(event.name, 'Elevated errors of object storage in eu-central');
    assert.equal(event.priority, 'high');
    assert.equal(event.severity, 'major');
    assert.equal(event.source, 'Statuspage');
    assert.equal(event.sourceUrl, 'https://stspg.example/p31zjtct2jer');
    assert.equal(event.dedupKey, 'k3v9q7x1m5zt/p31zjtct2jer');
    assert.equal(String(event.occurredAt), '2026-11-20T00:10:00Z');
  });

  it('has the newest update without its HTML, and the components', () => {
    const { description } = sample('investigating');
    assert.match(description ?? '', /^We see elevated errors\. {2}\nReads are affected \\& slow\.\n/);
    assert.match(description ?? '', /\*\*Component:\*\* Object storage \(partial outage\)/);
    assert.match(sample('identified').description ?? '', /^A fix is being rolled out\./);
    const turned = {
      'incident.incident_updates': [
        { body: 'old', created_at: '2026-01-01T00:00:00Z' },
        { body: 'new', created_at: '2026-01-02T00:00:00Z' },
      ],
    };
    assert.match(sample('identified', turned).description ?? '', /^new\n/);
  });

  it('continues and ends', () => {
    const events = ['investigating', 'identified', 'resolved', 'postmortem'].map((name) => sample(name));
    assert.deepEqual(
      events.map((event) => event.action),
      ['open', 'open', 'resolve', 'resolve'],
    );
    assert.equal(new Set(events.map((event) => event.dedupKey)).size, 1);
    const times = events.map((event) => event.at.epochMilliseconds);
    assert.deepEqual(times, times.toSorted());
  });

  it('about maintenance begins when the work does', () => {
    const [begun, done] = ['maintenance-in-progress', 'maintenance-completed'].map((name) => sample(name));
    assert.deepEqual([begun?.action, begun?.priority], ['open', 'low']);
    assert.equal(String(begun?.occurredAt), '2026-11-20T04:00:00Z');
    assert.equal(done?.action, 'resolve');
  });

  it('has its priority from the impact', () => {
    const priority = (impact: unknown) => sample('investigating', { 'incident.impact': impact }).priority;
    assert.deepEqual(['critical', 'major', 'minor', 'maintenance', 'none', 'odd'].map(priority), [
      ...['high', 'high', 'medium', 'low', 'low', 'medium'],
    ]);
  });

  it('may write its words in upper case, as other pages do', () => {
    const event = sample('upper-case');
    assert.deepEqual([event.action, event.priority], ['open', 'medium']);
    assert.equal(event.sourceUrl, 'https://status.example.org/in-77');
    assert.equal(sample('upper-case', { 'incident.status': 'RESOLVED' }).action, 'resolve');
    assert.ok('ignored' in result('upper-case', { 'incident.status': 'NOTSTARTEDYET' }));
  });
});
