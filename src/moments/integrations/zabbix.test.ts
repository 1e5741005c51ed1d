import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';
import { samplesIn } from '../../../testing/moments/samples.ts';
import { adapterContract, eventsOf, RECEIVED_AT, readBody } from './adapter.contract.ts';
import { zabbix } from './zabbix.ts';

adapterContract('zabbix', zabbix);

const { sample, body } = samplesIn('zabbix', zabbix);

describe('a problem in Zabbix', () => {
  it('begins', () => {
    const event = sample('problem');
    assert.equal(event.action, 'open');
    assert.equal(event.name, 'Disk /var is full on db-01');
    assert.equal(event.type, 'alert');
    assert.equal(event.priority, 'high');
    assert.equal(event.severity, 'High');
    assert.deepEqual(event.labels, ['scope', 'scope:capacity', 'near-miss']);
    assert.equal(event.source, 'Zabbix');
    assert.equal(event.sourceUrl, 'https://zabbix.example.com/tr_events.php?triggerid=20177&eventid=48213');
    assert.equal(String(event.occurredAt), '2026-11-20T05:01:00Z');
    assert.match(event.description ?? '', /^Free space is below 5 %\.\n\nClean up the old backups\.\n/);
    assert.match(event.description ?? '', /\*\*Data:\*\* \/var: 97\.1 %/);
    assert.doesNotMatch(
      event.description ?? '',
      /[{}]|Updated by/,
      'macros that are not filled are left out',
    );
  });

  it('continues at an update whose time of recovery is a placeholder', () => {
    const updated = JSON.parse(body('acknowledged'));
    const actionWith = (recovery: object) =>
      eventsOf(zabbix, JSON.stringify({ ...updated, ...recovery }))[0]?.action;
    for (const placeholder of ['', '-', '0', 'N/A', '1970.01.01', '{EVENT.RECOVERY.DATE}', '*UNKNOWN*'])
      for (const name of ['event_recovery_at', 'event_recovery_timestamp', 'event_recovery_date'])
        assert.equal(actionWith({ [name]: placeholder }), 'acknowledge', `${name}: ${placeholder}`);
    assert.equal(actionWith({ event_recovery_date: '2026.11.20' }), 'resolve');
    assert.equal(actionWith({ event_recovery_timestamp: '1795324830' }), 'resolve');
  });

  it('is acknowledged and ends under the same key, each later than the one before', () => {
    const events = [sample('problem'), sample('acknowledged'), sample('recovery')];
    assert.deepEqual(
      events.map(({ action }) => action),
      ['open', 'acknowledge', 'resolve'],
    );
    assert.deepEqual(new Set(events.map(({ dedupKey }) => dedupKey)), new Set(['48213']));
    assert.deepEqual(
      events.map(({ at }) => String(at)),
      ['2026-11-20T05:01:00Z', '2026-11-20T05:05:10Z', '2026-11-20T05:20:30Z'],
    );
    assert.deepEqual(
      [events[1]?.by, events[1]?.comment, events[1]?.description],
      ['Ada Lovelace', 'I am on it', null],
    );
  });

  it('that was updated in another way stays open', () => {
    assert.equal(sample('acknowledged', { event_ack_status: 'No' }).action, 'open');
    const takenBack = { event_ack_status: 'No', event_update_action: 'unacknowledged and commented' };
    assert.equal(sample('acknowledged', takenBack).action, 'unacknowledge');
  });

  it('has a priority for each of the six severities', () => {
    const priorities = ['0', '1', '2', '3', '4', '5'].map(
      (number) => sample('problem', { event_nseverity: number }).priority,
    );
    assert.deepEqual(priorities, ['low', 'low', 'low', 'medium', 'high', 'high']);
    assert.equal(sample('problem', { event_nseverity: '', event_severity: 'Warning' }).priority, 'low');
    assert.equal(sample('problem', { event_nseverity: '', event_severity: 'Ours' }).priority, 'medium');
  });

  it('is read from its subject if a script sends nothing else', () => {
    const event = sample('only-subject');
    assert.deepEqual([event.action, event.name], ['open', 'Zabbix agent on web-02 is unreachable']);
    assert.equal(event.priority, 'medium');
    assert.equal(event.sourceUrl, null);
    const resolved = sample('only-subject', { alert_subject: 'Resolved in 5m 3s: Zabbix agent on web-02' });
    assert.deepEqual([resolved.action, resolved.name], ['resolve', 'Zabbix agent on web-02']);
    const nothing = readBody(zabbix, '{"alert_subject": "Hello"}');
    assert.match('error' in nothing ? nothing.error : '', /no "event_value"/);
  });

  it('may have other names for its trigger and link', () => {
    const event = sample('other-names');
    assert.deepEqual(
      [event.action, event.name, event.priority],
      ['open', 'The agent is unreachable for 5 minutes on web-02', 'high'],
    );
    assert.match(event.sourceUrl ?? '', /eventid=10528$/);
    const ok = sample('other-names', { status: 'OK' });
    assert.deepEqual([ok.action, ok.dedupKey], ['resolve', event.dedupKey]);
  });

  it('with a time in an unknown zone uses it only if it is far away', () => {
    const occurredAt = (changes: Record<string, unknown>) =>
      sample('problem', { event_at: null, ...changes }).occurredAt;
    assert.ok(occurredAt({}).equals(RECEIVED_AT), 'an hour may be the zone');
    assert.equal(String(occurredAt({ event_date: '2026.11.17' })), '2026-11-17T06:01:00Z');
    assert.ok(occurredAt({ event_date: '2026.13.17' }).equals(RECEIVED_AT));
  });

  it('is identified by its message if there is nothing else', () => {
    const message = (first: string) =>
      `${first}\r\nProblem name: Disk is full\r\nHost: db-01\r\nSeverity: Disaster\r\nOriginal problem ID: 815\r\n`;
    const bodies = [
      { subject: 'Problem: Disk is full', message: message('Problem started at 06:00:00') },
      { subject: 'Resolved in 5m 3s: Disk is full', message: message('Problem has been resolved') },
    ];
    const [began, ended] = bodies.flatMap((one) => eventsOf(zabbix, JSON.stringify(one)));
    assert.deepEqual([began?.name, began?.priority], ['Disk is full on db-01', 'high']);
    assert.deepEqual([began?.dedupKey, ended?.dedupKey], ['815', '815']);
    assert.deepEqual([began?.action, ended?.action], ['open', 'resolve']);
  });
});

