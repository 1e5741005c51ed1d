import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { samplesIn } from '../../../testing/moments/samples.ts';
import { adapterContract, RECEIVED_AT, readBody } from './adapter.contract.ts';
import { betterStack } from './better-stack.ts';

adapterContract('better-stack', betterStack);

const { sample } = samplesIn('better-stack', betterStack);

describe('a Better Stack webhook', () => {
  it('begins an incident', () => {
    const event = sample('started');
    assert.equal(event.action, 'open');
    assert.equal(event.type, 'incident');
    assert.equal(event.name, 'Shop homepage: Status 503');
    assert.equal(event.priority, 'high');
    assert.equal(event.source, 'Better Stack');
    assert.equal(event.sourceUrl, 'https://shop.example.com');
    assert.equal(String(event.occurredAt), '2026-11-20T03:11:20.151Z');
    assert.match(event.description ?? '', /```\n<html>no healthy upstream<\/html>\n```/);
    assert.match(event.description ?? '', /\[Screenshot\]\(<https:\/\/storage/);
  });

  it('acknowledges and ends it', () => {
    const events = ['started', 'acknowledged', 'resolved'].map((name) => sample(name));
    assert.deepEqual(
      events.map((event) => event.action),
      ['open', 'acknowledge', 'resolve'],
    );
    assert.deepEqual(new Set(events.map((event) => event.dedupKey)), new Set(['925180231']));
    assert.equal(String(events[2]?.at), '2026-11-20T03:30:00.001Z');
  });

  it('without the name of the event is read by its times', () => {
    assert.equal(sample('resolved-without-event').action, 'resolve');
    const open = { 'data.attributes.resolved_at': null };
    assert.equal(sample('resolved-without-event', open).action, 'open');
    const acknowledged = { ...open, 'data.attributes.acknowledged_at': '2026-11-20T03:12:00Z' };
    assert.equal(sample('resolved-without-event', acknowledged).action, 'acknowledge');
  });

  it('never seems older than the incident, and without a time has that of its receipt', () => {
    const before = { 'data.attributes.acknowledged_at': '2020-02-25T17:38:45.768Z' };
    assert.ok(sample('acknowledged', before).at.equals(sample('started').at));
    assert.ok(sample('resolved', { 'data.attributes.resolved_at': null }).at.equals(RECEIVED_AT));
    const unknown = { 'data.attributes.started_at': null };
    assert.ok(
      sample('resolved', unknown).at.equals(RECEIVED_AT),
      'there is nothing to compare its time with',
    );
  });

  it('about the on-call contact is ignored', () => {
    assert.ok('ignored' in readBody(betterStack, '{"data": [{"id": "1", "type": "on_call_calendar"}]}'));
  });

  it('may be a report of a status page, whose end is known only from the page or its plan', () => {
    const incident = sample('status-page-incident');
    assert.deepEqual([incident.action, incident.priority, incident.source], ['open', 'high', 'Better Stack']);
    const well = { 'page.status_indicator': 'operational' };
    assert.equal(sample('status-page-incident', well).action, 'resolve');
    const maintenance = sample('status-page-maintenance');
    assert.deepEqual([maintenance.action, maintenance.priority], ['open', 'low']);
    const over = { 'maintenance.ends_at': '2026-11-20T05:30:00Z' };
    assert.equal(sample('status-page-maintenance', over).action, 'resolve');
  });
});
