import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { samplesIn } from '../../../testing/moments/samples.ts';
import { adapterContract, RECEIVED_AT } from './adapter.contract.ts';
import { opsgenie } from './opsgenie.ts';

adapterContract('opsgenie', opsgenie);

const { sample } = samplesIn('opsgenie', opsgenie);

describe('an Opsgenie webhook', () => {
  it('begins an alert', () => {
    const event = sample('create');
    assert.equal(event.action, 'open');
    assert.equal(event.type, 'alert');
    assert.equal(event.name, 'Replication lag on db-02 is above 60 s');
    assert.equal(event.priority, 'high');
    assert.equal(event.source, 'Opsgenie');
    assert.equal(event.sourceUrl, `https://app.opsgenie.com/alert/detail/${event.dedupKey}`);
    assert.equal(String(event.occurredAt), '2026-11-20T04:13:20.123Z');
    assert.deepEqual(event.labels, ['postgres', 'eu-1']);
  });

  it('has its original text, and its details, in the description', () => {
    const { description } = sample('create');
    assert.match(description ?? '', /^Lag is 75 s and \\\*rising\\\*\. {2}\nSee \\<https:/);
    assert.match(description ?? '', /\*\*Entity:\*\* db-02/);
    assert.match(description ?? '', /\*\*region:\*\* eu-1/);
  });

  it('acknowledges and ends the alert, in an order that needs nanoseconds', () => {
    const events = ['create', 'acknowledge', 'update-priority', 'close'].map((name) => sample(name));
    assert.deepEqual(
      events.map((event) => event.action),
      ['open', 'acknowledge', 'open', 'resolve'],
    );
    assert.equal(new Set(events.map((event) => event.dedupKey)).size, 1);
    assert.deepEqual(
      events.map((event) => event.at.round('second').toString()),
      ['2026-11-20T04:13:20Z', '2026-11-20T04:15:20Z', '2026-11-20T04:16:20Z', '2026-11-20T04:23:21Z'],
    );
  });

  it('that is repeated for a further team has the time of the alert', () => {
    assert.equal(
      String(sample('create', { 'alert.updatedAt': 1795150000000000000 }).at),
      '2026-11-20T04:13:20.123Z',
    );
  });

  it('without its own time has that of its receipt', () => {
    assert.ok(sample('close', { 'alert.updatedAt': undefined }).at.equals(RECEIVED_AT));
  });

  it('has a priority from P1 to P5 or as a number; without one it is medium', () => {
    const priority = (value: unknown) => sample('create', { 'alert.priority': value }).priority;
    assert.deepEqual(['P1', 'P2', 'P3', 'P4', 'P5'].map(priority), ['high', 'high', 'medium', 'low', 'low']);
    assert.deepEqual([1, 2, 3, 4, 5].map(priority), ['high', 'high', 'medium', 'low', 'low']);
    assert.deepEqual([undefined, 'urgent', 7].map(priority), ['medium', 'medium', 'medium']);
    assert.equal(sample('create-numeric-priority').priority, 'medium');
  });

  it('that only changes the priority does not replace the description', () => {
    assert.equal(sample('update-priority').description, null);
  });

  it('accepts its actions in any case', () => {
    assert.equal(sample('close', { action: 'CLOSE' }).action, 'resolve');
    assert.equal(sample('close', { action: 'Delete' }).action, 'resolve');
    assert.equal(sample('close', { action: 'UnAcknowledge' }).action, 'unacknowledge');
  });
});
