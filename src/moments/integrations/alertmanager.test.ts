import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MomentEvent } from '../event.ts';
import { adapterContract, eventsOf, RECEIVED_AT, samplesOf } from './adapter.contract.ts';
import { alertmanager } from './alertmanager.ts';

adapterContract('alertmanager', alertmanager);

const samples = samplesOf('alertmanager');

function only(body: Buffer | string | object): MomentEvent {
  const text = typeof body === 'object' && !Buffer.isBuffer(body) ? JSON.stringify(body) : body;
  const [event, ...others] = eventsOf(alertmanager, text);
  assert.ok(event && others.length === 0, 'a group is one event');
  return event;
}

function sample(name: string, changes: object = {}): MomentEvent {
  const body = samples.get(name);
  assert.ok(body, `there is no sample ${name}`);
  return only({ ...(JSON.parse(body.toString()) as object), ...changes });
}

function alert(status: string, labels: object, more: object = {}) {
  return { status, labels, annotations: {}, startsAt: '2026-11-20T05:00:00Z', ...more };
}

describe('an Alertmanager notification', () => {
  it('about one alert is named by its summary', () => {
    const event = sample('firing');
    assert.equal(event.action, 'open');
    assert.equal(event.name, 'Disk of db-01 will be full in two hours');
    assert.equal(event.type, 'alert');
    assert.equal(event.priority, 'high');
    assert.equal(event.source, 'Alertmanager');
    assert.match(event.sourceUrl ?? '', /^http:\/\/prometheus\.example\.com:9090\/graph/);
    assert.equal(String(event.occurredAt), '2026-11-19T22:14:03.217456Z');
    assert.equal(String(event.at), '2026-11-19T22:14:03.217456Z');
    assert.match(event.dedupKey ?? '', /^[0-9a-f]{64}$/);
  });

  it('has the text, the labels and the links in its description', () => {
    const { description } = sample('firing');
    assert.match(description ?? '', /^\/var\/lib\/postgresql is 93 % full and grows by 3 %\/h\.\n/);
    assert.match(description ?? '', /`mountpoint="\/var\/lib\/postgresql"`/);
    assert.match(description ?? '', /\[Runbook\]\(<https:\/\/runbooks\.example\.com\/disk>\)/);
    assert.match(description ?? '', /\[Dashboard\]/);
    assert.match(
      description ?? '',
      /\[Silence\]\(<http:\/\/alertmanager\.example\.com:9093\/#\/silences\/new\?filter=%7Balertname%3D/,
    );
  });

  it('ends the moment that it began', () => {
    const [firing, resolved] = [sample('firing'), sample('resolved')];
    assert.equal(resolved.action, 'resolve');
    assert.equal(resolved.dedupKey, firing.dedupKey);
    assert.equal(String(resolved.at), '2026-11-19T22:51:33.217456Z');
  });

  it('about several alerts is named by their common labels, and fires while any of them does', () => {
    const event = sample('partly-resolved-truncated');
    assert.equal(event.action, 'open');
    assert.equal(event.name, 'HighLatency (1+ firing) eu-1');
    assert.equal(event.priority, 'medium', 'what has ended does not count');
    assert.equal(String(event.occurredAt), '2026-11-20T01:30:00Z');
    assert.match(event.description ?? '', /- \*\*firing\*\* p99 of checkout is 4\.2 s `service="checkout"`/);
    assert.match(event.description ?? '', /- \*\*resolved\*\* p99 of search/);
    assert.match(event.description ?? '', /- and 3 more/);
  });

  it('that leaves alerts out has the time of its receipt, because the newest change may be hidden', () => {
    assert.ok(sample('partly-resolved-truncated').at.equals(RECEIVED_AT));
    assert.equal(
      String(sample('partly-resolved-truncated', { truncatedAlerts: 0 }).at),
      '2026-11-20T01:41:00Z',
    );
  });

  it('of a newer Alertmanager with unknown fields is still read', () => {
    const event = sample('firing-newer');
    assert.equal(event.name, 'Watchdog');
    assert.equal(event.priority, 'medium');
    assert.equal(event.sourceUrl, 'https://alertmanager.example.com');
    assert.equal(String(event.at), '2026-11-20T04:00:00Z');
  });

  it('without a summary is named by the alert and its place', () => {
    const at = (labels: object) =>
      only({ status: 'firing', alerts: [alert('firing', labels)], groupKey: 'x' }).name;
    assert.equal(at({ alertname: 'Down', instance: 'db-01:9100', pod: 'x' }), 'Down on db-01:9100');
    assert.equal(at({ alertname: 'Down', pod: 'api-7' }), 'Down on api-7');
    assert.equal(at({ alertname: 'Down' }), 'Down');
    assert.equal(at({}), 'Alertmanager alert');
  });

  it('takes its priority from the worst firing alert, under any of the usual names', () => {
    const of = (...labels: object[]) =>
      only({ status: 'firing', alerts: labels.map((each) => alert('firing', each)), groupKey: 'x' }).priority;
    assert.equal(of({ severity: 'page' }), 'high');
    assert.equal(of({ priority: 'P2' }), 'high');
    assert.equal(of({ level: 'Warning' }), 'medium');
    assert.equal(of({ severity: 'info' }), 'low');
    assert.equal(of({ severity: 'p4' }, { severity: 'info' }), 'low');
    assert.equal(of({ severity: 'info' }, { severity: 'error' }), 'high');
    assert.equal(of({ severity: 'strange' }), 'medium');
    assert.equal(of({}), 'medium');
  });

  it('with a long summary keeps the whole summary in the description', () => {
    const summary = `The replication from Frankfurt to Dublin ${'lags '.repeat(20)}behind`;
    const event = only({
      ...{ status: 'firing', groupKey: 'x' },
      alerts: [alert('firing', {}, { annotations: { summary, description: 'So it *is*.' } })],
    });
    assert.ok([...event.name].length <= 70 && event.name.endsWith('…'));
    assert.ok(event.description?.startsWith(`${summary}\n\nSo it \\*is\\*.`), event.description ?? '');
  });

  it('without a group key is distinguished by its group labels', () => {
    const key = (groupLabels: object, labels: object) =>
      only({ status: 'firing', groupLabels, alerts: [alert('firing', labels)] }).dedupKey;
    assert.equal(key({ a: 'x', b: 'y' }, { c: '1' }), key({ b: 'y', a: 'x' }, { c: '2' }));
    assert.notEqual(key({ a: 'x' }, {}), key({ a: 'y' }, {}));
    assert.notEqual(key({}, { c: '1' }), key({}, { c: '2' }));
  });

  it('names its alerts, each with the start of its firing or its end', () => {
    const parts = (...alerts: object[]) => only({ status: 'firing', groupKey: 'x', alerts }).parts;
    const at = Date.parse('2026-11-20T05:00:00Z');
    const ended = alert('resolved', { pod: 'b' }, { endsAt: '2026-11-20T05:10:00Z' });
    assert.deepEqual(Object.values(parts(alert('firing', { pod: 'a' }), ended) ?? {}), [
      { is: 'firing', at },
      { is: 'ended', at: at + 600_000 },
    ]);
    const name = (labels: object, more?: object) =>
      Object.keys(parts(alert('firing', labels, more)) ?? {})[0] ?? assert.fail('it has no name');
    assert.equal(name({ a: '1', b: '2' }), name({ b: '2', a: '1' }));
    assert.notEqual(name({ a: '1' }), name({ a: '2' }));
    assert.equal(name({ a: '1' }, { fingerprint: 'f' }), name({ a: '2' }, { fingerprint: 'f' }));
    assert.notEqual(name({}, { fingerprint: 'f' }), name({}, { fingerprint: 'g' }));
    assert.deepEqual(parts({ labels: { pod: 'a' } }), {}, 'without a beginning nothing is told');
  });

  it('has ended with all of its alerts when the group has', () => {
    const alerts = [alert('firing', {}), alert('resolved', { pod: 'b' })];
    const { parts } = only({ status: 'resolved', groupKey: 'x', alerts });
    assert.deepEqual(
      Object.values(parts ?? {}).map(({ is }) => is),
      ['ended', 'ended'],
    );
  });

  it('names no alerts if some are left out, or if there are too many', () => {
    assert.equal(sample('partly-resolved-truncated').parts, null);
    const named = (count: number) => {
      const alerts = Array.from({ length: count }, (_, index) => alert('firing', { pod: `p-${index}` }));
      return only({ status: 'firing', groupKey: 'x', alerts }).parts;
    };
    assert.equal(Object.keys(named(200) ?? {}).length, 200);
    assert.equal(named(201), null);
  });

  it('never has a time after its receipt', () => {
    const event = only({
      ...{ status: 'firing', groupKey: 'x' },
      alerts: [alert('firing', {}, { startsAt: '2031-01-01T00:00:00Z' })],
    });
    assert.ok(event.at.equals(RECEIVED_AT) && event.occurredAt.equals(RECEIVED_AT));
  });

  it('describes the first of very many alerts and counts the others', () => {
    const alerts = Array.from({ length: 20_000 }, (_, index) =>
      alert('firing', { alertname: 'X', pod: `p-${index}` }),
    );
    const event = only({
      status: 'firing',
      groupKey: 'x',
      groupLabels: { alertname: 'X' },
      commonLabels: { alertname: 'X' },
      alerts,
    });
    assert.equal(event.name, 'X (20000 firing)');
    assert.match(event.description ?? '', /- and 19,980 more/);
    assert.ok((event.description ?? '').length <= 20_000);
  });
});
