import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { samplesIn } from '../../../testing/moments/samples.ts';
import { adapterContract, RECEIVED_AT, readBody } from './adapter.contract.ts';
import { pagerduty } from './pagerduty.ts';

adapterContract('pagerduty', pagerduty);

const { sample, result } = samplesIn('pagerduty', pagerduty);

describe('a PagerDuty webhook', () => {
  it('begins an incident', () => {
    const event = sample('triggered');
    assert.equal(event.action, 'open');
    assert.equal(event.type, 'incident');
    assert.equal(event.name, 'Checkout answers 12 % of calls with 502');
    assert.equal(event.priority, 'high');
    assert.equal(event.severity, 'P2');
    assert.equal(event.source, 'PagerDuty');
    assert.equal(event.sourceUrl, 'https://acme.pagerduty.com/incidents/Q1T5ZK8M3WXN4A');
    assert.equal(String(event.occurredAt), '2026-11-20T04:12:31Z');
    assert.equal(String(event.at), '2026-11-20T04:12:31.402Z');
    assert.match(event.description ?? '', /\*\*Service:\*\* Checkout {2}\n/);
    assert.match(event.description ?? '', /\*\*Assigned to:\*\* Ada Lovelace/);
  });

  it('updates it, acknowledges it and ends it under the same key', () => {
    const names = [
      'triggered',
      'acknowledged',
      'priority-updated',
      'resolved-by-merge',
      'reopened-low-urgency',
    ];
    const events = names.map((name) => sample(name));
    assert.deepEqual(
      events.map((event) => event.action),
      ['open', 'acknowledge', 'acknowledge', 'resolve', 'open'],
    );
    assert.deepEqual(new Set(events.map((event) => event.dedupKey)), new Set(['Q1T5ZK8M3WXN4A']));
    assert.deepEqual(
      events.map(({ by, opens }) => [by, opens]),
      [
        ...[
          [null, false],
          ['Ada Lovelace', false],
        ],
        // Somebody changed its priority, but did not acknowledge it.
        ...[
          [null, true],
          [events[3]?.by, false],
          [events[4]?.by, false],
        ],
      ],
    );
    const takenBack = { 'event.event_type': 'incident.unacknowledged' };
    assert.equal(sample('acknowledged', takenBack).action, 'unacknowledge');
    const times = events.map((event) => event.at.epochMilliseconds);
    assert.deepEqual(times, times.toSorted());
  });

  it('takes its priority from the name of the priority, otherwise from the urgency', () => {
    const priority = (summary: string | null, urgency: string) =>
      sample('triggered', { 'event.data.priority': summary && { summary }, 'event.data.urgency': urgency })
        .priority;
    assert.equal(priority('P1', 'low'), 'high');
    assert.equal(priority('SEV-2', 'low'), 'high');
    assert.equal(priority('P3', 'high'), 'medium');
    assert.equal(priority('SEV5', 'high'), 'low');
    assert.equal(priority('Tuesday', 'high'), 'high');
    assert.equal(priority(null, 'low'), 'low');
  });

  it('of an unknown kind ends the incident only if its status does', () => {
    const action = (status: string) =>
      sample('priority-updated', {
        'event.event_type': 'incident.something_new',
        'event.data.status': status,
      }).action;
    assert.equal(action('triggered'), 'open');
    assert.equal(action('resolved'), 'resolve');
  });

  it('has its delivery id in a header', () => {
    const call = { headers: { 'x-webhook-id': 'd2a8-1' }, body: Buffer.from('{}') };
    assert.equal(pagerduty.senderCallId?.(call), 'd2a8-1');
    assert.equal(pagerduty.senderCallId?.({ ...call, headers: {} }), null);
  });
});

