import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { samplesIn } from '../../../testing/moments/samples.ts';
import { adapterContract, readBody } from './adapter.contract.ts';
import { newrelic } from './newrelic.ts';

adapterContract('newrelic', newrelic);

const { sample } = samplesIn('newrelic', newrelic);

describe('a New Relic issue', () => {
  it('begins', () => {
    const event = sample('activated');
    assert.equal(event.action, 'open');
    assert.equal(event.name, "Memory Used % > 90 for at least 2 minutes on 'db-01'");
    assert.equal(event.type, 'alert');
    assert.equal(event.priority, 'high');
    assert.equal(event.severity, 'CRITICAL');
    assert.deepEqual(event.labels, ['Databases']);
    assert.equal(event.source, 'New Relic');
    assert.match(event.sourceUrl ?? '', /^https:\/\/radar-api\.service\.eu\.newrelic\.com\//);
    assert.equal(String(event.occurredAt), '2026-11-20T05:01:00Z');
    assert.equal(String(event.at), '2026-11-20T05:01:01.5Z');
    assert.match(event.description ?? '', /\*\*Affected:\*\* db-01, db-02/);
    assert.match(event.description ?? '', /\*\*Condition:\*\* Memory of databases/);
  });

  it('is acknowledged and closed under the same key, each later than the one before', () => {
    const events = [sample('activated'), sample('acknowledged'), sample('closed')];
    assert.deepEqual(
      events.map(({ action }) => action),
      ['open', 'acknowledge', 'resolve'],
    );
    assert.equal(new Set(events.map(({ dedupKey }) => dedupKey)).size, 1);
    const times = events.map(({ at }) => at.epochMilliseconds);
    assert.deepEqual(times, times.toSorted());
  });

  it('is closed even if it was acknowledged before', () => {
    assert.equal(sample('closed', { acknowledgedAt: 1_795_151_000_000 }).action, 'resolve');
    assert.equal(sample('activated', { acknowledgedAt: null }).action, 'open');
  });

  it('has the priority of New Relic', () => {
    const priority = (word: string) => sample('activated', { priority: word }).priority;
    assert.deepEqual(['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'odd'].map(priority), [
      ...['high', 'high', 'medium', 'low', 'medium'],
    ]);
  });

  it('may have its title in a list', () => {
    assert.equal(sample('created-low').name, 'Slow page');
  });

  it('of an older notification channel is read as well', () => {
    const event = sample('older-channel');
    assert.equal(event.name, "Apdex < 0.8 for at least 5 minutes on 'checkout'");
    assert.equal(event.dedupKey, '912345');
    assert.equal(event.sourceUrl, 'https://alerts.newrelic.com/accounts/3141592/incidents/912345');
    assert.equal(sample('older-channel', { current_state: 'acknowledged' }).action, 'acknowledge');
    assert.equal(sample('older-channel', { current_state: 'closed' }).action, 'resolve');
  });

  it('without state or title names the missing field', () => {
    const error = (body: string) => {
      const result = readBody(newrelic, body);
      return 'error' in result ? result.error : '';
    };
    assert.match(error('{"title": "x"}'), /has no "state"/);
    assert.match(error('{"state": "ACTIVATED"}'), /has no "title"/);
  });
});
