import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { samplesIn } from '../../../testing/moments/samples.ts';
import { adapterContract, RECEIVED_AT, readBody } from './adapter.contract.ts';
import { grafana } from './grafana.ts';

adapterContract('grafana', grafana);

const { sample, body } = samplesIn('grafana', grafana);

describe('a Grafana notification', () => {
  it('about one alert is named by its summary and leads to its panel', () => {
    const event = sample('firing');
    assert.equal(event.action, 'open');
    assert.equal(event.name, 'node-17 has 3 % of its memory left');
    assert.equal(event.type, 'alert');
    assert.equal(event.priority, 'high');
    assert.equal(event.severity, 'critical');
    assert.ok(event.labels?.includes('grafana_folder=Nodes'));
    assert.equal(event.source, 'Grafana');
    assert.equal(event.sourceUrl, 'https://grafana.example.com/d/nodes?orgId=1&viewPanel=4');
    assert.equal(String(event.occurredAt), '2026-11-20T05:12:40Z');
  });

  it('keeps the Markdown of its annotations and has the links of Grafana', () => {
    const { description } = sample('firing');
    assert.match(description ?? '', /^The kernel \*\*will kill\*\* something soon\.\n/);
    for (const link of ['Runbook', 'Dashboard', 'Panel', 'Source', 'Silence'])
      assert.ok(description?.includes(`[${link}](<https://`), link);
  });

  it('ends what it began', () => {
    const resolved = sample('resolved');
    assert.equal(resolved.action, 'resolve');
    assert.equal(resolved.dedupKey, sample('firing').dedupKey);
    assert.equal(String(resolved.at), '2026-11-20T05:31:10Z');
  });

  it('about different alerts names them, and falls back to one with a URL', () => {
    const event = sample('firing-several');
    assert.equal(event.name, 'High memory and others (2 firing)');
    assert.equal(event.priority, 'medium');
    assert.equal(event.sourceUrl, 'https://grafana.example.com/alerting/x');
    assert.match(event.description ?? '', /- \*\*firing\*\* High CPU in eu-1/);
    assert.doesNotMatch(event.description ?? '', /Silence/, 'a silence of one of them would not do');
  });

  it('about alerts without a name is named by its own title', () => {
    const bare = { 'alerts.0.labels': {}, 'alerts.0.annotations': {}, commonLabels: {} };
    assert.equal(
      sample('firing', { ...bare, title: '[FIRING:1]  Checkout of the shop' }).name,
      'Checkout of the shop',
    );
    assert.equal(sample('firing', { ...bare, title: '[RESOLVED]' }).name, 'Grafana alert');
  });

  it('about a rule without data names the rule', () => {
    const labels = { alertname: 'DatasourceNoData', rulename: 'CPU of the shop', ref_id: 'A' };
    const event = sample('firing', {
      'alerts.0.labels': labels,
      'alerts.0.annotations': {},
      commonLabels: labels,
    });
    assert.equal(event.name, 'CPU of the shop has no data');
    const several = { 'alerts.0.labels': labels, 'alerts.1.labels': labels, commonLabels: labels };
    assert.equal(sample('firing-several', several).name, 'CPU of the shop has no data (2 firing)');
    const error = { ...labels, alertname: 'DatasourceError' };
    const failed = sample('firing', { 'alerts.0.labels': error, 'alerts.0.annotations': {} });
    assert.equal(failed.name, 'CPU of the shop cannot be evaluated');
  });

  it('ends at its receipt if its beginning is unknown', () => {
    assert.ok(sample('resolved', { 'alerts.0.startsAt': '' }).at.equals(RECEIVED_AT));
  });

  it('from the test button is recorded like any other', () => {
    assert.equal(sample('test-button').name, 'Notification test');
    assert.equal(sample('test-button').sourceUrl, 'https://grafana.example.com/');
  });

  it('with a custom payload names the fix', () => {
    const result = readBody(grafana, '{"text": "Something fires"}');
    assert.match(
      'error' in result ? result.error : '',
      /custom payload of the contact point must be removed\.$/,
    );
  });

  it('of the alerting before version 9 begins and ends a rule', () => {
    const [alerting, ok] = [sample('legacy-alerting'), sample('legacy-ok')];
    assert.equal(alerting.name, 'CPU of nodes');
    assert.equal(alerting.priority, 'high');
    assert.match(alerting.description ?? '', /^CPU is above 95 %\n\n`cpu of node-17=97\.2`/);
    assert.deepEqual([alerting.action, ok.action], ['open', 'resolve']);
    assert.equal(alerting.dedupKey, ok.dedupKey);
  });
});

describe('the signature of Grafana', () => {
  const secret = 'correct horse battery';
  const seconds = Math.floor(RECEIVED_AT.epochMilliseconds / 1_000);
  const mac = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
  const raw = body('firing');

  function verified(headers: Record<string, string>, text = raw): boolean | undefined {
    return grafana.verify?.({ headers, body: Buffer.from(text), secret, now: RECEIVED_AT });
  }

  it('is valid over the body', () => {
    assert.equal(verified({ 'x-grafana-alerting-signature': mac(raw) }), true);
    assert.equal(verified({ 'x-grafana-alerting-signature': mac(raw) }, `${raw} `), false);
    assert.equal(verified({ 'x-grafana-alerting-signature': '' }), false);
    assert.equal(verified({}), false);
  });

  it('is valid over time and body for five minutes', () => {
    const signed = (at: number) => ({
      'x-grafana-alerting-signature': mac(`${at}:${raw}`),
      'x-grafana-alerting-timestamp': String(at),
    });
    assert.equal(verified(signed(seconds)), true);
    assert.equal(verified(signed(seconds - 299)), true);
    assert.equal(verified(signed(seconds - 301)), false);
    assert.equal(verified({ ...signed(seconds), 'x-grafana-alerting-timestamp': 'now' }), false);
    const { 'x-grafana-alerting-signature': signature } = signed(seconds);
    assert.equal(
      verified({ 'x-grafana-alerting-signature': signature }),
      false,
      'the time cannot be left out',
    );
  });
});
