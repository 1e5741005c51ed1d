import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { samplesIn } from '../../../testing/moments/samples.ts';
import { adapterContract, eventsOf, RECEIVED_AT, readBody } from './adapter.contract.ts';
import { azureMonitor } from './azure-monitor.ts';

adapterContract('azure-monitor', azureMonitor);

const { sample, body } = samplesIn('azure-monitor', azureMonitor);

describe('an alert of Azure Monitor', () => {
  it('begins', () => {
    const event = sample('fired');
    assert.equal(event.action, 'open');
    assert.equal(event.name, 'CPU of shop on shop-vm-1');
    assert.equal(event.type, 'alert');
    assert.equal(event.priority, 'high');
    assert.equal(event.severity, 'Sev1');
    assert.deepEqual(event.labels, ['team=sre', 'near-miss=no']);
    assert.equal(event.source, 'Azure Monitor');
    assert.match(
      event.sourceUrl ?? '',
      /^https:\/\/portal\.azure\.com\/#view\/.*\/alertId~\/%2Fsubscriptions%2F5f0e8f2d/,
    );
    assert.equal(String(event.occurredAt), '2026-11-20T05:01:00.371321Z', 'to the microsecond');
    assert.match(
      event.description ?? '',
      /^CPU is \\\*very\\\* busy\n\n- Average Percentage CPU GreaterThan 90 \(97\.75\)/,
    );
    assert.match(event.description ?? '', /\*\*team:\*\* sre/);
  });

  it('ends under the same key', () => {
    assert.equal(sample('resolved').action, 'resolve');
    assert.equal(sample('resolved').dedupKey, sample('fired').dedupKey);
    assert.equal(String(sample('resolved').at), '2026-11-20T05:12:16.224631Z');
    const without = sample('resolved', { 'data.essentials.resolvedDateTime': undefined });
    assert.ok(without.at.equals(RECEIVED_AT), 'not every service says when');
  });

  it('has a priority for each severity, which Azure counts from 0', () => {
    const priority = (severity: string) => sample('fired', { 'data.essentials.severity': severity }).priority;
    assert.deepEqual(['Sev0', 'Sev1', 'Sev2', 'Sev3', 'Sev4', 'odd'].map(priority), [
      ...['high', 'high', 'medium', 'low', 'low', 'medium'],
    ]);
  });

  it('from logs links to what was found, and to the investigation', () => {
    const event = sample('log-alert');
    assert.equal(event.name, 'Errors of checkout on logs');
    assert.equal(event.sourceUrl, 'https://portal.azure.com/#view/x/investigation');
    assert.match(event.description ?? '', /\[Results\]\(<https:\/\/portal\.azure\.com#@x\/blade\/Logs>\)/);
    assert.match(event.description ?? '', /Count requests \\\| where success/);
  });

  it('about the health of Azure shows the title', () => {
    assert.match(sample('service-health').description ?? '', /Storage in West Europe is degraded/);
  });

  it('in another schema says what to switch on', () => {
    const result = readBody(azureMonitor, '{"schemaId": "AzureMonitorOdd", "data": {"status": "Activated"}}');
    assert.deepEqual(result, {
      error: 'the schema is "AzureMonitorOdd"; switch on the common alert schema in the action group.',
    });
    const nothing = readBody(azureMonitor, '{"schemaId": "AzureMonitorMetricAlert", "data": {}}');
    assert.ok('error' in nothing);
  });

  it('in the older schema of metrics begins and ends', () => {
    const event = sample('older-metric');
    assert.deepEqual(
      [event.action, event.name, event.priority, String(event.occurredAt)],
      ['open', 'Too few transactions on shopdata', 'high', '2026-11-20T05:01:10.171401Z'],
    );
    assert.match(event.sourceUrl ?? '', /^https:\/\/portal\.azure\.com\/#resource/);
    assert.match(event.description ?? '', /- Total Transactions LessThan 5 \(1\)/);
    const end = sample('older-metric', { 'data.status': 'Deactivated' });
    assert.deepEqual([end.action, end.dedupKey], ['resolve', event.dedupKey]);
  });

  it('in the older schema of activity logs begins and ends', () => {
    const event = sample('older-activity');
    assert.deepEqual(
      [event.action, event.name, event.priority, String(event.occurredAt)],
      ['open', 'shop-vm-1 is not available', 'high', '2026-11-20T05:09:03.343Z'],
    );
    assert.match(event.description ?? '', /^The host of the virtual machine was lost\./);
    assert.match(
      event.sourceUrl ?? '',
      /#resource\/subscriptions\/.*shop-vm-1$/,
      'it has no alert to lead to',
    );
    const end = sample('older-activity', { 'data.context.activityLog.status': 'Resolved' });
    assert.deepEqual([end.action, end.dedupKey], ['resolve', event.dedupKey]);
  });

  it('of classic alerts names no schema', () => {
    const event = sample('classic-metric');
    assert.deepEqual([event.action, event.name], ['open', 'Too many requests on shopsite']);
    assert.match(event.description ?? '', /- Total Requests GreaterThanOrEqual 1000 \(1200\)/);
    const end = sample('classic-metric', { status: 'Resolved' });
    assert.deepEqual([end.action, end.dedupKey], ['resolve', event.dedupKey]);
  });

  it('in the older schemas of logs has no end, and is known by its rule', () => {
    const event = sample('older-log');
    assert.deepEqual(
      [event.action, event.name, event.priority, String(event.occurredAt)],
      ['open', 'Errors of checkout in the log on logs', 'high', '2026-11-20T05:01:00Z'],
    );
    assert.equal(event.sourceUrl, 'https://portal.azure.com#@x/blade/Logs/found');
    assert.match(event.description ?? '', /^Customers cannot pay\.\n\n- requests .* Greater Than 10 \(42\)/);
    const later = sample('older-log', { SearchIntervalEndtimeUtc: '2026-11-20T05:16:00Z' });
    assert.equal(later.dedupKey, event.dedupKey);
    const wrapped = {
      schemaId: 'Microsoft.Insights/LogAlert',
      data: JSON.parse(body('older-log')) as unknown,
    };
    assert.deepEqual(eventsOf(azureMonitor, JSON.stringify(wrapped)), [event]);
  });

  it('about the health of Azure is one moment for an issue, whatever alerts report it', () => {
    const event = sample('service-health');
    assert.deepEqual([event.action, event.name], ['open', 'Storage in West Europe is degraded']);
    const next = { 'data.essentials.alertId': '/subscriptions/x/alerts/next' };
    assert.equal(sample('service-health', next).dedupKey, event.dedupKey);
    const time = { 'data.essentials.firedDateTime': '2026-11-20T05:31:00Z' };
    const end = sample('service-health', {
      ...next,
      ...time,
      'data.alertContext.properties.stage': 'Resolved',
    });
    assert.deepEqual(
      [end.action, end.dedupKey, String(end.at)],
      ['resolve', event.dedupKey, '2026-11-20T05:31:00Z'],
    );
    const closed = sample('service-health', { ...next, 'data.alertContext.status': 'Resolved' });
    assert.equal(closed.action, 'resolve');
  });

  it('about the health of a resource ends when it is well, in another alert', () => {
    const event = sample('resource-health');
    assert.deepEqual([event.action, event.name], ['open', 'Health of our machines on shop-vm-1']);
    assert.match(event.description ?? '', /^The machine does not answer/);
    const end = sample('resource-health', {
      'data.essentials.alertId': '/subscriptions/x/alerts/next',
      'data.alertContext.operationName': 'Microsoft.Resourcehealth/healthevent/Resolved/action',
      'data.alertContext.properties.currentHealthStatus': 'Available',
    });
    assert.deepEqual([end.action, end.dedupKey], ['resolve', event.dedupKey]);
  });

  it('without the time of its beginning ends at its receipt', () => {
    const end = sample('resolved', { 'data.essentials.firedDateTime': undefined });
    assert.ok(end.at.equals(RECEIVED_AT));
  });

  it('of a budget has no rule and no condition', () => {
    const older = sample('older-budget');
    assert.deepEqual(
      [older.action, older.name, older.description],
      [...['open', 'Budget shop', '812.40 of 800 EUR are spent.']],
    );
    const event = sample('budget');
    assert.deepEqual([event.action, event.name, event.priority], ['open', 'Budget shop', 'medium']);
    assert.match(event.description ?? '', /^The shop has spent/);
  });
});

it('reads an alert that an Automation runbook passes on, as text or as an object', () => {
  const event = sample('runbook');
  assert.deepEqual([event.action, event.name, event.severity], ['open', 'Queue is long on orders', 'Sev1']);
  const { RequestBody: inner } = JSON.parse(body('runbook')) as { RequestBody: string };
  assert.deepEqual(sample('runbook', { RequestBody: JSON.parse(inner) }), event);
});
