import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { samplesIn } from '../../../testing/moments/samples.ts';
import { adapterContract, eventsOf, readBody } from './adapter.contract.ts';
import { datadog } from './datadog.ts';
import { readDatadogTitle } from './datadog-title.ts';

adapterContract('datadog', datadog);

const { sample, body } = samplesIn('datadog', datadog);

describe('a Datadog webhook with our payload', () => {
  it('begins an alert', () => {
    const event = sample('triggered');
    assert.equal(event.action, 'open');
    assert.equal(event.name, 'Disk of db-01 is full');
    assert.equal(event.priority, 'high');
    assert.equal(event.severity, 'P2');
    assert.deepEqual(event.labels, ['env:prod', 'host:db-01', 'monitor', 'team:sre']);
    assert.equal(event.source, 'Datadog');
    assert.equal(event.sourceUrl, 'https://app.datadoghq.eu/event/event?id=7251839402217453312');
    assert.equal(String(event.occurredAt), '2026-11-20T05:01:00Z');
    assert.equal(String(event.at), '2026-11-20T05:01:01Z');
  });

  it('keeps its Markdown, without fences and handles', () => {
    const { description } = sample('triggered');
    assert.match(description ?? '', /^Disk is at \*\*97 %\*\*\. See the \[runbook\]/);
    assert.doesNotMatch(description ?? '', /%%%|@webhook|@slack/);
    assert.match(description ?? '', /ada@example\.com/, 'an address is not a handle');
    assert.match(description ?? '', /\*\*Host:\*\* db-01/);
  });

  it('ends what it began', () => {
    const [triggered, recovered] = [sample('triggered'), sample('recovered')];
    assert.equal(recovered.action, 'resolve');
    assert.equal(recovered.dedupKey, triggered.dedupKey);
    assert.ok(Temporal.Instant.compare(triggered.at, recovered.at) < 0);
  });

  it('treats unfilled variables as absent', () => {
    const event = sample('warn-unset-variables');
    assert.equal(event.name, 'Queue of mails grows');
    assert.equal(event.priority, 'medium');
    assert.equal(event.severity, 'warning');
    assert.equal(event.dedupKey, 'monitor 48213399 ');
    assert.doesNotMatch(event.description ?? '', /\$|Host|Snapshot/);
  });

  it('takes its priority from the monitor, otherwise from the kind of alert', () => {
    const priority = (changes: Record<string, unknown>) => sample('triggered', changes).priority;
    assert.equal(priority({ alert_priority: 'P1' }), 'high');
    assert.equal(priority({ alert_priority: 'P3' }), 'medium');
    assert.equal(priority({ alert_priority: 'P5' }), 'low');
    assert.equal(priority({ alert_priority: '' }), 'high');
    assert.equal(priority({ alert_priority: '', alert_type: 'warning' }), 'medium');
    assert.equal(priority({ alert_priority: '', alert_type: 'info' }), 'low');
    assert.equal(priority({ alert_priority: '', alert_type: 'toString' }), 'medium');
    assert.equal(sample('no-data').priority, 'medium');
  });

  for (const transition of [
    'Triggered',
    'Re-Triggered',
    'No Data',
    'Re-No Data',
    'Warn',
    'Re-Warn',
    'Renotify',
  ])
    it(`that says ${transition} is open`, () => {
      assert.equal(sample('triggered', { alert_transition: transition }).action, 'open');
    });
});

describe('a Datadog webhook with another payload', () => {
  it('of Datadog itself has its state and scope in the title', () => {
    const [triggered, recovered] = [sample('default-triggered'), sample('default-recovered')];
    assert.equal(triggered.name, 'Errors of checkout');
    assert.deepEqual([triggered.action, recovered.action], ['open', 'resolve']);
    assert.equal(recovered.dedupKey, triggered.dedupKey);
    assert.notEqual(
      sample('default-triggered', { title: '[Triggered on {service:search}] Errors of checkout' }).dedupKey,
      triggered.dedupKey,
    );
  });

  it('may have its priority in the title', () => {
    const event = sample('default-triggered', {
      title: '[P4] [Warn on {service:checkout}] Errors of checkout',
    });
    assert.deepEqual([event.priority, event.severity], ['low', 'P4']);
  });

  it('may have a title with the state beside that of the alert', () => {
    const changes = { alert_title: 'Errors of checkout', title: '[Recovered on {service:checkout}] Errors' };
    assert.equal(sample('default-triggered', changes).action, 'resolve');
    const link = 'https://app.datadoghq.com/event/event?id=9';
    assert.equal(sample('default-triggered', { event_link: link }).sourceUrl, link);
  });

  it('may put the variables elsewhere, under names in capitals', () => {
    const event = sample('nested-in-metadata');
    assert.equal(event.name, 'Replication lags');
    assert.equal(event.priority, 'high');
    assert.equal(event.dedupKey, 'monitor 77 db:orders');
    assert.equal(event.sourceUrl, 'https://app.datadoghq.com/monitors/77');
  });

  it('may come as a form', () => {
    const { org: _, ...flat } = JSON.parse(body('triggered')) as Record<string, string> & { org: unknown };
    const [event] = eventsOf(datadog, new URLSearchParams(flat).toString());
    assert.equal(event?.dedupKey, sample('triggered').dedupKey);
    assert.equal(event?.priority, 'high');
  });

  it('without a title names the missing field', () => {
    const result = readBody(datadog, '{"title": "$EVENT_TITLE", "alert_transition": "Triggered"}');
    assert.match('error' in result ? result.error : '', /has no "title"/);
  });
});

describe('the title of a Datadog event', () => {
  it('is split into its parts', () => {
    assert.deepEqual(readDatadogTitle('[P1] [Re-Triggered on {a:b,c:d}] X'), {
      name: 'X',
      priority: 'P1',
      state: 'Re-Triggered',
      scope: 'a:b,c:d',
    });
    assert.deepEqual(readDatadogTitle('[No Data] X'), {
      name: 'X',
      priority: null,
      state: 'No Data',
      scope: null,
    });
    assert.deepEqual(readDatadogTitle('[TEST] [Warn] X'), {
      name: '[TEST] X',
      priority: null,
      state: 'Warn',
      scope: null,
    });
    assert.deepEqual(readDatadogTitle('[EU] X'), {
      name: '[EU] X',
      priority: null,
      state: null,
      scope: null,
    });
    assert.deepEqual(readDatadogTitle('[Triggered]'), {
      name: '[Triggered]',
      priority: null,
      state: 'Triggered',
      scope: null,
    });
  });
});
