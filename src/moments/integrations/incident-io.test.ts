import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { samplesIn } from '../../../testing/moments/samples.ts';
import { adapterContract, RECEIVED_AT } from './adapter.contract.ts';
import { incidentIo } from './incident-io.ts';

adapterContract('incident-io', incidentIo);

const { sample, result } = samplesIn('incident-io', incidentIo);

const CHANGED = '/public_incident.incident_status_updated_v2';

describe('an incident.io webhook', () => {
  it('begins an incident', () => {
    const event = sample('created');
    assert.equal(event.action, 'open');
    assert.equal(event.type, 'incident');
    assert.equal(event.name, 'INC-214 Card payments are declined');
    assert.equal(event.priority, 'high');
    assert.equal(event.severity, 'Critical');
    assert.equal(event.source, 'incident.io');
    assert.equal(event.sourceUrl, 'https://app.incident.io/acme/incidents/214');
    assert.equal(event.dedupKey, '01HF4TZ9Q3V6Q8GQ2H9K3A4B5C');
    assert.equal(String(event.occurredAt), '2026-11-20T03:24:57.801578Z');
    assert.match(event.description ?? '', /^Since 03:20 \*\*all\*\* card payments/, 'summaries are Markdown');
  });

  it('continues, and ends when the post-incident phase begins', () => {
    const events = ['created', 'updated', 'status-learning', 'status-closed'].map((name) => sample(name));
    assert.deepEqual(
      events.map((event) => event.action),
      ['open', 'open', 'resolve', 'resolve'],
    );
    assert.equal(new Set(events.map((event) => event.dedupKey)).size, 1);
    assert.equal(events[1]?.priority, 'medium');
    assert.match(events[2]?.description ?? '', /Payments work \\\*again\\\*/);
  });

  it('has its priority from the name of the severity', () => {
    const priority = (name: string) =>
      sample('status-learning', { [`${CHANGED}/incident/severity`]: { name } }).priority;
    assert.deepEqual(
      ['Critical', 'Major', 'Minor', 'SEV1', 'sev 2', 'P3', 'SEV-4 (low)', 'Kritisch'].map(priority),
      ['high', 'high', 'medium', 'high', 'high', 'medium', 'low', 'medium'],
    );
    assert.equal(sample('status-learning', { [`${CHANGED}/incident/severity`]: null }).priority, 'medium');
  });

  it('about a rehearsal is ignored', () => {
    assert.ok('ignored' in result('ignored-test'));
  });
});

describe("incident.io's signature", () => {
  const secret = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
  const raw = Buffer.from('{"event_type": "x"}');

  function signed(prefix: string, at: Temporal.Instant, with_ = secret): Record<string, string> {
    return {
      [`${prefix}-id`]: 'msg_1',
      [`${prefix}-timestamp`]: String(Math.floor(at.epochMilliseconds / 1_000)),
      [`${prefix}-signature`]: new StandardWebhook(with_).sign(
        'msg_1',
        new Date(at.epochMilliseconds),
        raw.toString(),
      ),
    };
  }

  const verified = (headers: Record<string, string>) =>
    incidentIo.verify?.({ headers, body: raw, secret, now: RECEIVED_AT });

  it('is right under both of its names', () => {
    assert.equal(verified(signed('webhook', RECEIVED_AT)), true);
    assert.equal(verified(signed('svix', RECEIVED_AT)), true);
  });

  it('is invalid if it is old, made with another secret, or missing', () => {
    const other = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
    for (const prefix of ['webhook', 'svix']) {
      assert.equal(verified(signed(prefix, RECEIVED_AT.subtract({ seconds: 301 }))), false);
      assert.equal(verified(signed(prefix, RECEIVED_AT, other)), false);
    }
    assert.equal(verified({}), false);
  });

  it('names the delivery too', () => {
    assert.equal(incidentIo.senderCallId?.({ headers: signed('svix', RECEIVED_AT), body: raw }), 'msg_1');
  });
});

it('reads an event in the envelope of the service that sends it', () => {
  const event = sample('envelope');
  assert.deepEqual([event.action, event.name, event.priority], ['open', 'INC-77 Orders are stuck', 'high']);
  assert.ok('error' in result('envelope', { data: {} }));
});