describe("an event for PagerDuty's Events API", () => {
  it('begins and ends under the same key', () => {
    const event = sample('event-trigger');
    assert.deepEqual(
      [event.action, event.name, event.type, event.priority, event.source],
      ['open', 'Replication of db-01 stands still', 'alert', 'high', 'pgwatch'],
    );
    assert.equal(event.sourceUrl, 'https://pgwatch.example.com/db-01');
    assert.equal(String(event.occurredAt), '2026-11-20T05:01:00.412Z');
    assert.match(event.description ?? '', /"lag": "812 s"/);
    assert.match(event.description ?? '', /\[Runbook\]\(<https:\/\/wiki\.example\.com\/replication>\)/);
    const end = sample('event-resolve');
    assert.deepEqual([end.action, end.dedupKey], ['resolve', event.dedupKey]);
  });

  it('names the missing field', () => {
    for (const changes of [{ event_action: 'explode' }, { 'payload.summary': ' ' }])
      assert.ok('error' in result('event-trigger', changes));
    assert.ok('error' in result('event-resolve', { dedup_key: undefined }));
  });
});

describe("PagerDuty's signature", () => {
  const body = Buffer.from('{"event": {"title": "Grüße"}}');
  const sign = (secret: string) => `v1=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const verified = (signature: string, of = body) =>
    pagerduty.verify?.({
      headers: { 'x-pagerduty-signature': signature },
      body: of,
      secret: 'right',
      now: RECEIVED_AT,
    });

  it('is valid if one of the given signatures is', () => {
    assert.equal(verified(sign('right')), true);
    assert.equal(verified(`${sign('old')},${sign('right')}`), true);
    assert.equal(verified(`${sign('old')}, ${sign('right')}`), true);
  });

  it('is invalid over another body, with another secret, of another version, or if it is missing', () => {
    assert.equal(verified(sign('right'), Buffer.from('{}')), false);
    assert.equal(verified(sign('wrong')), false);
    assert.equal(verified(sign('right').replace('v1=', 'v2=')), false);
    assert.equal(verified(sign('right').slice('v1='.length)), false);
    assert.equal(verified(''), false);
    assert.equal(verified('v1='), false);
    assert.equal(pagerduty.verify?.({ headers: {}, body, secret: 'right', now: RECEIVED_AT }), false);
  });

  it('needs a secret that was pasted completely', () => {
    assert.equal(pagerduty.checkSecret?.('abc'), null);
    assert.match(pagerduty.checkSecret?.(' abc') ?? '', /spaces/);
    assert.match(pagerduty.checkSecret?.('') ?? '', /blank/);
  });
});

describe('a PagerDuty webhook of an older version', () => {
  it('begins an incident (version 2)', () => {
    const event = sample('version-2');
    assert.equal(event.action, 'open');
    assert.equal(event.dedupKey, 'PINC01');
    assert.equal(event.name, 'Checkout answers 12 % of calls with 502');
    assert.equal(event.priority, 'high');
    assert.equal(event.by, 'Ada Lovelace');
    assert.equal(String(event.occurredAt), '2026-11-20T04:12:30Z');
    assert.equal(String(event.at), '2026-11-20T04:12:31Z');
    assert.match(event.description ?? '', /\*\*Service:\*\* Checkout/);
    assert.match(event.description ?? '', /\*\*Assigned to:\*\* Grace Hopper/);
  });

  it('acknowledges and ends it, with several messages in a call (version 1)', () => {
    const read = result('version-1');
    assert.ok('events' in read);
    const seen = read.events.map(({ action, name, opens, by }) => [action, name, opens, by]);
    assert.deepEqual(seen, [
      ['acknowledge', 'db-1: disk 98 %', true, null],
      ['acknowledge', 'db-1: disk 98 %', false, 'Ada Lovelace'],
    ]);
    assert.deepEqual(new Set(read.events.map((event) => event.dedupKey)), new Set(['PINC02']));
    const end = sample('version-1-resolved');
    assert.deepEqual([end.action, end.dedupKey, end.by], ['resolve', 'PINC02', null]);
    assert.equal(String(end.at), '2026-11-20T04:31:05Z');
  });

  it('names the problem of a message without an incident', () => {
    const read = readBody(pagerduty, JSON.stringify({ messages: [{ event: 'incident.trigger' }] }));
    assert.ok('error' in read);
    assert.match(read.error, /no "id"/);
  });
});