describe('the media type on our page', () => {
  const url = new URL('../../../docs/integrations/zabbix-media-type.yaml', import.meta.url);
  const [mediaType] = parse(readFileSync(url, 'utf8')).zabbix_export.media_types;

  /** Runs the script as Zabbix does: with its parameters as JSON, and an HttpRequest. */
  function run(params: object, status = 200) {
    const sent: { url: string; body: string; headers: string[] }[] = [];
    const headers: string[] = [];
    class HttpRequest {
      addHeader(header: string) {
        headers.push(header);
      }
      post(to: string, text: string) {
        sent.push({ url: to, body: text, headers });
        return '{}';
      }
      getStatus() {
        return status;
      }
    }
    const context = { value: JSON.stringify(params), HttpRequest, Zabbix: { log() {} } };
    const result: unknown = runInNewContext(`(function () {${mediaType.script}})()`, context);
    return { sent, result };
  }

  it('has every parameter that our sample has, and sends them', () => {
    const names = new Set(mediaType.parameters.map(({ name }: { name: string }) => name));
    const known = Object.keys(JSON.parse(body('problem'))).filter((name) => !/_at$/.test(name));
    assert.deepEqual(new Set([...known, 'url']), names);
    const { event_at, event_update_at, event_recovery_at, ...params } = JSON.parse(body('problem'));
    const { sent, result } = run({
      ...params,
      event_date: '2026.11.18',
      url: 'https://tocsin.example.com/moment/t/zabbix',
    });
    assert.equal(result, 'OK');
    assert.equal(sent[0]?.url, 'https://tocsin.example.com/moment/t/zabbix');
    assert.deepEqual(sent[0]?.headers, ['Content-Type: application/json']);
    assert.doesNotMatch(sent[0]?.body ?? '', /tocsin\.example/, 'the URL is a secret');
    const [event] = eventsOf(zabbix, sent[0]?.body ?? '');
    assert.equal(event?.name, 'Disk /var is full on db-01');
    assert.equal(
      event?.occurredAt.epochMilliseconds,
      new Date(2026, 10, 18, 6, 1, 0).getTime(),
      'in the zone of the server',
    );
  });

  it('fails if the call was not accepted, so that Zabbix retries', () => {
    assert.throws(() => run({ url: 'https://x.example' }, 503), /Tocsin: the answer is 503/);
  });
});
